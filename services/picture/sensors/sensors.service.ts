import { z } from "zod";
import { asSystem, type Ctx } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import { bare, data, list, nothing } from "../../../core/contract/answer.ts";
import { endpoint, type Host, type MeshService } from "../../../core/contract/endpoint.ts";
import { live } from "../../../core/contract/live.ts";
import { areaOf } from "../../../core/geo/area-field.ts";
import { derivedId } from "../../../core/ids.ts";
import { invalid, isConflict, isNotFound, nullIf, unprocessable } from "../../../core/problem.ts";
import { CursorMeta, Instant, paging, TextId } from "../../../core/records/entity.ts";
import { eventsIn, type Fact } from "../../../core/records/event.ts";
import { inTurns } from "../../../core/work/turns.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { placeOfMission } from "../../workspace/missions/client.ts";
import { pageSomewhere, placeParameters } from "../finding.ts";
import { alikeIn, audienceOf, mayOutside, placeFor, placeOf, type Place } from "../place.ts";
import { asPlacesQuery, PlacedRecord, placesAsked } from "../../../core/geo/placed.ts";
import { placedPoint } from "../placed.ts";
import { holdResource, releaseResource } from "../resources/client.ts";
import { cellAt, Location, type Location as Where } from "../whereabouts.ts";
import { Covered, coveredBy, drawnGround, type Covering } from "./coverage.ts";
import * as events from "./events.ts";
import { SensorEnrolled, SensorRemoved, SensorStatusChanged } from "./events.ts";
import { Coverage, coverageAt, Fix, REPORTED, seen, Sensor, SensorChanged, statusAt } from "./sensors.ts";

const set = "problemSetId";
const READ = "sensors:read";
const EDIT = "sensors:edit";
const REPORT = "sensors:report";
const reading = { set, may: READ };
const editing = { set, may: EDIT };
const reporting = { set, may: REPORT };

const MESH = asSystem("sensors");
const LOOK_MS = 2_000;
const AHEAD_MS = 300_000;
/** Sensors that are united for one mission; more are told of by number. */
const MOST_UNITED = 500;
const IMPOSSIBLE = "Rings of the area cross, or have none (`IMPOSSIBLE_AREA`).";
const ELSEWHERE = `The resource lies in another problem set (\`OTHER_PLACE\`). ${IMPOSSIBLE}`;

const LeftOut = z.object({
  id: z.string(),
  reason: z.enum(["degraded", "silent", "off", "no-location", "no-coverage", "too-many"]),
});
const MissionCoverage = Covered.extend({
  missionId: z.string(),
  at: Instant,
  sensors: z.array(
    z.object({ id: z.string(), name: z.string(), source: z.enum(["planned", "measured"]), km2: z.number() }),
  ),
  leftOut: z.array(LeftOut).describe("Sensors that you see and that cover nothing now, and why."),
}).meta({ id: "MissionCoverage" });

interface Told extends Place {
  id: string;
  name: string;
}
const told = (type: { fact(subject: string, data: never): Fact }, one: Told, by: string, more?: object): Fact[] =>
  one.problemSetId === undefined
    ? []
    : [
        type.fact(one.id, {
          id: one.id,
          problemSetId: one.problemSetId,
          compartments: one.compartments,
          name: one.name,
          by,
          ...more,
        } as never),
      ];

/** A sensor as it is now. */
const shown = (sensor: Sensor, now: number): Sensor => ({ ...sensor, status: statusAt(sensor, now) });

/** A coverage, its polygon read and mended. Throws 400, 422. */
async function coverageOf<C extends Coverage | null | undefined>(path: string, given: C): Promise<C> {
  if (given?.shape === "polygon") return { ...given, area: await areaOf(`${path}.area`, given.area) };
  if (given?.shape === "sector" && (given.minRange ?? 0) >= given.range)
    throw invalid([{ path: `${path}.minRange`, message: "It is less than the range." }]);
  return given;
}

/** Notes at a resource that a sensor uses it. Throws 422 for one of another place. */
async function demandResource(ctx: Ctx<unknown>, sensor: Told, resourceId: string): Promise<void> {
  const elsewhere = unprocessable("OTHER_PLACE", "A sensor belongs to a resource of its own problem set.", [
    { path: "resourceId", message: "There is no such resource in the problem set of the sensor." },
  ]);
  const { id, name, compartments } = sensor;
  const resource = await holdResource(ctx, { resourceId, type: "sensor", by: id, name, compartments }).catch(
    nullIf(isNotFound),
  );
  if (!resource || resource.problemSetId !== sensor.problemSetId) throw elsewhere;
}

/** Throws 400 for what was not yet. */
function demandPast(host: Host, at: string): void {
  if (Date.parse(at) > host.world.clock.now() + AHEAD_MS)
    throw invalid([{ path: "at", message: "It lies in the future." }]);
}

