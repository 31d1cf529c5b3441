import { authorize, personOf } from "../../../../core/access/access.ts";
import { complaints, untaken } from "../../../../core/contract/documents/json-schema.ts";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { Problem } from "../../../../core/problem.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { agentUses, checkTools, MOST_USES, type RecordUse } from "../../agents/client.ts";
import { isPriced } from "../../model-questions.ts";
import { suitePlace } from "../place.ts";
import { ValidationRun } from "../runs/runs.ts";
import { faultsIn, type Case, type CaseAssertion } from "./cases.ts";
import { Suite } from "./suites.ts";

const set = "problemSetId";
const editing = { set, may: "validation:run" };
const onSuite = { on: Suite, by: "suiteId" } as const;

/** Throws 422 for cases that could not fail, and for assertions that cannot be judged here: all at once. */
export async function demandSound(host: Host, cases: readonly Case[]): Promise<void> {
  const stated = cases.flatMap(({ assertions }, at) =>
    assertions.map((assertion, nth) => ({ assertion, path: `cases.${at}.assertions.${nth}` })),
  );
  const named = stated.flatMap(({ assertion, path }) =>
    "tool" in assertion ? [{ path: `${path}.tool`, tool: assertion.tool }] : [],
  );
  const unknown = (await checkTools(host, named)).map((one) => ({ ...one, code: "NO_TOOL" }));
  const faults = [...faultsIn(cases), ...stated.flatMap((one) => unjudged(host, one)), ...unknown];
  const [first] = faults;
  if (first) throw new Problem(422, first.code, `${first.path}: ${first.message}`, { details: faults });
}

function unjudged(
  host: Host,
  { assertion, path }: { assertion: CaseAssertion; path: string },
): { path: string; message: string; code: string }[] {
  if (assertion.kind === "cost" && !isPriced(host))
    return [{ path, message: "This installation has no prices of the model.", code: "NO_PRICES" }];
  const not = assertion.kind === "json" ? (untaken(assertion.schema) ?? unreadable(assertion.schema)) : undefined;
  return not ? [{ path: `${path}.schema`, message: `${not} is not carried out here.`, code: "SCHEMA" }] : [];
}

function unreadable(schema: Record<string, unknown>): string | undefined {
  try {
    complaints(schema, null);
    return undefined;
  } catch {
    return "what stands there";
  }
}

const MESH = asSystem("validation");
const spot = ({ problemSetId, compartments }: Suite | ValidationRun) => ({ problemSetId, compartments });

export const suiteActions = {
  "suites.create": endpoint({
    rest: "POST /suites",
    summary: "Create a suite of cases",
    permit: "signed-in",
    within: editing,
    beyond: true,
    body: Suite.create,
    returns: data(Suite.view),
    status: 201,
    errors: {
      422: "`NO_ASSERTIONS`, `RUBRIC_ALONE`, `TWICE`, `NO_PRICES`, `SCHEMA`, `NO_TOOL`: `details` name the case.",
    },
    example: {
      problemSetId: "the problem set's id",
      name: "Reads before it says",
      cases: [
        {
          id: "cites-the-missions",
          task: "Which missions are open?",
          assertions: [{ kind: "tool-called", tool: "list_missions" }, { kind: "cites" }],
        },
      ],
    },
    async handler(ctx) {
      const { problemSetId, compartments, cases } = ctx.params;
      personOf(ctx.meta.actor);
      if (problemSetId === undefined) authorize(ctx.meta.actor, "agents:administer");
      await demandSound(this, cases);
      return this.store(Suite).create(ctx, { ...ctx.params, ...suitePlace({ problemSetId, compartments }) });
    },
  }),

  "suites.list": endpoint({
    rest: "GET /suites",
    summary: "List the suites that you can see",
    permit: "signed-in",
    within: { set, may: "set:read" },
    beyond: true,
    query: Suite.query,
    returns: list(Suite.view),
    handler(ctx) {
      return this.store(Suite).page(ctx, ctx.params);
    },
  }),

  "suites.get": endpoint({
    rest: "GET /suites/:suiteId",
    summary: "Show a suite",
    permit: "signed-in",
    ...onSuite,
    within: { set, may: "set:read" },
    beyond: true,
    returns: data(Suite.view),
    handler: (_ctx, suite) => suite,
  }),

  agentUses: endpoint({
    ...agentUses,
    async handler(ctx): Promise<RecordUse[]> {
      const { kind, id } = ctx.params;
      const bound = { limit: MOST_USES };
      if (kind === "agent") {
        const runs = await this.store(ValidationRun).find(
          MESH,
          { agentId: id, status: { $in: ["queued", "running"] } },
          bound,
        );
        return runs.map((one) => ({ type: "validation", id: one.id, name: "A validation under way", ...spot(one) }));
      }
      if (kind !== "tool") return [];
      const suites = await this.store(Suite).find(MESH, { "cases.assertions.tool": id }, bound);
      return suites.map((one) => ({ type: "suite", id: one.id, name: one.name, ...spot(one) }));
    },
  }),

  "suites.remove": endpoint({
    rest: "DELETE /suites/:suiteId",
    summary: "Remove a suite; runs keep the cases that they started with",
    permit: "signed-in",
    ...onSuite,
    within: editing,
    beyond: true,
    returns: nothing(),
    status: 204,
    async handler(ctx, suite) {
      if (suite.problemSetId === undefined) authorize(ctx.meta.actor, "agents:administer");
      await this.store(Suite).remove(ctx, suite);
      return null;
    },
  }),
};
