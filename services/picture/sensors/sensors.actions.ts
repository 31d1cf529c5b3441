import { z } from "zod";
import { asSystem, type Ctx } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import { bare, data, list, nothing } from "../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { asPlacesQuery, PlacedRecord, placesAskedAnywhere } from "../../../core/geo/placed.ts";
import { isNotFound, nullIf, unprocessable } from "../../../core/problem.ts";
import { Instant } from "../../../core/records/entity.ts";
import { pageSomewhere, placeParameters } from "../place-search.ts";
import { askedOutside, factsInSet, mayOutside, outsideAlone, placeFor, placeOf, type NamedRecord } from "../place.ts";
import { placedPoint } from "../placed.ts";
import { mountOn } from "./carried.ts";
import { holdResource, releaseResource } from "../resources/client.ts";
import { cellAt, Location } from "../location.ts";
import { SensorEnrolled, SensorGone, SensorRemoved, SensorStatusChanged } from "./events.ts";
import { coverageOf, demandPast, notePosition, reported, sensorView, tellChange } from "./reports.ts";
import { expectedAnew, Fix, REPORTED, seen, Sensor, statusAt } from "./sensors.ts";

const set = "problemSetId";
export const READ = "sensors:read";
const EDIT = "sensors:edit";
export const REPORT = "sensors:report";
export const reading = { set, may: READ };
const editing = { set, may: EDIT };
export const reporting = { set, may: REPORT };
export const IMPOSSIBLE = "Rings of the area cross, or have none (`IMPOSSIBLE_AREA`).";
const ELSEWHERE = `The resource lies in another problem set, or further in than the sensor (\`OTHER_PLACE\`). ${IMPOSSIBLE}`;

const holdBy = (ctx: Ctx<unknown>, { id, name, ...place }: NamedRecord, resourceId: string): Promise<null> =>
  holdResource(ctx, { resourceId, type: "sensor", by: id, name, ...placeOf(place) });

/** Notes at a resource that a sensor uses it. Throws 422 for one that not all see who see the sensor. */
async function demandResource(ctx: Ctx<unknown>, sensor: NamedRecord, resourceId: string): Promise<void> {
  await holdBy(ctx, sensor, resourceId).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    throw unprocessable("OTHER_PLACE", "A sensor belongs to a resource of its own problem set.", [
      {
        path: "resourceId",
        message: "There is no such resource in the problem set of the sensor, in no compartment that it is not in.",
      },
    ]);
  });
}

/** A sensor where the resource is that it was just given to. */
async function withCarrier(host: Host, ctx: Ctx<unknown>, sensor: Sensor): Promise<Sensor> {
  await mountOn(host, sensor);
  return host.store(Sensor).get(ctx, sensor.id);
}

