import { z } from "zod";
import { actorOf, type Ctx } from "../../../../core/access/caller.ts";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { conflict, notFound } from "../../../../core/problem.ts";
import { Intent } from "../intents/intents.ts";
import { objectiveEvent } from "../objectives/events.ts";
import { onObjective, reading } from "../objectives/objectives.actions.ts";
import type { Objective } from "../objectives/objectives.ts";
import { demandStill } from "../objectives/removing.ts";
import { withinSet } from "../objectives/actor-role.ts";
import { breakDown } from "./breakdown.ts";
import { candidatesFor } from "./candidates.ts";
import { matchAll } from "./matching.ts";
import {
  Operations,
  OperationsChanged,
  operationsId,
  OperationsView,
  plan,
  refuseBroken,
  timed,
  type OperationsPlan,
} from "./operations.ts";

/** Stores a breakdown as the next version. Throws 409 where it was made from an older plan. */
async function keep(
  host: Host,
  ctx: Ctx<unknown>,
  objective: Objective,
  wanted: OperationsPlan & { assumed: string[]; method: Operations["method"] },
  from: number | undefined,
): Promise<Operations> {
  const { id: objectiveId, problemSetId, compartments } = objective;
  refuseBroken(wanted);
  const store = host.store(Operations);
  const id = operationsId(objectiveId);
  const before = await store.one(ctx, { _id: id });
  if (before && from !== before.version)
    throw conflict(
      from === undefined
        ? "There is a breakdown already: send the whole of it, with the `version` that it was made from."
        : "The breakdown changed meanwhile; read it again.",
      { version: before.version },
    );
  const names = wanted.resources.map(({ name }) => name);
  const resources = matchAll(wanted.resources, await candidatesFor(ctx, objective, names));
  const version = (before?.version ?? 0) + 1;
  const { title, by } = objectiveEvent(objective, actorOf(ctx));
  const facts = [
    OperationsChanged.fact(objectiveId, { id, objectiveId, problemSetId, compartments, title, version, by }),
  ];
  const record = { ...wanted, resources, version };
  if (before) return store.revise(ctx, before, record, { facts });
  const made = await store.create(ctx, { ...record, id, objectiveId, problemSetId, compartments }, { facts });
  return demandStill(host, objectiveId, Operations, made);
}

export const operationActions = {
  "operations.get": endpoint({
    rest: "GET /objectives/:id/operationalize",
    summary: "Show how an objective breaks down into operations, with its critical path",
    permit: "signed-in",
    within: reading,
    ...onObjective,
    returns: data(OperationsView),
    tool: "show_operations",
    description:
      "Lines of effort with their tasks, measures and resources, how many days it takes, and the critical path.",
    errors: { 404: "It was not broken down yet." },
    async handler(ctx, objective) {
      const found = await this.store(Operations).one(ctx, { _id: operationsId(objective.id) });
      if (!found) throw notFound(Operations.title, objective.id);
      return timed(found);
    },
  }),

  "operations.make": endpoint({
    rest: "POST /objectives/:id/operationalize",
    summary: "Break an objective down into lines of effort, tasks, measures and resources",
    permit: "signed-in",
    within: withinSet("operations:plan"),
    ...onObjective,
    body: {
      linesOfEffort: plan.linesOfEffort.optional(),
      tasks: plan.tasks.optional(),
      measures: plan.measures.optional(),
      resources: plan.resources.optional(),
      version: z.int().min(1).optional().describe("The version that it was made from, where there is one."),
    },
    returns: data(OperationsView),
    status: 201,
    description:
      "Send it whole; without a body, a first breakdown is made from the intent's key tasks, else from " +
      "the objective's own words. Resources are matched with the staff positions and registered " +
      "resources of the problem set, or are `unmatched`, with the reason.",
    errors: {
      409: "There is a newer breakdown that you have not read (`version`), or the objective is superseded.",
      422: "`CYCLE`: tasks wait for one another; `details.cycle` names them.",
    },
    example: {
      linesOfEffort: [{ key: "move", name: "Movement" }],
      tasks: [
        { key: "recce", name: "Reconnoitre the crossing", days: 2, lineOfEffort: "move", resources: ["eng"] },
        { key: "cross", name: "Cross", days: 1, lineOfEffort: "move", dependsOn: ["recce"] },
      ],
      measures: [{ indicator: "vehicles across", unit: "vehicles", baseline: 0, target: 40 }],
      resources: [{ key: "eng", name: "Engineer officer" }],
    },
    async handler(ctx, objective) {
      if (objective.status === "superseded" || objective.status === "rejected")
        throw conflict(`An objective that is ${objective.status} is not broken down.`);
      const { version, ...given } = ctx.params;
      const isSent = Object.values(given).some((part) => part !== undefined);
      const { linesOfEffort = [], tasks = [], measures = [], resources = [] } = given;
      const intent = isSent ? null : await this.store(Intent).one(ctx, { objectiveId: objective.id });
      const wanted = isSent
        ? { linesOfEffort, tasks, measures, resources, assumed: [], method: "manual" as const }
        : { ...breakDown(objective, intent), method: "heuristic" as const };
      return timed(await keep(this, ctx, objective, wanted, version));
    },
  }),
};