/** Changes a sensor by a report of it, which brings it back; tells of its status where that is another. */
async function reported(
  host: Host,
  ctx: Ctx<unknown>,
  { id }: Sensor,
  change: (sensor: Sensor) => object,
): Promise<Sensor> {
  const now = host.world.clock.now();
  let before = "";
  const after = await host.store(Sensor).change(
    ctx,
    id,
    (sensor) => {
      before = statusAt(sensor, now);
      const changed = change(sensor);
      return { ...changed, ...seen({ ...sensor, ...changed }, iso(now)) };
    },
    {
      facts: (one: Sensor) =>
        one.status === before ? [] : told(SensorStatusChanged, one, ctx.meta.actor!.userId, { status: one.status }),
    },
  );
  if (after.status !== before) await tell(host, after);
  return shown(after, now);
}

/** Tells whoever looks on now. */
const tell = (host: Host, sensor: Sensor): Promise<unknown> =>
  live(host, {
    event: SensorChanged,
    to: audienceOf("sensors", sensor),
    data: { sensorId: sensor.id, status: sensor.status },
  });

/** Marks the sensors that fell silent since somebody looked; each is told once, by whoever marks it. */
async function lookForSilence(this: Host): Promise<void> {
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
            { facts: told(SensorStatusChanged, sensor, "system:sensors", { status: "silent" }) },
          )
          .catch(nullIf(isConflict));
        if (silent) await tell(this, silent);
      }),
    );
    if (due.length < 200) return;
  }
}

