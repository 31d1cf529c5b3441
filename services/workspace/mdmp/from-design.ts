import { z } from "zod";
import { asSystem, onBehalfOf } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { derivedId } from "../../../core/ids.ts";
import { isNotFound, nullIf } from "../../../core/problem.ts";
import { entity, Instant, TextId, type Item } from "../../../core/records/entity.ts";
import { obstruct } from "./transitions.ts";
import { Assumption, Constraint, Workflow } from "./workflows.ts";

const Point = { id: z.string(), statement: z.string() };
const GivenAssumption = z.object({
  ...Point,
  rationale: z.string().optional(),
  confirmBy: z.string().optional(),
  blocking: z.boolean(),
});
const GivenConstraint = z.object({ ...Point, kind: z.enum(["must", "must-not"]) });
const content = {
  number: z.int().describe("Counts the handoffs of a design: a later one replaces an earlier one."),
  hash: z.string(),
  at: Instant,
  by: z.string(),
  assumptions: z.array(GivenAssumption),
  constraints: z.array(GivenConstraint),
};

/** What planning is handed of a design. */
export const DesignGiven = z.strictObject({ problemSetId: TextId, ...content });
export type DesignGiven = z.output<typeof DesignGiven>;

/** The design that the planning of a set goes by: the last that was handed over, under the set's id. */
export const PlannedDesign = entity("mdmp.designs", {
  title: "design taken over",
  collection: "mdmp_designs",
  fields: content,
  barrier: { set: "id" },
});
type PlannedDesign = Item<typeof PlannedDesign>;

const MESH = asSystem("mdmp");

/** Keeps a design, unless a later one was kept, and brings it into every process of the set that is under way. */
export async function takeOver(host: Host, { problemSetId, ...design }: DesignGiven): Promise<void> {
  const store = host.store(PlannedDesign);
  const { made } = await store.createOnce(MESH, { id: problemSetId, ...design });
  if (!made) await store.amend(MESH, problemSetId, (before) => (before.number < design.number ? { ...design } : null));
  for await (const slice of host.store(Workflow).slices(MESH, { problemSetId }))
    for (const workflow of slice) await bringInto(host, workflow);
}

/** A process that begins later gets what was handed over before. */
export async function begunTold(this: Host, { missionId }: { missionId: string }): Promise<void> {
  const workflow = await this.store(Workflow).get(MESH, missionId).catch(nullIf(isNotFound));
  if (workflow) await bringInto(this, workflow);
}

/** Repeats where another design was handed over meanwhile, so that a workflow ends with the last one. */
async function bringInto(host: Host, workflow: Workflow): Promise<void> {
  if (workflow.phase === "complete") return;
  const lastOf = () => host.store(PlannedDesign).one(MESH, { _id: workflow.problemSetId });
  let design = await lastOf();
  while (design) {
    await bringAssumptions(host, workflow, design);
    await bringConstraints(host, workflow, design);
    const now = await lastOf();
    if (now?.number === design.number) return;
    design = now;
  }
}

const placeIn = ({ id, problemSetId, compartments }: Workflow) => ({ missionId: id, problemSetId, compartments });

/** What a person withdrew stays so, whatever is handed over. */
const isLeftOut = ({ status, withdrawnBy }: Assumption): boolean => status === "withdrawn" && withdrawnBy === undefined;

/** A reworded assumption is another record: one that was accepted stays as it was accepted. */
async function bringAssumptions(host: Host, workflow: Workflow, design: PlannedDesign): Promise<void> {
  const store = host.store(Assumption);
  const wanted = new Set<string>();
  let isObstacle = false;
  for (const { id: item, ...given } of design.assumptions) {
    const id = derivedId(`assumption of ${workflow.id}: ${JSON.stringify([item, given])}`);
    wanted.add(id);
    const { record, made } = await store.createOnce(onBehalfOf("mdmp", design.by), {
      ...given,
      ...placeIn(workflow),
      id,
      phase: workflow.phase,
      status: "open",
      fromDesign: { item, handoff: design.number },
    });
    const reopened =
      isLeftOut(record) && (await store.amend(MESH, id, (one) => (isLeftOut(one) ? { status: "open" } : null)));
    if (given.blocking && (made || reopened)) isObstacle = true;
  }
  const open = await store.find(MESH, { missionId: workflow.id, status: "open", fromDesign: { $exists: true } });
  for (const { id } of open.filter((one) => !wanted.has(one.id)))
    await store.amend(MESH, id, ({ status }) => (status === "open" ? { status: "withdrawn" } : null));
  if (isObstacle) await obstruct(host, workflow.id);
}

async function bringConstraints(host: Host, workflow: Workflow, design: PlannedDesign): Promise<void> {
  const store = host.store(Constraint);
  const wanted = new Set<string>();
  for (const { id: item, ...given } of design.constraints) {
    const id = derivedId(`constraint of ${workflow.id}: ${item}`);
    wanted.add(id);
    const fromDesign = { item, handoff: design.number };
    const { record } = await store.createOnce(onBehalfOf("mdmp", design.by), {
      ...given,
      ...placeIn(workflow),
      id,
      fromDesign,
    });
    if (record.statement !== given.statement || record.kind !== given.kind)
      await store.amend(MESH, id, () => ({ ...given, fromDesign }));
  }
  const all = await store.find(MESH, { missionId: workflow.id });
  for (const gone of all.filter(({ id }) => !wanted.has(id))) await store.remove(MESH, gone).catch(nullIf(isNotFound));
}
