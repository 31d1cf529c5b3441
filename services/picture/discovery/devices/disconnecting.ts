import { may, systemActor } from "../../../../core/access/access.ts";
import { asSystem, type Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { simulates } from "../../../../core/access/training-mode.ts";
import { isUnserved, nullIf, unprocessable } from "../../../../core/problem.ts";
import { endSignIns } from "../../../identity/auth/client.ts";
import { holderOf, platformOf } from "../../../identity/identity/client.ts";
import { AccessListEntry, entryId } from "../access-list/entries.ts";
import type { By } from "../access-list/matching.ts";
import { AccessListChanged, DeviceCutOff, DeviceDisconnected } from "../events.ts";
import { DISCONNECT, watchedAt } from "../reach.ts";
import { deviceNow } from "./access-decisions.ts";
import { announce } from "./announcing.ts";
import { Device, identitiesOfDevice } from "./devices.ts";
import { isStrong, textOfIdentity, type Identity } from "./identities.ts";
import { deviceEvent } from "./observing.ts";

const MESH = asSystem("discovery");
const CHANNEL = "alerts";
const MESSAGE = "discovery.device.disconnected";

export interface Effects {
  sessionsEnded: number;
  messageId: string | null;
}

/** What a device is blocked by: all that is strong, or its name where it has nothing better. */
function blockable(device: Device): Identity[] {
  const identities = identitiesOfDevice(device);
  const strong = identities.filter(isStrong);
  return strong.length ? strong : identities;
}

/**
 * Cuts a device off. What blocks it is in the store before anything else, and every node asks the store; the rest is
 * finished by whoever hears of it where this one dies.
 */
export async function disconnect(host: Host, ctx: Ctx<unknown>, device: Device, reason: string) {
  const actor = ctx.meta.actor!;
  const identities = blockable(device);
  if (!identities.length)
    throw unprocessable("NO_IDENTITY", "Nothing tells what answers there: block its address by the access list.");
  const wide = !simulates(ctx) && may(actor, DISCONNECT);
  const blocked = await Promise.all(identities.map((identity) => block(host, device, identity, { reason, wide })));
  const at = iso(host.world.clock.now());
  const cut = await host.store(Device).change(
    ctx,
    device.id,
    (one) => ({
      state: "disconnected",
      decision: "disconnected",
      // Released meanwhile, it is cut off anew, and told of anew.
      disconnected: {
        ...((one.decision === "disconnected" && one.disconnected) || { at, by: actor.userId, reason }),
        pending: wide,
      },
    }),
    {
      facts: (one: Device) => [
        DeviceCutOff.fact(one.id, { id: one.id }),
        ...(one.problemSetId === undefined || device.state === "disconnected"
          ? []
          : [DeviceDisconnected.fact(one.id, deviceEvent(one, actor.userId))]),
      ],
    },
  );
  if (device.state !== "disconnected") await announce(host, "disconnected", cut);
  const effects = await finish(host, cut);
  return { device: (await deviceNow(host, device.id)) ?? cut, blocked: blocked.map(({ value }) => value), ...effects };
}

/** One line of the access list; one that blocks already becomes one of an emergency. */
async function block(
  host: Host,
  device: Device,
  { kind, value }: Identity,
  { reason, wide }: { reason: string; wide: boolean },
): Promise<AccessListEntry> {
  const place = watchedAt(device);
  const entry = { kind: "block" as const, by: kind as By, value };
  const id = entryId(place, entry);
  const facts = [AccessListChanged.fact(id, { id, mode: device.mode })];
  const lasting = { emergency: true, deviceId: device.id, ...(wide && { wide }) };
  const given = { ...place, ...entry, ...lasting, id, reason };
  const store = host.store(AccessListEntry);
  const { record, made } = await store.createOnce(MESH, given, { facts, beyondMost: true });
  if (made || (record.emergency && (record.wide || !wide) && record.expiresAt === undefined)) return record;
  return store.change(MESH, id, () => ({ ...lasting, expiresAt: null }), { facts });
}

/** What follows from a disconnection; done again it changes nothing. */
export async function finish(host: Host, device: Device): Promise<Effects> {
  const [sessionsEnded, messageId] = await Promise.all([endAccess(host, device), warn(host, device)]);
  if (device.disconnected?.pending)
    await host.store(Device).change(MESH, device.id, ({ disconnected }) => ({
      ...(disconnected && { disconnected: { ...disconnected, pending: false } }),
    }));
  return { sessionsEnded, messageId };
}

/** Ends the sign-ins and keys of whoever holds its DID; answers how many sessions there were. */
async function endAccess(host: Host, { did, disconnected }: Device): Promise<number> {
  if (did === undefined || !disconnected?.pending) return 0;
  const holder = await holderOf(host, did).catch(nullIf(isUnserved));
  if (!holder) return 0;
  const [ended] = await Promise.all([
    endSignIns(host, holder).catch(nullIf(isUnserved)),
    host.ask("keys.endAll", { userId: holder }).catch(nullIf(isUnserved)),
  ]);
  return ended ?? 0;
}

/** A flash message where the device lies, under one name for one disconnection. */
async function warn(host: Host, device: Device): Promise<string | null> {
  const { id, mode, problemSetId, compartments, name, identities, disconnected } = device;
  try {
    const { did } = await platformOf(host);
    const meta = { actor: { ...systemActor("discovery"), did, ...(mode === "training" && { mode }) } };
    const message = {
      channel: CHANNEL,
      ...(problemSetId !== undefined && { problemSetId, compartments }),
      type: MESSAGE,
      priority: "flash",
      dedupeId: `${MESSAGE} ${id} ${disconnected?.at}`,
      payload: { deviceId: id, name: name ?? identities[0], reason: disconnected?.reason, by: disconnected?.by },
    };
    return (await host.broker.call<{ id: string }, object>("messages.publish", message, { meta })).id;
  } catch (error) {
    host.logger.warn(
      `The disconnection of ${textOfIdentity(identitiesOfDevice(device)[0]!)}: ${(error as Error).message}`,
    );
    return null;
  }
}
