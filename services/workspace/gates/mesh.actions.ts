import { z } from "zod";
import { bare, data } from "../../../core/contract/answer.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { invalidTransition } from "../../../core/problem.ts";
import { settleGate, settleAbove } from "./escalating.ts";
import { Gate, Guarded, GATE_STATES, stops } from "./gates.ts";
import { Reason } from "./deciding.actions.ts";
import { GateAnswer } from "./gates.actions.ts";

const Guard = z.object({ id: z.string(), name: z.string(), status: z.string() });

export const meshActions = {
  /** Hard gates that guard a step and are not approved: whoever does the step asks for them first. */
  guarding: endpoint({
    summary: "The hard gates that stop a step",
    permit: "internal",
    body: { problemSetId: TextId, ...Guarded.shape },
    returns: data(z.array(Guard)),
    async handler(ctx) {
      const { problemSetId, kind, subject, step } = ctx.params;
      const gates = await this.store(Gate).find(ctx, {
        problemSetId,
        "guards.subject": subject,
        "guards.kind": kind,
      });
      return gates.filter((gate) => stops(gate) && (!gate.guards!.step || !step || gate.guards!.step === step));
    },
  }),

  /** What children of a set see of its gates: all of them, or one. */
  offered: endpoint({
    summary: "The gates of a problem set, in the form that passes down to its children",
    permit: "internal",
    body: { problemSetId: TextId, gateId: TextId.optional() },
    returns: data(
      z.array(
        z.object({
          kind: z.literal("gate"),
          sourceId: z.string(),
          compartments: z.array(z.string()),
          title: z.string(),
          text: z.string(),
          status: z.string(),
        }),
      ),
    ),
    async handler(ctx) {
      const { problemSetId, gateId } = ctx.params;
      const gates = await this.store(Gate).find(ctx, { problemSetId, ...(gateId && { _id: gateId }) });
      return gates.map(({ id, compartments, name, description = "", status }) => ({
        kind: "gate" as const,
        sourceId: id,
        compartments,
        title: name,
        text: description,
        status,
      }));
    },
  }),

  census: endpoint({
    summary: "How many gates there are, by state: all that an operator is told of them",
    permit: "internal",
    returns: bare(z.array(z.object({ status: z.enum(GATE_STATES), gates: z.int(), overdue: z.int() }))),
    async handler() {
      const { collection } = this.store(Gate);
      const late = { status: { $in: ["open", "submitted"] }, deadline: { $lte: iso(this.world.clock.now()) } };
      const [all, overdue] = await Promise.all([
        collection.groups({ by: "status" }),
        collection.groups({ by: "status", query: late }),
      ]);
      return all.map(({ key, count }) => ({
        status: key as (typeof GATE_STATES)[number],
        gates: count,
        overdue: overdue.find((one) => one.key === key)?.count ?? 0,
      }));
    },
  }),

  /** A decision taken elsewhere, by vote for example, opens a gate. */
  open: endpoint({
    summary: "Approve a gate by a decision taken elsewhere",
    permit: "internal",
    body: { gateId: TextId, reason: Reason, by: z.string() },
    returns: GateAnswer,
    async handler(ctx) {
      const { gateId, reason, by } = ctx.params;
      const gate = await this.store(Gate).get(ctx, gateId);
      if (gate.status === "approved") return gate;
      if (!["open", "submitted", "rejected", "escalated"].includes(gate.status))
        throw invalidTransition("open", gate.status, ["open", "submitted", "rejected", "escalated"]);
      const opened = await settleGate(this, ctx, gate, "vote", "approved", { userId: by }, reason);
      if (gate.escalatedTo) await settleAbove(this, gate.escalatedTo.gateId, by, reason);
      return opened;
    },
  }),
};