export const sensorActions = {
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
        { facts: (one: Sensor) => factsInSet(SensorEnrolled, one, actor.userId) },
      );
      if (resourceId !== undefined)
        await demandResource(ctx, made, resourceId).catch(async (error: unknown) => {
          await store.remove(ctx, made);
          throw error;
        });
      if (location) await notePosition(this, ctx, made, at, location);
      const shown = !location && resourceId !== undefined ? await withCarrier(this, ctx, made) : made;
      await tellChange(this, shown);
      return shown;
    },
  }),

  list: endpoint({
    rest: "GET /",
    summary: "List the sensors",
    permit: READ,
    within: reading,
    query: { ...Sensor.query, ...outsideAlone, ...placeParameters },
    returns: list(Sensor.view),
    tool: "list_sensors",
    description: "A sensor is silent when three of its reports have not come.",
    async handler(ctx) {
      const { outside, ...asked } = ctx.params;
      const place = askedOutside(ctx.meta.actor!, { outside, ...asked });
      const { data: found, meta } = await pageSomewhere(this.store(Sensor), ctx, asked, place);
      const now = this.world.clock.now();
      return { data: found.map((sensor) => sensorView(sensor, now)), meta };
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
      return sensorView(sensor, this.world.clock.now());
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
      const named = { ...sensor, name: rest.name ?? sensor.name };
      if (resourceId) await demandResource(ctx, named, resourceId);
      // Its resource names it by what it is called now, if that is still there.
      else if (resourceId === undefined && sensor.resourceId !== undefined && named.name !== sensor.name)
        await holdBy(ctx, named, sensor.resourceId).catch(nullIf(isNotFound));
      const now = this.world.clock.now();
      const at = iso(now);
      const { heartbeatSeconds } = rest;
      const change = {
        ...rest,
        coverage: read,
        resourceId,
        ...(heartbeatSeconds !== undefined && expectedAnew({ ...sensor, heartbeatSeconds }, now)),
        ...(location !== undefined && { location, cell: location && cellAt(location), locatedAt: location && at }),
      };
      const made = await this.store(Sensor).revise(ctx, sensor, change, {
        facts: (one: Sensor) =>
          one.status === sensor.status
            ? []
            : factsInSet(SensorStatusChanged, one, ctx.meta.actor!.userId, { status: one.status }),
      });
      if (location) await notePosition(this, ctx, sensor, at, location);
      if (resourceId !== undefined && sensor.resourceId !== undefined && resourceId !== sensor.resourceId)
        await releaseResource(this, { resourceId: sensor.resourceId, by: sensor.id });
      const isCarriedAnew = resourceId && resourceId !== sensor.resourceId && location === undefined;
      const shown = isCarriedAnew ? await withCarrier(this, ctx, made) : made;
      await tellChange(this, shown);
      return sensorView(shown, now);
    },
  }),

  setStatus: endpoint({
    rest: "PATCH /:id/status",
    summary: "Send a sensor's heartbeat and state",
    permit: "signed-in",
    within: reporting,
    on: Sensor,
    when: mayOutside(REPORT),
    body: {
      status: z.enum(REPORTED).optional().describe("As it was, unless said otherwise: a heartbeat."),
      at: Instant.optional().describe("When; now, unless said otherwise."),
    },
    returns: data(Sensor.view),
    description:
      "Every report (this one, a position, a coverage) counts as a heartbeat; readings of its resource do not. " +
      "A sensor that misses three in a row is `silent` until the next one. Nothing is expected of a sensor that is `off`. A state " +
      "that was reported for a later moment stays.",
    handler(ctx, sensor) {
      const { status, at } = ctx.params;
      if (at !== undefined) demandPast(this, at);
      const now = iso(this.world.clock.now());
      const moment = at !== undefined && at < now ? at : now;
      const change = ({ reportedAt }: Sensor): object =>
        status === undefined || (reportedAt !== undefined && reportedAt > moment)
          ? {}
          : { reported: status, reportedAt: moment };
      return reported(this, ctx, sensor, change, at);
    },
  }),

  setLocation: endpoint({
    rest: "PATCH /:id/location",
    summary: "Report the position of a sensor",
    permit: "signed-in",
    within: reporting,
    on: Sensor,
    when: mayOutside(REPORT),
    body: { ...Location.shape, at: Instant.optional().describe("When; now, unless said otherwise.") },
    returns: data(Sensor.view),
    description: "Added to its track. A position older than the current one is added to the track only.",
    example: { latitude: 51.44, longitude: -0.5, altitude: 22 },
    async handler(ctx, sensor) {
      const { at = iso(this.world.clock.now()), ...location } = ctx.params;
      demandPast(this, at);
      await notePosition(this, ctx, sensor, at, location);
      return reported(this, ctx, sensor, ({ locatedAt }) =>
        locatedAt === undefined || locatedAt <= at ? { location, cell: cellAt(location), locatedAt: at } : {},
      );
    },
  }),

  remove: endpoint({
    rest: "DELETE /:id",
    summary: "Remove a sensor and its track",
    permit: "signed-in",
    within: editing,
    on: Sensor,
    when: mayOutside(EDIT),
    returns: nothing(),
    status: 204,
    async handler(ctx, sensor) {
      const gone = SensorGone.fact(sensor.id, sensor);
      await this.store(Sensor).remove(ctx, sensor, {
        facts: [...factsInSet(SensorRemoved, sensor, ctx.meta.actor!.userId), gone],
      });
      await this.store(Fix).removeAll(asSystem("sensors"), { sensorId: sensor.id });
      if (sensor.resourceId !== undefined)
        await releaseResource(this, { resourceId: sensor.resourceId, by: sensor.id });
      await tellChange(this, sensor);
      return null;
    },
  }),

  /** What the picture shows of sensors: those with a place. */
  placed: endpoint({
    summary: "The sensors of a problem set that have a place, or those of them that changed since",
    permit: "internal",
    body: placesAskedAnywhere,
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
};
