import {
  SWEEPS,
  type ProbeResult,
  type ProbeTransport,
  type Sighting,
  type SweepTransport,
} from "../../../../adapters/discovery/port.ts";
import { mergeSightings } from "../../../../adapters/discovery/sightings.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { newId } from "../../../../core/ids.ts";
import { isNotFound, isProblem, nullIf } from "../../../../core/problem.ts";
import type { Leases } from "../../../../core/work/schedule.ts";
import { observe, type ScanContext } from "../devices/observing.ts";
import { PLATFORM, watchedAt } from "../reach.ts";
import { takeReport } from "../reports/report-intake.ts";
import { mayProbe, pinned, type Pinned } from "../targets/aims.ts";
import { MOST_A_SECOND, Target } from "../targets/targets.ts";
import { noteLinks } from "../topology/link-store.ts";
import { PLATFORM_NODE } from "../topology/graph.ts";
import { configsOf, type Configured } from "./configs.ts";
import { ScanPacer } from "./scan-pacer.ts";
import { consentHolds, scannerOf } from "./scanner.ts";

const MESH = asSystem("discovery");
const BY = "system:discovery";
const TERM_MS = 30_000;
/** A pass is done in parts of this length, so that a dead node's pass goes on elsewhere where it was. */
const PART_MS = 10_000;
const MOST_AT_ONCE = 32;
const MOST_TARGETS_AT_ONCE = 8;

interface Probe extends Pinned {
  transport: ProbeTransport;
  port: number;
}

/** The probe of a pass by its number: all ports of an address one after the other. */
export function probeAt(
  target: Pick<Target, "ports" | "transports">,
  all: readonly Pinned[],
  at: number,
): Probe | undefined {
  const { ports, transports } = target;
  const each = ports.length * transports.length;
  const aim = all[Math.floor(at / each)];
  const rest = at % each;
  return (
    aim && {
      ...aim,
      port: ports[Math.floor(rest / transports.length)]!,
      transport: transports[rest % transports.length]!,
    }
  );
}

/** The scanner's work on this node: passes over targets and sweeps of segments, each under a lease of its own. */
export class Scanning {
  readonly #host: Host;
  readonly #leases: Leases;
  readonly #pace = new ScanPacer();
  readonly #busy = new Map<string, Promise<unknown>>();
  readonly #end = new AbortController();

  constructor(host: Host, leases: Leases) {
    this.#host = host;
    this.#leases = leases;
  }

