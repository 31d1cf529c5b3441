import { z } from "zod";
import { actorOf, type Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { conflict, notFound } from "../../../../core/problem.ts";
import { paging, TextId } from "../../../../core/records/entity.ts";
import { askedOutside, mayOutside, outsideAlone } from "../../place.ts";
import { SourceChanged } from "../events.ts";
import { pictureOf } from "../pictures.ts";
import { namesOfLayers } from "../layers/naming.ts";
import { Linkage, LinkageView } from "./linkages.ts";

const set = "problemSetId";
const LINK = "cop:link";
const reading = { set, may: "cop:read" };
const inSet = { problemSetId: TextId.optional(), ...paging };

/** Linkages with the names of the layers that show the features. */
async function named(host: Host, caller: Caller, linkages: readonly Linkage[]) {
  const names = await namesOfLayers(
    host,
    caller,
    linkages.map(({ layerId }) => layerId),
  );
  return linkages.map((one) => ({ ...one, layer: names.get(one.layerId) }));
}

const DECIDED = { approve: "approved", reject: "rejected", reopen: "pending" } as const;

/** Throws 409 for a second review, and for taking back what nobody decided. */
function refuseUnlessDecidable({ status }: Linkage, decision: keyof typeof DECIDED): void {
  if (decision === "reopen" && status === "pending") throw conflict("Nobody has decided about the linkage.");
  if (decision !== "reopen" && status !== "pending")
    throw conflict(`The linkage was ${status} before: \`reopen\` takes that back.`);
}

export const linkageActions = {
  "linkages.listPending": endpoint({
    rest: "GET /linkages/pending",
    summary: "List unreviewed linkages of features to records, most likely first",
    permit: "signed-in",
    within: reading,
    query: {
      ...inSet,
      ...outsideAlone,
      status: z.enum(["pending", "approved", "rejected"]).default("pending").describe("Those decided so, instead."),
    },
    returns: list(LinkageView),
    async handler(ctx) {
      const { problemSetId, outside, status, ...page } = ctx.params;
      const place = askedOutside(ctx.meta.actor!, { outside, problemSetId });
      const also = { status, ...place, ...(problemSetId !== undefined && { problemSetId }) };
      const found = await this.store(Linkage).page(ctx, { ...page, sort: "-probability" }, also);
      return { ...found, data: await named(this, ctx, found.data) };
    },
  }),

  "linkages.review": endpoint({
    rest: "POST /linkages/:id/review",
    summary: "Approve or reject a linkage, or take either back",
    permit: "signed-in",
    within: { set, may: LINK },
    on: Linkage,
    when: mayOutside(LINK),
    body: { decision: z.enum(["approve", "reject", "reopen"]), note: z.string().max(4_000).optional() },
    returns: data(LinkageView),
    description:
      "From approval on, the feature counts as a report of the record: contradictions between both are told. A " +
      "rejected linkage is not proposed again until its evidence changes. `reopen` takes the decision back: the " +
      "linkage is pending again, and the feature no report of the record any longer.",
    errors: { 409: "Somebody has reviewed it before; or nobody has whose decision could be taken back." },
    example: { decision: "approve", note: "Both name the same bridge." },
    async handler(ctx, linkage) {
      const { decision, note } = ctx.params;
      refuseUnlessDecidable(linkage, decision);
      const made = await this.store(Linkage).revise(ctx, linkage, {
        status: DECIDED[decision],
        ...(decision === "reopen"
          ? { reviewedBy: null, reviewedAt: null }
          : { reviewedBy: actorOf(ctx), reviewedAt: iso(this.world.clock.now()) }),
        note: note ?? null,
      });
      // What is one from now on, or is no longer, contradicts itself or does not.
      if ([made.status, linkage.status].includes("approved"))
        void SourceChanged.emit(this, { picture: pictureOf(made), isMade: true });
      return (await named(this, ctx, [made]))[0]!;
    },
  }),

  "linkages.listOfEntity": endpoint({
    rest: "GET /linkages/entity/:entityId",
    summary: "List the linkages of a record, most likely first",
    permit: "signed-in",
    within: reading,
    path: { entityId: TextId },
    query: inSet,
    returns: list(LinkageView),
    description: "A record without linkages that you may see is answered 404, like one that does not exist.",
    async handler(ctx) {
      const { problemSetId, entityId, ...page } = ctx.params;
      const also = { entityId, ...(problemSetId !== undefined && { problemSetId }) };
      const found = await this.store(Linkage).page(ctx, { ...page, sort: "-probability" }, also);
      if (found.meta.total === 0) throw notFound("record with linkages", entityId);
      return { ...found, data: await named(this, ctx, found.data) };
    },
  }),
};
