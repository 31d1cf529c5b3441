import { z } from "zod";
import { iso } from "../../../core/clock.ts";
import { bare, data } from "../../../core/contract/answer.ts";
import { endpoint } from "../../../core/contract/endpoint.ts";
import { asPlacesQuery, PlacedRecord, placesAskedAnywhere } from "../../../core/geo/placed.ts";
import { invalid } from "../../../core/problem.ts";
import { Figure, Instant, TextId } from "../../../core/records/entity.ts";
import { inTurns } from "../../../core/work/turns.ts";
import { placeOfMission } from "../../workspace/missions/client.ts";
import { mayOutside } from "../place.ts";
import { Covered, coveredBy, drawnGround, type Covering } from "./coverage.ts";
import { coverageOf, demandPast, reported } from "./reports.ts";
import { IMPOSSIBLE, READ, REPORT, reporting } from "./sensors.actions.ts";
import { Coverage, coverageAt, Sensor, statusAt } from "./sensors.ts";

/** Sensors that are united for one mission; more are told of by number. */
const MOST_UNITED = 500;

const LeftOut = z.object({
  id: z.string(),
  name: z.string(),
  reason: z.enum(["degraded", "silent", "off", "no-location", "no-coverage", "too-many"]),
});
const MissionCoverage = Covered.extend({
  missionId: z.string(),
  at: Instant,
  sensors: z.array(
    z.object({ id: z.string(), name: z.string(), source: z.enum(["planned", "measured"]), km2: Figure }),
  ),
  leftOut: z.array(LeftOut).describe("Sensors that you see and that cover nothing now, and why."),
}).meta({ id: "MissionCoverage" });

type United = Covering & { name: string; source: "planned" | "measured" };

/** Which sensors cover something now, and why the others do not. */
function partition(
  sensors: readonly Sensor[],
  now: number,
  most = MOST_UNITED,
): { covering: United[]; leftOut: z.output<typeof LeftOut>[] } {
  const covering: United[] = [];
  const leftOut: z.output<typeof LeftOut>[] = [];
  for (const sensor of sensors) {
    const { id, name, location } = sensor;
    const status = statusAt(sensor, now);
    const covers = coverageAt(sensor, now);
    if (status !== "active") leftOut.push({ id, name, reason: status });
    else if (!covers) leftOut.push({ id, name, reason: "no-coverage" });
    else if (covers.coverage.shape !== "polygon" && !location) leftOut.push({ id, name, reason: "no-location" });
    else if (covering.length >= most) leftOut.push({ id, name, reason: "too-many" });
    else covering.push({ id, name, location, ...covers });
  }
  return { covering, leftOut };
}

export const coverageActions = {
  /** What the picture shows of coverage: the ground under sensors that are active. */
  covered: endpoint({
    summary: "What ground the active sensors of a problem set cover, or those of them that changed since",
    permit: "internal",
    body: placesAskedAnywhere,
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
          one.source === "measured" ? { at: measured!.at, staleAt: measured!.staleAt } : locatedAt && { at: locatedAt };
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
    summary: "Record the measured coverage of a sensor",
    permit: "signed-in",
    within: reporting,
    on: Sensor,
    when: mayOutside(REPORT),
    body: {
      coverage: Coverage,
      staleAt: Instant.describe("Valid until then; afterwards the planned coverage applies again."),
      at: Instant.optional().describe("When it was measured; now, unless said otherwise."),
    },
    returns: data(Sensor.view),
    status: 201,
    errors: { 422: IMPOSSIBLE },
    example: { coverage: { shape: "radius", range: 8_000 }, staleAt: "2099-01-01T00:00:00Z" },
    description: "The later measurement is in force.",
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
    summary: "Show the sensor coverage of a mission and its gaps",
    permit: READ,
    path: { missionId: TextId },
    returns: data(MissionCoverage),
    errors: { 422: "Borders cross each other too often to be measured." },
    tool: "show_coverage",
    description:
      "The union of the coverage of the active sensors in its problem set that you can see, at most " +
      `${MOST_UNITED}, true to area on the ellipsoid. If the mission has no \`area\`, the percentage and the gaps are null.`,
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
};
