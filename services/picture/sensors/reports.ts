import { asSystem, type Caller, type Ctx } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { live } from "../../../core/contract/live.ts";
import { areaOf } from "../../../core/geo/area-field.ts";
import { derivedId } from "../../../core/ids.ts";
import { invalid, isConflict, nullIf } from "../../../core/problem.ts";
import { audienceOf, factsInSet, placeOf } from "../place.ts";
import type { Location } from "../location.ts";
import { SensorStatusChanged } from "./events.ts";
import { Fix, seen, Sensor, SensorChanged, statusAt, type Coverage } from "./sensors.ts";

const MESH = asSystem("sensors");
const AHEAD_MS = 300_000;

/** A sensor as it is now. */
export const sensorView = (sensor: Sensor, now: number): Sensor => ({ ...sensor, status: statusAt(sensor, now) });

/** A coverage, its polygon read and mended. Throws 400, 422. */
export async function coverageOf<C extends Coverage | null | undefined>(path: string, given: C): Promise<C> {
  if (given?.shape === "polygon") return { ...given, area: await areaOf(`${path}.area`, given.area) };
  if (given?.shape === "sector" && (given.minRange ?? 0) >= given.range)
    throw invalid([{ path: `${path}.minRange`, message: "It is less than the range." }]);
  return given;
}

/** Throws 400 for what was not yet. */
export function demandPast(host: Host, at: string): void {
  if (Date.parse(at) > host.world.clock.now() + AHEAD_MS)
    throw invalid([{ path: "at", message: "It lies in the future." }]);
}

const later = (one: string, other: string): string => (one > other ? one : other);

/** Changes a sensor by a report of it, which brings it back; tells of its status where that is another. */
export async function reported(
  host: Host,
  ctx: Ctx<unknown>,
  { id }: Sensor,
  change: (sensor: Sensor) => object,
  at?: string,
): Promise<Sensor> {
  const now = host.world.clock.now();
  let before = "";
  const after = await host.store(Sensor).change(
    ctx,
    id,
    (sensor) => {
      before = statusAt(sensor, now);
      const changed = change(sensor);
      return {
        ...changed,
        ...seen({ ...sensor, ...changed }, at === undefined ? iso(now) : later(at, sensor.lastSeenAt)),
      };
    },
    {
      facts: (one: Sensor) =>
        one.status === before
          ? []
          : factsInSet(SensorStatusChanged, one, ctx.meta.actor!.userId, { status: one.status }),
    },
  );
  if (after.status !== before) await tellChange(host, after);
  return sensorView(after, now);
}

/** Tells whoever looks on now. */
export const tellChange = (host: Host, sensor: Sensor): Promise<unknown> =>
  live(host, {
    event: SensorChanged,
    to: audienceOf("sensors", sensor),
    data: { sensorId: sensor.id, status: sensor.status },
  });

/** Marks the sensors that fell silent since somebody looked; each is told once, by whoever marks it. */
export async function lookForSilence(this: Host): Promise<void> {
  const now = this.world.clock.now();
  const store = this.store(Sensor);
  for (;;) {
    const due = await store.find(MESH, { dueAt: { $lte: iso(now) } }, { sort: ["dueAt"], limit: 200 });
    await Promise.all(
      due.map(async (sensor) => {
        const silent = await store
          .revise(
            MESH,
            sensor,
            { status: "silent", dueAt: null },
            { facts: factsInSet(SensorStatusChanged, sensor, "system:sensors", { status: "silent" }) },
          )
          .catch(nullIf(isConflict));
        if (silent) await tellChange(this, silent);
      }),
    );
    if (due.length < 200) return;
  }
}

/** A place of the track; one a moment, however often it is reported. */
export async function notePosition(
  host: Host,
  ctx: Caller,
  sensor: Sensor,
  at: string,
  location: Location,
): Promise<void> {
  const id = derivedId(`fix of ${sensor.id}: ${at}`);
  await host.store(Fix).createOnce(ctx, { id, ...placeOf(sensor), sensorId: sensor.id, at, location });
}