  /** Ends what is under way here; where it was is stored. */
  async close(): Promise<void> {
    this.#end.abort();
    await Promise.allSettled(this.#busy.values());
  }

  /** Whether anything may be sent at all: asked of the store before each packet. */
  async #mayScan(): Promise<boolean> {
    const scanner = await scannerOf(this.#host);
    return scanner?.state === "running" && consentHolds(scanner) && !this.#end.signal.aborted;
  }

  /** Takes up what is due and nobody does. */
  async look(): Promise<void> {
    if (!(await this.#mayScan())) return;
    const due = await this.#host
      .store(Target)
      .find(
        MESH,
        { enabled: true, nextAt: { $lte: iso(this.#host.world.clock.now()) } },
        { sort: ["nextAt"], limit: MOST_TARGETS_AT_ONCE, fields: ["nextAt", "compartments"] },
      );
    for (const { id } of due) this.#begin(`discovery.target.${id}`, () => this.#part(id));
    const configs = await configsOf(this.#host);
    const own = new Set(this.#host.world.discovery.interfaces().flatMap(({ addresses }) => addresses));
    for (const config of configs.filter(
      ({ transport, enabled }) => enabled && (SWEEPS as readonly string[]).includes(transport),
    ))
      for (const via of config.via.filter((address) => own.has(address))) await this.#sweepWhenDue(config, via);
  }

  /** Sets a piece of work going under a lease, unless this node or another is at it. */
  #begin(name: string, work: () => Promise<unknown>, restMs?: number): void {
    if (this.#busy.has(name) || this.#end.signal.aborted) return;
    const task = this.#leases
      .under(name, TERM_MS, work)
      .then((done) => {
        if (!done) return;
        return restMs === undefined ? this.#leases.release(name) : this.#leases.rest(name, restMs);
      })
      .catch((error: Error) => this.#host.logger.warn(`${name}: ${error.message}`))
      .finally(() => this.#busy.delete(name));
    this.#busy.set(name, task);
  }

  async #sweepWhenDue({ transport, intervalSeconds, timeoutMs }: Configured, via: string): Promise<void> {
    const name = `discovery.${transport}.${via}`;
    const restMs = intervalSeconds * 1_000;
    if (((await this.#leases.wait(name, { holder: TERM_MS, rest: restMs })) ?? 0) > 0) return;
    const sweep = async (): Promise<void> => {
      if (!(await this.#mayScan())) return;
      const { discovery } = this.#host.world;
      const found = await discovery.sweep(transport as SweepTransport, { via, waitMs: timeoutMs }, this.#end.signal);
      for (const one of found)
        await this.#saw([one], { place: PLATFORM, everySeconds: intervalSeconds, by: BY }, transport as "mdns");
    };
    this.#begin(name, sweep, restMs);
  }

  /** Notes a device and that it is linked with us. */
  async #saw(
    looks: readonly Sighting[],
    look: ScanContext,
    evidence: "probe" | SweepTransport,
  ): Promise<string | null> {
    const seen = mergeSightings(looks as [Sighting, ...Sighting[]]);
    const device = await observe(this.#host, seen, look).catch(nullIf(isProblem));
    if (!device) return null;
    const row = { from: { deviceId: PLATFORM_NODE }, to: { deviceId: device.id }, evidence, present: true };
    await noteLinks(this.#host, [{ index: 0, row }], look.place, false);
    return device.id;
  }

  /** The pass that is under way, or a new one with names resolved anew; null where the target is gone or resting. */
  async #passOf(id: string): Promise<Target | null> {
    const store = this.#host.store(Target);
    const now = iso(this.#host.world.clock.now());
    const target = await store.get(MESH, id).catch(nullIf(isNotFound));
    if (!target?.enabled || target.nextAt > now) return null;
    if (target.pass) return target;
    const all = await pinned(target.hosts, (name) => this.#host.world.discovery.resolve(name));
    const total = all.length * target.ports.length * target.transports.length;
    const begun = { passId: newId(), pass: { pinned: all, found: [] }, position: 0, total, isUnderWay: true };
    const { counts } = await store.bulk([{ update: { _id: id, rev: target.rev }, with: { $set: begun } }]);
    return counts[0] ? { ...target, ...begun } : null;
  }

  /** Whether this pass may send another packet: the store is asked each time, so that nobody scans what was taken off. */
  async #goesOn(id: string, pass: string): Promise<boolean> {
    const [may, target] = await Promise.all([this.#mayScan(), this.#host.store(Target).one(MESH, { _id: id })]);
    return may && target?.enabled === true && target.passId === pass;
  }

  /** A part of a pass over a target. */
  async #part(id: string): Promise<void> {
    const target = await this.#passOf(id);
    if (!target?.pass || target.passId === undefined) return;
    const { pass, passId, ratePerSecond } = target;
    const enabled = new Map((await configsOf(this.#host)).map((config) => [config.transport, config]));
    const deadline = performance.now() + PART_MS;
    const found: [string, ProbeResult][] = [];
    const sent = new Set<Promise<void>>();
    let position = target.position ?? 0;
    const own = new ScanPacer();
    for (; performance.now() < deadline; position++) {
      const probe = probeAt(target, pass.pinned, position);
      if (!probe) break;
      const { timeoutMs, enabled: isOn } = enabled.get(probe.transport)!;
      if (!isOn || !mayProbe(probe.address)) continue;
      if (
        !(await own.turn(ratePerSecond, this.#end.signal)) ||
        !(await this.#pace.turn(MOST_A_SECOND, this.#end.signal))
      )
        break;
      if (sent.size >= MOST_AT_ONCE) await Promise.race(sent);
      if (!(await this.#goesOn(id, passId))) break;
      const { transport, ...aim } = probe;
      const probing: Promise<void> = this.#host.world.discovery
        .probe(
          transport,
          {
            address: aim.address,
            port: aim.port,
            timeoutMs,
            path: target.path,
            ...(aim.host !== undefined && { host: aim.host }),
          },
          this.#end.signal,
        )
        .then((one) => {
          if (one) found.push([aim.address, one]);
          return;
        })
        .finally(() => sent.delete(probing));
      sent.add(probing);
    }
    await Promise.all(sent);
    await this.#save(target, position, await this.#note(target, found));
  }

  /** Notes what a part found; answers the devices. What several ports of one address tell at once is one device. */
  async #note(target: Target, found: readonly [string, ProbeResult][]): Promise<string[]> {
    const place = watchedAt(target);
    const look: ScanContext = { place, everySeconds: target.intervalSeconds, targetId: target.id, by: BY };
    const ids: (string | never[])[] = [];
    for (const looks of Map.groupBy(found, ([address]) => address).values()) {
      const sightings = looks.map(([, { sighting }]) => sighting);
      ids.push((await this.#saw(sightings, look, "probe")) ?? []);
      for (const [, { report }] of looks)
        if (report !== undefined)
          await takeReport(this.#host, MESH, "collector", report, {
            place,
            everySeconds: target.intervalSeconds,
            by: BY,
          });
    }
    return ids.flat();
  }

  /**
   * Stores how far the pass has come, or that it is over, past the target's revision, which is that of people. What was
   * changed meanwhile is another pass.
   */
  async #save(target: Target, position: number, ids: readonly string[]): Promise<void> {
    const { id, passId, pass, total = 0, intervalSeconds } = target;
    const at = this.#host.world.clock.now();
    const found = [...new Set([...pass!.found, ...ids])];
    const isOver = position >= total;
    const over = { lastScannedAt: iso(at), nextAt: iso(at + intervalSeconds * 1_000), found: found.length };
    await this.#host.store(Target).bulk([
      {
        update: { _id: id, passId },
        with: isOver
          ? { $set: over, $unset: { passId: 1, pass: 1, isUnderWay: 1, position: 1, total: 1 } }
          : { $set: { position, pass: { ...pass!, found } } },
      },
    ]);
  }
}
