import { z } from "zod";
import type { Ctx } from "../../../../core/access/caller.ts";
import { bare, file } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { featuresOf } from "../generation/reading.ts";
import { Layer } from "../layers/layers.ts";
import { goneAfterMs, shownAt } from "../layers/staleness.ts";
import { inTurns } from "../../../../core/work/turns.ts";
import { Report } from "../reports/reports.ts";
import { cotOf, reportIdOf } from "./cot.ts";
import { kmlOf } from "./kml.ts";

const onLayer = {
  permit: "signed-in",
  within: { set: "problemSetId", may: "cop:read" },
  on: Layer,
  beyond: true,
} as const;

const FeatureCollection = z
  .object({ type: z.literal("FeatureCollection"), features: z.array(z.looseObject({ type: z.literal("Feature") })) })
  .meta({ id: "GeoJsonFile", description: "RFC 7946." });
const GEO_JSON = { ...bare(FeatureCollection), contentType: "application/geo+json" };

/** What a layer shows now, without what is gone. */
async function shown(host: Host, ctx: Ctx<unknown>, layer: Layer) {
  const { features } = await featuresOf(host, ctx, layer);
  return shownAt(features, host.world.clock.now(), goneAfterMs(host.world)).features.map(
    ({ staleness: _staleness, ...feature }) => feature,
  );
}

export const exportActions = {
  "layers.exportGeoJson": endpoint({
    rest: "GET /layers/:id/geojson",
    summary: "Export a layer as a GeoJSON file",
    ...onLayer,
    returns: GEO_JSON,
    async handler(ctx, layer) {
      return { type: "FeatureCollection" as const, features: await shown(this, ctx, layer) };
    },
  }),

  "layers.exportKml": endpoint({
    rest: "GET /layers/:id/kml",
    summary: "Export a layer as a KML file",
    ...onLayer,
    returns: file("application/vnd.google-earth.kml+xml"),
    async handler(ctx, layer) {
      return kmlOf(layer.name, await shown(this, ctx, layer));
    },
  }),

  "layers.exportCot": endpoint({
    rest: "GET /layers/:id/cot",
    summary: "Export a layer as events of Cursor on Target",
    ...onLayer,
    returns: file("application/xml"),
    description:
      "Lines and areas are represented by the middle of their bounding box. 9999999 means unknown. " +
      "Reports are exported as received, with their type, times, attributes and detail, except for " +
      "`_flow-tags_`.",
    async handler(ctx, layer) {
      const features = await shown(this, ctx, layer);
      const ids = features.map(reportIdOf).filter((id) => id !== undefined);
      const reports = new Map((await this.store(Report).many(ctx, ids)).map((one) => [one.id, one]));
      return inTurns(cotOf(layer.id, features, this.world.clock.now(), reports));
    },
  }),
};
