import { z } from "zod";
import { actorOf, type Caller } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { refuseUnless } from "../../../../core/records/keeping/lifecycle.ts";
import { askedOutside, mayOutside, outsideAlone } from "../../place.ts";
import { namesOfLayers } from "../layers/naming.ts";
import { Conflict, ConflictView, FROM } from "./conflicts.ts";
import { tellConflicts } from "./telling.ts";

const set = "problemSetId";
const REVIEW = "cop:review";
const decided = {
  permit: "signed-in",
  within: { set, may: REVIEW },
  on: Conflict,
  when: mayOutside(REVIEW),
  body: { reason: z.string().trim().min(3).max(4_000) },
  returns: data(ConflictView),
  beyond: true,
} as const;

/** Conflicts with the names of the layers that contradict one another. */
async function named(host: Host, caller: Caller, conflicts: readonly Conflict[]) {
  const names = await namesOfLayers(
    host,
    caller,
    conflicts.flatMap(({ features }) => features.map(({ layerId }) => layerId)),
  );
  return conflicts.map((one) => ({
    ...one,
    features: one.features.map((feature) => ({ ...feature, layer: names.get(feature.layerId) })),
  }));
}

export const conflictActions = {
  "conflicts.list": endpoint({
    rest: "GET /conflicts",
    summary: "List contradictions between what layers on the COP show",
    permit: "signed-in",
    within: { set, may: "cop:read" },
    query: { ...Conflict.query, ...outsideAlone },
    returns: list(ConflictView),
    tool: "list_conflicts",
    description:
      "Lists open ones unless `state` says otherwise: a conflict that ceased is `cleared`, and reopens " +
      "if it returns. The evidence is from when it was found, or last changed by a step.",
    async handler(ctx) {
      const { outside, ...asked } = ctx.params;
      const { problemSetId, state = "open" } = asked;
      const place = askedOutside(ctx.meta.actor!, { outside, problemSetId });
      const page = await this.store(Conflict).page(ctx, { ...asked, state }, place);
      return { ...page, data: await named(this, ctx, page.data) };
    },
  }),

  "conflicts.resolve": endpoint({
    rest: "POST /conflicts/:id/resolve",
    summary: "Mark a contradiction as resolved, until its evidence changes",
    ...decided,
    description:
      "It reopens, with this reason kept, if it ceased and returned, or if its evidence changes by a " +
      "step: another severity, value or identity, twice the distance, or a tenth more or less of a " +
      "shared area.",
    errors: { 409: "It is not open." },
    example: { reason: "The battalion's report holds; the radio's is of yesterday." },
    async handler(ctx, conflict) {
      refuseUnless(FROM.resolve, conflict.state, "resolve");
      const made = await this.store(Conflict).revise(ctx, conflict, {
        state: "resolved",
        resolvedBy: actorOf(ctx),
        resolvedAt: iso(this.world.clock.now()),
        reason: ctx.params.reason,
      });
      await tellConflicts(this, { ended: [made] });
      return (await named(this, ctx, [made]))[0]!;
    },
  }),

  "conflicts.waive": endpoint({
    rest: "POST /conflicts/:id/waive",
    summary: "Waive a contradiction",
    ...decided,
    description: "Permanent: it is not reopened, whatever happens to its evidence.",
    errors: { 409: "It is neither open nor resolved." },
    example: { reason: "Agreed between both staffs on the radio." },
    async handler(ctx, conflict) {
      refuseUnless(FROM.waive, conflict.state, "waive");
      const made = await this.store(Conflict).revise(ctx, conflict, {
        state: "waived",
        waivedBy: actorOf(ctx),
        reason: ctx.params.reason,
      });
      await tellConflicts(this, { ended: [made] });
      return (await named(this, ctx, [made]))[0]!;
    },
  }),
};