export default {
  name: "sensors",
  settings: { rest: "/sensors" },
  mixins: [
    domain({
      entities: [Sensor, Fix],
      books: [Fix],
      tells: () => eventsIn(events),
      live: [SensorChanged],
      schedules: { silence: { everyMs: LOOK_MS, run: lookForSilence } },
      keeps: [{ entity: Fix, days: ({ env }) => env.TELEMETRY_DAYS }],
    }),
  ],

  actions: {
    create: endpoint({
      rest: "POST /",
      summary: "Enrol a sensor",
      permit: "signed-in",
      within: editing,
      body: Sensor.create,
      returns: data(Sensor.view),
      status: 201,
      example: {
        name: "Mast 3",
        kind: "radar",
        location: { latitude: 48.1, longitude: 11.5 },
        coverage: { shape: "sector", azimuth: 350, width: 40, range: 12_000 },
      },
      errors: { 422: ELSEWHERE },
      async handler(ctx) {
        const actor = ctx.meta.actor!;
        const place = placeFor(actor, ctx.params, EDIT);
        const { coverage, location, resourceId, heartbeatSeconds } = ctx.params;
        const read = await coverageOf("coverage", coverage);
        const at = iso(this.world.clock.now());
        const { dueAt, ...state } = seen({ reported: "active", heartbeatSeconds }, at);
        const store = this.store(Sensor);
        const made = await store.create(
          ctx,
          {
            ...ctx.params,
            ...place,
            ...state,
            dueAt: dueAt!,
            ...(read && { coverage: read }),
            ...(location && { cell: cellAt(location), locatedAt: at }),
          },
          { facts: (one: Sensor) => told(SensorEnrolled, one, actor.userId) },
        );
        if (resourceId !== undefined)
          await demandResource(ctx, made, resourceId).catch(async (error: unknown) => {
            await store.remove(ctx, made);
            throw error;
          });
        if (location) await note(this, ctx, made, at, location);
        return made;
      },
    }),

    list: endpoint({
      rest: "GET /",
      summary: "List the sensors",
      permit: READ,
      within: reading,
      query: { ...Sensor.query, ...placeParameters },
      returns: list(Sensor.view),
      tool: "list_sensors",
      async handler(ctx) {
        const { data: found, meta } = await pageSomewhere(this.store(Sensor), ctx, ctx.params);
        const now = this.world.clock.now();
        return { data: found.map((sensor) => shown(sensor, now)), meta };
      },
    }),

    get: endpoint({
      rest: "GET /:id",
      summary: "Show a sensor",
      permit: READ,
      within: reading,
      on: Sensor,
      returns: data(Sensor.view),
      handler(_ctx, sensor) {
        return shown(sensor, this.world.clock.now());
      },
    }),

    update: endpoint({
      rest: "PATCH /:id",
      summary: "Edit a sensor's configuration",
      permit: "signed-in",
      within: editing,
      on: Sensor,
      when: mayOutside(EDIT),
      body: Sensor.change,
      returns: data(Sensor.view),
      errors: { 422: ELSEWHERE },
      async handler(ctx, sensor) {
        const { coverage, resourceId, location, ...rest } = ctx.params;
        const read = await coverageOf("coverage", coverage);
        if (resourceId) await demandResource(ctx, { ...sensor, name: rest.name ?? sensor.name }, resourceId);
        const after = { ...sensor, ...(rest.heartbeatSeconds && { heartbeatSeconds: rest.heartbeatSeconds }) };
        const { dueAt } = seen(after, sensor.lastSeenAt);
        const made = await this.store(Sensor).revise(ctx, sensor, {
          ...rest,
          coverage: read,
          resourceId,
          ...(rest.heartbeatSeconds && sensor.status !== "silent" && { dueAt }),
          ...(location !== undefined && {
            location,
            cell: location && cellAt(location),
            locatedAt: location && iso(this.world.clock.now()),
          }),
        });
        if (resourceId !== undefined && sensor.resourceId !== undefined && resourceId !== sensor.resourceId)
          await releaseResource(this, { resourceId: sensor.resourceId, by: sensor.id });
        return shown(made, this.world.clock.now());
      },
    }),

    setStatus: endpoint({
      rest: "PATCH /:id/status",
      summary: "Report that a sensor lives, and how it is",
      permit: "signed-in",
      within: reporting,
      on: Sensor,
      when: mayOutside(REPORT),
      body: { status: z.enum(REPORTED).optional().describe("As it was, unless said otherwise: a heartbeat.") },
      returns: data(Sensor.view),
      description:
        "Every report counts as a heartbeat: this, a place, a coverage. One of which three in a row did not come is `silent` until the next. Nothing is expected of one that is `off`.",
      handler(ctx, sensor) {
        const { status } = ctx.params;
        return reported(this, ctx, sensor, () => ({ ...(status && { reported: status }) }));
      },
    }),

    setLocation: endpoint({
      rest: "PATCH /:id/location",
      summary: "Report where a sensor is",
      permit: "signed-in",
      within: reporting,
      on: Sensor,
      when: mayOutside(REPORT),
      body: { ...Location.shape, at: Instant.optional().describe("When; now, unless said otherwise.") },
      returns: data(Sensor.view),
      description: "Goes to its track. A place from before the present one goes there alone.",
      async handler(ctx, sensor) {
        const { at = iso(this.world.clock.now()), ...location } = ctx.params;
        demandPast(this, at);
        await note(this, ctx, sensor, at, location);
        return reported(this, ctx, sensor, ({ locatedAt }) =>
          locatedAt === undefined || locatedAt <= at ? { location, cell: cellAt(location), locatedAt: at } : {},
        );
      },
    }),

    remove: endpoint({
      rest: "DELETE /:id",
      summary: "Take a sensor off the register, with its track",
      permit: "signed-in",
      within: editing,
      on: Sensor,
      when: mayOutside(EDIT),
      returns: nothing(),
      status: 204,
      async handler(ctx, sensor) {
        await this.store(Sensor).remove(ctx, sensor, { facts: told(SensorRemoved, sensor, ctx.meta.actor!.userId) });
        await this.store(Fix).removeAll(MESH, { sensorId: sensor.id });
        if (sensor.resourceId !== undefined)
          await releaseResource(this, { resourceId: sensor.resourceId, by: sensor.id });
        return null;
      },
    }),

    /** What the picture shows of sensors: those with a place. */
    placed: endpoint({
      summary: "The sensors of a problem set that have a place, or those of them that changed since",
      permit: "internal",
      body: placesAsked,
      returns: bare(z.array(PlacedRecord)),
      async handler(ctx) {
        const found = await this.store(Sensor).find(ctx, asPlacesQuery(ctx.params));
        const now = this.world.clock.now();
        return found.flatMap((one) => {
          const placed = placedPoint(one);
          return placed ? [{ ...placed, kind: one.kind, status: statusAt(one, now) }] : [];
        });
      },
    }),

    /** What the picture shows of coverage: the ground under sensors that are active. */
    covered: endpoint({
      summary: "What ground the active sensors of a problem set cover, or those of them that changed since",
      permit: "internal",
      body: placesAsked,
      returns: bare(z.array(PlacedRecord)),
      async handler(ctx) {
        const found = await this.store(Sensor).find(ctx, asPlacesQuery(ctx.params));
        const now = this.world.clock.now();
        const { covering } = partition(found, now, found.length);
        const byId = new Map(found.map((one) => [one.id, one]));
        return covering.flatMap((one) => {
          const geometry = drawnGround(one);
          const { rev, updatedAt, compartments, kind, measured, locatedAt } = byId.get(one.id)!;
          const since =
            one.source === "measured"
              ? { at: measured!.at, staleAt: measured!.staleAt }
              : locatedAt && { at: locatedAt };
          return geometry
            ? [
                {
                  id: one.id,
                  rev,
                  updatedAt,
                  compartments,
                  name: one.name,
                  kind,
                  status: one.source,
                  geometry,
                  ...since,
                },
              ]
            : [];
        });
      },
    }),

    "coverages.measure": endpoint({
      rest: "POST /:id/coverage",
      summary: "File what a sensor covers, as it was measured",
      permit: "signed-in",
      within: reporting,
      on: Sensor,
      when: mayOutside(REPORT),
      body: {
        coverage: Coverage,
        staleAt: Instant.describe("Until then it holds; what was planned holds again."),
        at: Instant.optional().describe("When it was measured; now, unless said otherwise."),
      },
      returns: data(Sensor.view),
      status: 201,
      errors: { 422: IMPOSSIBLE },
      example: { coverage: { shape: "radius", range: 8_000 }, staleAt: "2099-01-01T00:00:00Z" },
      description: "Of two the one that was measured later holds.",
      async handler(ctx, sensor) {
        const { staleAt, at = iso(this.world.clock.now()) } = ctx.params;
        demandPast(this, at);
        if (staleAt <= at) throw invalid([{ path: "staleAt", message: "It holds for a while: later than `at`." }]);
        const coverage = await coverageOf("coverage", ctx.params.coverage);
        return reported(this, ctx, sensor, ({ measured }) =>
          measured && measured.at > at ? {} : { measured: { coverage, at, staleAt, by: ctx.meta.actor!.userId } },
        );
      },
    }),

    "coverages.get": endpoint({
      rest: "GET /coverage/:missionId",
      summary: "Show what ground the sensors cover for a mission, and where they do not",
      permit: READ,
      path: { missionId: TextId },
      returns: data(MissionCoverage),
      tool: "show_coverage",
      description: `The union of what the active sensors of its problem set cover that you see, at most ${MOST_UNITED}, on an equal-area plane. Without an \`area\` of the mission the percentage and the gaps are null.`,
      async handler(ctx) {
        const { missionId } = ctx.params;
        const { problemSetId, area } = await placeOfMission(ctx, missionId);
        const now = this.world.clock.now();
        const found = await this.store(Sensor).find(ctx, { problemSetId }, { sort: ["-createdAt"], limit: 2_000 });
        const { covering, leftOut } = partition(found, now);
        const covered = await inTurns(coveredBy(covering, area as never));
        const byId = new Map(covering.map((one) => [one.id, one]));
        return {
          ...covered,
          missionId,
          at: iso(now),
          sensors: covered.sensors.map(({ id, km2 }) => ({
            id,
            name: byId.get(id)!.name,
            source: byId.get(id)!.source,
            km2,
          })),
          leftOut,
        };
      },
    }),

    "fixes.list": endpoint({
      rest: "GET /:id/track",
      summary: "List where a sensor was, the newest first",
      permit: READ,
      within: reading,
      on: Sensor,
      beyond: true,
      query: { cursor: z.string().max(400).optional(), limit: paging.limit },
      returns: list(z.object({ at: Instant, location: Location }), CursorMeta),
      async handler(ctx, sensor) {
        const { limit, cursor } = ctx.params;
        const { data: found, meta } = await this.store(Fix).feed(
          ctx,
          { limit, order: "-at", ...(cursor !== undefined && { cursor }) },
          { ...alikeIn(sensor), sensorId: sensor.id },
        );
        return { data: found, meta };
      },
    }),
  },
} satisfies MeshService;

