import { z } from "zod";
import { data } from "../../../../core/contract/answer.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import {
  CONTENTS,
  dividedDomains,
  type Contents,
  type CompartmentPlace,
} from "../../../../core/records/keeping/contents.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { forbidden, notFound } from "../../../../core/problem.ts";
import { commonsOf } from "../../../../mixins/domain.mixin.ts";
import { ProblemSet } from "../sets/sets.ts";
import { CLOSING_DAYS, dissolve, isReadIn, restore, RESTORABLE_DAYS, mergeTarget } from "./closing.ts";
import { isManager, manages, refuseElsewhere } from "./compartments.actions.ts";
import { Compartment, CompartmentView, DissolvedView, Lying } from "./compartments.ts";

const inPath = { on: Compartment, by: "cid", path: { id: TextId } } as const;

/** How a compartment comes to its end, and back. */
export const closingActions = {
  "compartments.dissolve": endpoint({
    rest: "DELETE /:id/compartments/:cid",
    summary: "Dissolve a compartment",
    permit: "signed-in",
    ...inPath,
    within: manages,
    query: {
      records: z
        .enum(["close", "move"])
        .default("close")
        .describe(
          "What happens to its records. `close`: nobody sees them any longer. `move`: whoever is read into " +
            "`to` sees them.",
        ),
      to: TextId.optional().describe("With `move`: another compartment of the problem set."),
    },
    returns: data(DissolvedView),
    accepted: ({ status }) => status === "active",
    description:
      "Among those who manage compartments, a person who is read in can do this directly, and is told how many " +
      "records of which kinds are affected. A person who is not read in requests it (202, `closing`), and a second " +
      `manager makes the same call within ${CLOSING_DAYS} days; neither is told what lies there. Moving records ` +
      "requires a person who is read into both. Nobody is read into it again unless it is restored, " +
      `within ${RESTORABLE_DAYS} days.`,
    errors: { 403: "Moving needs somebody who is read into both compartments." },
    async handler(ctx, compartment) {
      const { id, records, to } = ctx.params;
      refuseElsewhere(id, compartment, Compartment.title);
      const found = isReadIn(ctx, compartment) ? await contentsOf(this, ctx, compartment) : null;
      if (compartment.status === "dissolved") return { ...compartment, records: found };
      const target = records === "move" ? await mergeTarget(this, ctx, compartment, to) : undefined;
      return { ...(await dissolve(this, ctx, compartment, target)), records: found };
    },
  }),

  "compartments.restore": endpoint({
    rest: "POST /:id/compartments/:cid/restore",
    summary: "Restore a dissolved compartment, or cancel its dissolution",
    permit: "signed-in",
    beyond: true,
    ...inPath,
    within: manages,
    returns: data(CompartmentView),
    description:
      `Possible within ${RESTORABLE_DAYS} days. It returns to its former state: its members are read in ` +
      `again, unless they were read out or left the set meanwhile, and the people its records were ` +
      `moved to no longer see them. Repeating it is harmless.`,
    errors: {
      403: "What was moved is taken back by somebody who is read into the compartment it was moved to.",
      409: "It was dissolved too long ago.",
    },
    async handler(ctx, compartment) {
      refuseElsewhere(ctx.params.id, compartment, Compartment.title);
      return restore(this, ctx, compartment);
    },
  }),

  "compartments.listContents": endpoint({
    rest: "GET /:id/compartments/:cid/contents",
    summary: "Count the records in a compartment by kind",
    permit: "signed-in",
    beyond: true,
    ...inPath,
    within: { set: "problemSetId", may: "compartments:read" },
    returns: data(z.array(Lying)),
    description:
      "Lists them in this problem set and those directly below it that you are in, including those of " +
      "records in other compartments that you can see. For readers only: even the number reveals what " +
      "lies there.",
    errors: { 403: "You manage compartments, and are not read into this one." },
    async handler(ctx, compartment) {
      refuseElsewhere(ctx.params.id, compartment, Compartment.title);
      if (isReadIn(ctx, compartment)) return contentsOf(this, ctx, compartment);
      if (!isManager(ctx, compartment.problemSetId)) throw notFound(Compartment.title, compartment.id);
      throw forbidden("What lies in a compartment is told to those who are read into it.");
    },
  }),
};

/**
 * How many records of which kinds lie in a compartment, in its set and those below it that the caller is in; as far as
 * they see them. Throws where a domain cannot be reached: less than everything would be no answer.
 */
async function contentsOf(host: Host, ctx: Ctx<unknown>, { id, problemSetId }: Compartment): Promise<Contents[]> {
  const below = await host.store(ProblemSet).find(ctx, { parentId: problemSetId }, { fields: ["parentId"] });
  const domains = dividedDomains(commonsOf(host.broker).services);
  const sets = [problemSetId, ...below.map((set) => set.id)];
  const places = sets.flatMap((set) => domains.map((name) => [name, set] as const));
  const found = await Promise.all(
    places.map(([name, set]) =>
      ctx.call<Contents[], CompartmentPlace>(`${name}.${CONTENTS}`, { problemSetId: set, compartment: id }),
    ),
  );
  const kinds = Map.groupBy(found.flat(), ({ kind }) => kind);
  return [...kinds]
    .map(([kind, counted]) => ({ kind, count: counted.reduce((sum, { count }) => sum + count, 0) }))
    .sort((a, b) => (a.kind < b.kind ? -1 : 1));
}
