import { z } from "zod";
import type { Ctx } from "../../../../core/access/caller.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import type { Query } from "../../../../core/records/documents.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { placeOfMission } from "../../../workspace/missions/client.ts";
import { askedOutside, outsideAlone } from "../../place.ts";
import { pageSomewhere, placeParameters } from "../../place-search.ts";
import { CAPABILITIES, CategoryView } from "./capabilities.ts";
import { capability, described, SearchText } from "./resource-search.ts";
import { READ, reading } from "./permits.ts";
import { Did, Resource } from "./resources.ts";

const Counts = z.record(z.string(), z.int());
export const Stats = z
  .object({
    total: z.int(),
    registered: z.int().describe("Those under a DID."),
    located: z.int(),
    byReadiness: Counts,
    byKind: Counts,
    byCapability: Counts.describe("By each code, a parent's children counted with it."),
  })
  .meta({ id: "ResourceStats" });

const DESCRIBED = "`capability` includes all below it in the tree; `bbox`, `near` and `within` match the position.";

/** The part of a query for what a mission has; 404 to a caller who does not see it. */
async function assignedTo(ctx: Ctx<unknown>, missionId: string | undefined): Promise<Query> {
  if (missionId === undefined) return {};
  const { problemSetId } = await placeOfMission(ctx, missionId);
  return { $and: [{ problemSetId, missionIds: missionId }] };
}

/** Finding and counting resources. */
export const findingActions = {
  list: endpoint({
    rest: "GET /",
    summary: "List resources by what they can do and where they are",
    permit: READ,
    within: reading,
    query: {
      ...Resource.query,
      ...outsideAlone,
      capability,
      missionId: TextId.optional().describe("Assigned to this mission."),
      ...placeParameters,
    },
    returns: list(Resource.view),
    tool: "list_resources",
    description: DESCRIBED,
    async handler(ctx) {
      const { outside, missionId, ...asked } = ctx.params;
      const place = askedOutside(ctx.meta.actor!, { outside, ...asked });
      const also = { ...described(asked), ...place, ...(await assignedTo(ctx, missionId)) };
      return pageSomewhere(this.store(Resource), ctx, asked, also);
    },
  }),

  search: endpoint({
    rest: "GET /registry/search",
    summary: "Search the registry of resources",
    permit: READ,
    within: reading,
    query: { q: SearchText, ...Resource.query, ...outsideAlone, capability, ...placeParameters },
    returns: list(Resource.view),
    tool: "search_resources",
    description: DESCRIBED,
    handler(ctx) {
      const { outside, ...asked } = ctx.params;
      const also = { ...described(asked), ...askedOutside(ctx.meta.actor!, { outside, ...asked }) };
      return pageSomewhere(this.store(Resource), ctx, asked, also);
    },
  }),

  "capabilities.list": endpoint({
    rest: "GET /registry/capabilities",
    summary: "Show the tree of capabilities",
    permit: READ,
    returns: data(z.array(CategoryView)),
    cacheSeconds: 3_600,
    handler: () => [...CAPABILITIES],
  }),

  getStats: endpoint({
    rest: "GET /registry/stats",
    summary: "Count the resources that you see",
    permit: READ,
    within: reading,
    query: { problemSetId: TextId.optional() },
    returns: data(Stats),
    async handler(ctx) {
      const store = this.store(Resource);
      const { problemSetId } = ctx.params;
      const query = store.within(ctx, problemSetId === undefined ? {} : { problemSetId });
      const { collection } = store;
      const counts = async (by: string, unwind = false): Promise<Record<string, number>> =>
        Object.fromEntries(
          (await collection.groups({ query, by, unwind })).map(({ key, count }) => [String(key), count]),
        );
      const [byReadiness, byKind, byCapability, registered, located] = await Promise.all([
        counts("readiness"),
        counts("kind"),
        counts("abilities", true),
        collection.count({ query: { $and: [query, { did: { $exists: true } }] } }),
        collection.count({ query: { $and: [query, { cell: { $exists: true } }] } }),
      ]);
      const total = Object.values(byReadiness).reduce((sum, count) => sum + count, 0);
      return { total, registered, located, byReadiness, byKind, byCapability };
    },
  }),

  lookUp: endpoint({
    rest: "GET /did/:did",
    summary: "Find a resource by its DID",
    permit: READ,
    path: { did: Did.describe("The resource's DID.") },
    returns: data(Resource.view),
    description: "The DID is one path segment, with its percent signs and slashes encoded.",
    async handler(ctx) {
      const { did } = ctx.params;
      const found = await this.store(Resource).one(ctx, { did });
      return found ?? this.store(Resource).get(ctx, did.slice(0, 64));
    },
  }),
};
