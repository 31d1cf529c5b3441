import { z } from "zod";
import { SET_ROLE_NAMES } from "../../../../config/set-roles.ts";
import type { Caller } from "../../../../core/access/caller.ts";
import { entity, TextId, type Item } from "../../../../core/records/entity.ts";
import { event } from "../../../../core/events/event.ts";
import { HigherSetId } from "../../../../core/access/set-reference.ts";

export const ProblemSet = entity("problem-sets", {
  title: "problem set",
  collection: "problem_sets",
  fields: {
    name: z.string().trim().min(1).max(200),
    description: z.string().max(10_000).optional(),
    parentId: HigherSetId.optional().describe(
      "The problem set above this one; absent too where you are no member of that one.",
    ),
    training: z
      .boolean()
      .default(false)
      .describe("Taken from its creator's mode, for good: training and operational records never mix."),
    status: z.enum(["active", "archived"]).default("active").describe("An archived set is read, not written."),
    /** Rises whenever a change of the hierarchy checks this set; see hierarchy.ts. */
    links: z.int().default(0),
  },
  readonly: ["training", "status", "links"],
  hidden: ["links"],
  filter: ["status"],
  sort: ["name"],
  barrier: { set: "id" },
  indexes: [{ fields: ["parentId"], sparse: true }],
});
export type ProblemSet = Item<typeof ProblemSet>;

export const ProblemSetView = ProblemSet.view.meta({ id: "ProblemSet" });
/** A set among its reader's own. */
export const MySetView = ProblemSet.view
  .extend({ role: z.enum(SET_ROLE_NAMES), primary: z.boolean().describe("Whether you chose it as your primary one.") })
  .meta({ id: "MyProblemSet" });

const about = { problemSetId: TextId, by: z.string().describe("User id of who did it.") };

export const ProblemSetCreated = event(
  "workspace.problem-set.created",
  z.object({ ...about, name: z.string(), training: z.boolean(), parentId: TextId.optional() }),
  { activity: { words: ({ name }) => `The problem set "${name}" was opened.` } },
);
export const ProblemSetChanged = event(
  "workspace.problem-set.changed",
  z.object({ ...about, fields: z.array(z.string()) }),
  { activity: { words: ({ fields }) => `The problem set was changed: ${fields.join(", ")}.` } },
);
export const ProblemSetArchived = event("workspace.problem-set.archived", z.object(about), {
  activity: { words: () => "The problem set was put into the archive." },
});
export const ProblemSetRestored = event("workspace.problem-set.restored", z.object(about), {
  activity: { words: () => "The problem set was taken from the archive." },
});

/**
 * The person on a write that the mesh makes for them where they cannot see yet, or not at all: the record is theirs all
 * the same.
 */
export const onBehalfOf = (caller: Caller): Caller => ({
  meta: { ...caller.meta, actor: { ...caller.meta.actor!, omniscient: true } },
  locals: caller.locals,
  requestID: caller.requestID ?? null,
});
