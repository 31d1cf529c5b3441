import { z } from "zod";
import { data } from "../../../core/contract/answer.ts";
import { iso } from "../../../core/clock.ts";
import type { Ctx } from "../../../core/access/caller.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import type { Fact } from "../../../core/events/event.ts";
import type { MissionPlace } from "../missions/client.ts";
import { TextId } from "../../../core/records/entity.ts";
import { notFound } from "../../../core/problem.ts";
import { obstruct, workflowEvent } from "./transitions.ts";
import { placeUnderWay } from "./under-way.ts";
import { PhaseGate, type Workflow } from "./workflows.ts";
import { GateRecorded, GateReopened, GateSatisfied } from "./events.ts";
import { planning, deciding, onMission } from "./permits.ts";

export const phaseGateActions = {
  "gates.register": endpoint({
    rest: "POST /workflows/:missionId/gates",
    summary: "Define gates at the ends of phases",
    permit: "signed-in",
    ...onMission,
    within: planning,
    status: 201,
    body: {
      gates: z
        .array(
          z.strictObject({
            phase: PhaseGate.create.phase,
            name: PhaseGate.create.name,
            criteria: PhaseGate.create.criteria,
            required: PhaseGate.create.required,
          }),
        )
        .min(1)
        .max(50),
    },
    returns: data(z.array(PhaseGate.view)),
    example: { gates: [{ phase: "mission-analysis", name: "Mission statement approved" }] },
    async handler(ctx, workflow) {
      const mission = await placeUnderWay(ctx, workflow.id);
      const recorded = await record(this, ctx, workflow, mission);
      await obstruct(this, workflow.id);
      return recorded;
    },
  }),

  "gates.satisfy": endpoint({
    rest: "PUT /workflows/:missionId/gates/:gateId",
    summary: "Mark a phase gate as satisfied, or as open again",
    permit: "signed-in",
    ...onMission,
    within: deciding,
    path: { gateId: TextId },
    body: {
      satisfied: z.boolean().default(true),
      evidence: z.string().max(4_000).optional().describe("What shows it."),
    },
    returns: data(PhaseGate.view),
    description:
      "Repeating it changes nothing: who satisfied it, when and by what evidence stays. Other evidence satisfies it anew; " +
      "`satisfied: false` opens it again.",
    async handler(ctx, workflow) {
      const gate = await this.store(PhaseGate).get(ctx, ctx.params.gateId);
      if (gate.missionId !== workflow.id) throw notFound(PhaseGate.title, gate.id);
      const { satisfied, evidence } = ctx.params;
      if (satisfied && gate.satisfied && (evidence ?? gate.evidence) === gate.evidence) return gate;
      const mission = await placeUnderWay(ctx, workflow.id);
      const told = { ...workflowEvent(workflow, ctx, mission), gateId: gate.id, name: gate.name };
      return satisfied ? satisfy(this, ctx, gate, told, evidence) : reopen(this, ctx, gate, told, evidence);
    },
  }),
};

type GivenGate = Pick<PhaseGate, "phase" | "name" | "criteria" | "required">;

/** Stores all of these gates, or none: with the last of them, once the others are there, what is told of them all. */
async function record(
  host: Host,
  ctx: Ctx<{ gates: readonly GivenGate[] }>,
  workflow: Workflow,
  mission: Pick<MissionPlace, "name">,
): Promise<PhaseGate[]> {
  const { id: missionId, problemSetId, compartments } = workflow;
  const store = host.store(PhaseGate);
  await store.demandRoom({ missionId }, ctx.params.gates.length);
  const create = (gate: GivenGate, facts?: (made: PhaseGate) => Fact[]): Promise<PhaseGate> =>
    store.create(
      ctx,
      { ...gate, missionId, problemSetId, compartments, satisfied: false },
      { ...(facts && { facts }) },
    );
  const fact = ({ id: gateId, name, phase, required }: PhaseGate): Fact =>
    GateRecorded.fact(gateId, { ...workflowEvent(workflow, ctx, mission), gateId, name, phase, required });
  const storing = await Promise.allSettled(ctx.params.gates.slice(0, -1).map((gate) => create(gate)));
  const stored = storing.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  try {
    const refused = storing.find((one) => one.status === "rejected");
    if (refused) throw refused.reason;
    return [...stored, await create(ctx.params.gates.at(-1)!, (last) => [...stored, last].map(fact))];
  } catch (refusal) {
    // Others recorded theirs meanwhile.
    await Promise.all(stored.map((gate) => store.remove(ctx, gate)));
    throw refusal;
  }
}

type Told = z.input<typeof GateSatisfied.payload>;

const satisfy = (host: Host, ctx: Ctx<unknown>, gate: PhaseGate, told: Told, evidence: string | null = null) =>
  host
    .store(PhaseGate)
    .revise(
      ctx,
      gate,
      { satisfied: true, evidence, satisfiedAt: iso(host.world.clock.now()), satisfiedBy: ctx.meta.actor!.userId },
      { facts: [GateSatisfied.fact(gate.id, told)] },
    );

async function reopen(host: Host, ctx: Ctx<unknown>, gate: PhaseGate, told: Told, evidence: string | null = null) {
  const change = { satisfied: false, satisfiedAt: null, satisfiedBy: null, evidence };
  const facts = gate.satisfied ? [GateReopened.fact(gate.id, told)] : [];
  const reopened = await host.store(PhaseGate).revise(ctx, gate, change, { facts });
  await obstruct(host, gate.missionId);
  return reopened;
}
