import { upTo } from "../../../../core/text/cutting.ts";
import { z } from "zod";
import { iso } from "../../../../core/clock.ts";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { Instant, TextId } from "../../../../core/records/entity.ts";
import { EVERYBODY, OsintItem, OsintSource, RELIABILITIES } from "./sources.ts";

const MOST_ITEMS = 200;
const LONGEST = 10_000;

const Material = z.object({
  id: TextId,
  sourceId: TextId,
  source: z.string(),
  reliability: z.enum(RELIABILITIES),
  title: z.string(),
  text: z.string(),
  url: z.string().optional(),
  at: Instant,
});

export const materialActions = {
  "osintItems.newest": endpoint({
    summary: "The newest material of OSINT sources that the caller sees, and all who see a place in a problem set",
    permit: "signed-in",
    body: {
      problemSetId: TextId,
      compartments: z.array(TextId).max(100),
      from: Instant.optional(),
      to: Instant.optional(),
    },
    returns: data(z.array(Material)),
    async handler(ctx) {
      const { problemSetId, compartments, from = "", to = iso(this.world.clock.now()) } = ctx.params;
      const items = this.store(OsintItem);
      const newest = { sort: ["-createdAt"], limit: MOST_ITEMS };
      const found = (
        await Promise.all([items.find(ctx, { problemSetId }, newest), items.find(ctx, { audience: EVERYBODY }, newest)])
      ).flat();
      const material = found
        .filter((item) => item.compartments.every((id) => compartments.includes(id)))
        .map(({ publishedAt, createdAt, ...item }) => ({ ...item, at: publishedAt ?? createdAt }))
        .filter(({ at }) => at >= from && at <= to);
      const sources = await this.store(OsintSource).many(ctx, [...new Set(material.map(({ sourceId }) => sourceId))]);
      const names = new Map(sources.map(({ id, name }) => [id, name]));
      return material.map(({ id, sourceId, reliability, title, text, url, at }) => ({
        ...{ id, sourceId, reliability, title, at, text: upTo(LONGEST, text) },
        source: names.get(sourceId) ?? sourceId,
        ...(url !== undefined && { url }),
      }));
    },
  }),
};