/** A place of the track; one a moment, however often it is reported. */
async function note(host: Host, ctx: Ctx<unknown>, sensor: Sensor, at: string, location: Where): Promise<void> {
  const id = derivedId(`fix of ${sensor.id}: ${at}`);
  await host.store(Fix).createOnce(ctx, { id, ...placeOf(sensor), sensorId: sensor.id, at, location });
}

type United = Covering & { name: string; source: "planned" | "measured" };
type Reason = z.output<typeof LeftOut>["reason"];

/** Which sensors cover something now, and why the others do not. */
function partition(
  sensors: readonly Sensor[],
  now: number,
  most = MOST_UNITED,
): { covering: United[]; leftOut: { id: string; reason: Reason }[] } {
  const covering: United[] = [];
  const leftOut: { id: string; reason: Reason }[] = [];
  for (const sensor of sensors) {
    const { id, name, location } = sensor;
    const status = statusAt(sensor, now);
    const covers = coverageAt(sensor, now);
    if (status !== "active") leftOut.push({ id, reason: status });
    else if (!covers) leftOut.push({ id, reason: "no-coverage" });
    else if (covers.coverage.shape !== "polygon" && !location) leftOut.push({ id, reason: "no-location" });
    else if (covering.length >= most) leftOut.push({ id, reason: "too-many" });
    else covering.push({ id, name, location, ...covers });
  }
  return { covering, leftOut };
}
