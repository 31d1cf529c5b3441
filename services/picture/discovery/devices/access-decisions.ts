import { asSystem } from "../../../../core/access/caller.ts";
import type { Mode } from "../../../../core/access/training-mode.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { isConflict, isNotFound, nullIf } from "../../../../core/problem.ts";
import { listOf, type Deciding } from "../access-list/entries.ts";
import { watchedAt } from "../reach.ts";
import { announce } from "./announcing.ts";
import { Device, KEPT_DAYS, KnownBy, matchedOf, deviceState } from "./devices.ts";

const MESH = asSystem("discovery");
const MOST_DUE = 200;
const DAY_MS = 86_400_000;

/** A device as it is now by the list as it is now, though nobody has looked since either changed. */
export function deviceView(device: Device, decides: Deciding, now: number): Device {
  const decision = decides(watchedAt(device), matchedOf(device));
  const { disconnected, ...rest } = device;
  return {
    ...rest,
    decision,
    state: deviceState(device, decision, now),
    ...(decision === "disconnected" && disconnected && { disconnected }),
  };
}

/** Writes down what is shown of a device where it is another; tells of it once. */
async function settle(host: Host, device: Device, decides: Deciding): Promise<void> {
  const { decision, state } = deviceView(device, decides, host.world.clock.now());
  if (decision === device.decision && state === device.state && (state !== "lost" || device.dueAt === undefined))
    return;
  const change = { decision, state, ...(state === "lost" && { dueAt: null }) };
  const settled = await host.store(Device).revise(MESH, device, change).catch(nullIf(isConflict));
  if (settled && state !== device.state)
    await announce(host, state === "lost" ? "lost" : state === "disconnected" ? "disconnected" : "changed", settled);
}

/** Decides anew on all devices of a mode. */
export async function decideAnew(host: Host, mode: Mode): Promise<void> {
  const decides = await listOf(host, mode);
  for await (const devices of host.store(Device).slices(MESH, { mode }))
    for (const device of devices) await settle(host, device, decides);
}

/** Marks the devices that were not seen for long. */
export async function lookForLost(this: Host): Promise<void> {
  const store = this.store(Device);
  for (;;) {
    const due = await store.find(
      MESH,
      { dueAt: { $lte: iso(this.world.clock.now()) } },
      { sort: ["dueAt"], limit: MOST_DUE },
    );
    const modes = [...new Set(due.map(({ mode }) => mode))];
    const lists = new Map(await Promise.all(modes.map(async (mode) => [mode, await listOf(this, mode)] as const)));
    for (const device of due) await settle(this, device, lists.get(device.mode)!);
    if (due.length < MOST_DUE) return;
  }
}

/** Forgets devices that nobody has seen for the time that they are kept. */
export async function forgetDevices(this: Host): Promise<void> {
  const before = iso(this.world.clock.now() - KEPT_DAYS * DAY_MS);
  await this.store(Device).removeAll(
    MESH,
    { lastSeenAt: { $lt: before }, _pendingSince: { $exists: false } },
    {
      by: "lastSeenAt",
      leaving: async (ids) => {
        await this.store(KnownBy).removeAll(MESH, { deviceId: { $in: [...ids] } });
      },
    },
  );
}

/** A device as it is stored now; null where it is gone. */
export async function deviceNow(host: Host, id: string): Promise<Device | null> {
  return host.store(Device).get(MESH, id).catch(nullIf(isNotFound));
}
