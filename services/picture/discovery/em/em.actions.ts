import { z } from "zod";
import { SWEEPS } from "../../../../adapters/discovery/port.ts";
import { data, nothing } from "../../../../core/contract/answer.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { iso } from "../../../../core/clock.ts";
import { Instant } from "../../../../core/records/entity.ts";
import { mayOutside } from "../../place.ts";
import { askedPlace, DECIDE, deciding, inspecting, placeQuery, watchedFor } from "../reach.ts";
import { configsOf } from "../scanner/configs.ts";
import { stateNow } from "../scanner/scanner.ts";
import { FrequencyHz, summaries, TRENDS, WINDOW_MS } from "./bands.ts";
import { Emission, Emitter, NodeInterfaces } from "./emissions.ts";

const MESH = asSystem("discovery");
const MOST_READ = 20_000;
const MOST_EMITTERS_READ = 200;
/** A node that has not said so for longer is not there. */
const FRESH_MS = 300_000;

const BandView = z
  .object({
    band: z.string(),
    lowHz: z.number(),
    highHz: z.number().describe("Belongs to the next band."),
    emissions: z.int(),
    meanPowerDbm: z.number().nullable().describe("Averaged in milliwatts."),
    peakPowerDbm: z.number().nullable(),
    occupancy: z.number().describe("The part of the band that at least one emission covers, 0 to 1."),
    trend: z.enum(TRENDS).describe("The mean power against that of the five minutes before; `steady` within 1 dB."),
    changeDb: z.number().nullable(),
  })
  .meta({ id: "BandSummary" });
const Snapshot = z
  .object({
    at: Instant,
    from: Instant,
    bands: z.array(BandView),
    total: z.int().describe("Emissions in these five minutes, also outside of all bands."),
    more: z
      .literal(true)
      .optional()
      .describe(`There were more than ${MOST_READ} in ten minutes: the newest are told of.`),
    sources: z.array(z.string()),
  })
  .meta({ id: "SpectrumSnapshot" });

const Footprint = z
  .object({
    at: Instant,
    nodes: z.array(
      NodeInterfaces.record.pick({ node: true, at: true, interfaces: true }).describe("Network interfaces of a node."),
    ),
    emitters: z.array(Emitter.view).describe("What was declared: POST /api/discovery/em/emitters."),
    scanning: z
      .array(z.object({ transport: z.string(), intervalSeconds: z.int(), via: z.array(z.string()) }))
      .describe("What the scanner itself transmits while it runs."),
  })
  .meta({ id: "OwnFootprint" });

export const emActions = {
  "snapshots.get": endpoint({
    rest: "GET /em/snapshot",
    summary: "Show the spectrum of the last five minutes, band by band",
    permit: "signed-in",
    within: inspecting,
    query: placeQuery,
    returns: data(Snapshot),
    tool: "show_spectrum",
    description: "Based on what collectors measured (POST /api/discovery/observations, or one of their targets).",
    async handler(ctx) {
      const now = this.world.clock.now();
      const found = await this.store(Emission).find(
        ctx,
        { ...askedPlace(ctx.meta.actor!, ctx.params), at: { $gt: iso(now - 2 * WINDOW_MS), $lte: iso(now) } },
        { sort: ["-at"], limit: MOST_READ },
      );
      const measured = found.map((one) => ({ ...one, at: Date.parse(one.at) }));
      const present = measured.filter(({ at }) => at > now - WINDOW_MS);
      return {
        at: iso(now),
        from: iso(now - WINDOW_MS),
        bands: summaries(measured, now),
        total: present.length,
        ...(found.length === MOST_READ && { more: true as const }),
        sources: [...new Set(present.flatMap(({ source }) => source ?? []))].sort(),
      };
    },
  }),

  "footprints.get": endpoint({
    rest: "GET /em/own-footprint",
    summary: "Show the platform's own emissions",
    permit: "signed-in",
    within: inspecting,
    query: placeQuery,
    returns: data(Footprint),
    description: "Lists interfaces of its nodes, what its scanner sends, and what was declared in this place.",
    async handler(ctx) {
      const now = this.world.clock.now();
      const place = askedPlace(ctx.meta.actor!, ctx.params);
      const [nodes, emitters, configs, state] = await Promise.all([
        this.store(NodeInterfaces).find(MESH, { at: { $gt: iso(now - FRESH_MS) } }, { sort: ["at"], limit: 200 }),
        this.store(Emitter).find(ctx, place, { sort: ["-createdAt"], limit: MOST_EMITTERS_READ }),
        configsOf(this),
        stateNow(this),
      ]);
      const own = { node: this.broker.nodeID, at: iso(now), interfaces: this.world.discovery.interfaces() };
      const isOwn = ctx.params.problemSetId === undefined;
      return {
        at: iso(now),
        nodes: isOwn ? [own, ...nodes.filter(({ node }) => node !== own.node)] : [],
        emitters,
        scanning: configs
          .filter(
            ({ transport, enabled, via }) =>
              isOwn &&
              state === "running" &&
              enabled &&
              via.length &&
              (SWEEPS as readonly string[]).includes(transport),
          )
          .map(({ transport, intervalSeconds, via }) => ({ transport, intervalSeconds, via })),
      };
    },
  }),

  "emitters.declare": endpoint({
    rest: "POST /em/emitters",
    summary: "Declare an emitter of our own",
    permit: "signed-in",
    within: deciding,
    beyond: true,
    body: { ...Emitter.create, frequencyHz: FrequencyHz },
    returns: data(Emitter.view),
    status: 201,
    example: { name: "Command post radio", frequencyHz: 46.5e6, bandwidthHz: 25e3, powerDbm: 46 },
    handler(ctx) {
      return this.store(Emitter).create(ctx, { ...ctx.params, ...watchedFor(ctx.meta.actor!, ctx.params, DECIDE) });
    },
  }),

  "emitters.remove": endpoint({
    rest: "DELETE /em/emitters/:id",
    summary: "Remove a declared emitter of our own",
    permit: "signed-in",
    within: deciding,
    on: Emitter,
    when: mayOutside(DECIDE),
    beyond: true,
    returns: nothing(),
    status: 204,
    async handler(ctx, emitter) {
      await this.store(Emitter).remove(ctx, emitter);
      return null;
    },
  }),
};
