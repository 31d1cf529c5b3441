import { z } from "zod";
import { data } from "../../../core/contract/answer.ts";
import { iso } from "../../../core/clock.ts";
import type { Ctx } from "../../../core/access/caller.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { notFound } from "../../../core/problem.ts";
import { obstruct, workflowEvent } from "./transitions.ts";
import { placeUnderWay } from "./under-way.ts";
import { PhaseGate } from "./workflows.ts";
import { GateReopened, GateSatisfied } from "./events.ts";
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
    async handler(ctx, { id: missionId, problemSetId, compartments }) {
      await placeUnderWay(ctx, missionId);
      const store = this.store(PhaseGate);
      await store.demandRoom({ missionId }, ctx.params.gates.length);
      const laying = await Promise.allSettled(
        ctx.params.gates.map((gate) =>
          store.create(ctx, { ...gate, missionId, problemSetId, compartments, satisfied: false }),
        ),
      );
      const laid = laying.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
      const refused = laying.find((one) => one.status === "rejected");
      if (refused) {
        // Others laid theirs meanwhile: all of these, or none.
        await Promise.all(laid.map((gate) => store.remove(ctx, gate)));
        throw refused.reason;
      }
      await obstruct(this, missionId);
      return laid;
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
