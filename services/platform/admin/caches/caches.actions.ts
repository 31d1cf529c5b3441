import { z } from "zod";
import { CACHE_SCOPES } from "../../../../core/caches.ts";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { askAllNodes, DROPS } from "../../../../core/contract/node.ts";
import { invalid } from "../../../../core/problem.ts";

const SILENT_MS = 2_000;
const LEAST_LITERAL = 3;

const Key = z.string().min(1).max(300);
const Dropped = z
  .object({
    count: z.int().describe("Entries that were dropped, on all nodes that answered."),
    nodes: z.array(z.object({ node: z.string(), count: z.int().nullable().describe("Null of one that was silent.") })),
    complete: z.boolean().describe("A node that was silent for two seconds drops all once it is back."),
  })
  .meta({ id: "CacheInvalidation" });

/** Writes down who has dropped: whoever is not among them finds it, and drops all. */
async function writeDown(host: Host, nodes: readonly string[]): Promise<void> {
  const drops = await host.world.documents.collection(DROPS.collection);
  await drops.bulk([{ update: { _id: DROPS.id }, with: { $set: { nodes }, $inc: { rev: 1 } }, upsert: true }]);
}

export const cacheActions = {
  "caches.invalidate": endpoint({
    rest: "POST /cache/invalidate",
    summary: "Clear cached entries on all nodes",
    permit: "platform:administer",
    audit: "admin",
    body: {
      keys: z.array(Key).min(1).max(1_000).optional().describe("Complete keys, such as `names:<person>`."),
      pattern: Key.refine(
        (pattern) => pattern.replaceAll("*", "").length >= LEAST_LITERAL,
        `A pattern has ${LEAST_LITERAL} signs at least that are no \`*\`.`,
      )
        .optional()
        .describe("A pattern of keys in which `*` stands for anything."),
      scope: z
        .enum([...CACHE_SCOPES, "all"])
        .optional()
        .describe("A kind of entries."),
    },
    returns: data(Dropped),
    example: { scope: "names" },
    description:
      "Exactly one of `keys`, `pattern` and `scope`. Keys are `names:<person>`, `actors:<person>` (the " +
      "person's credentials) and `models:<address>`.",
    async handler(ctx) {
      if (Object.values(ctx.params).filter((one) => one !== undefined).length !== 1)
        throw invalid([{ path: "", message: "Give exactly one of keys, pattern and scope." }]);
      const said = await askAllNodes<{ count: number }>(this.broker, "drop", ctx.params, SILENT_MS);
      await writeDown(
        this,
        said.filter(({ answer }) => answer).map(({ node }) => node),
      );
      return {
        count: said.reduce((sum, { answer }) => sum + (answer?.count ?? 0), 0),
        nodes: said.map(({ node, answer }) => ({ node, count: answer?.count ?? null })),
        complete: said.every(({ answer }) => answer !== undefined),
      };
    },
  }),
};
