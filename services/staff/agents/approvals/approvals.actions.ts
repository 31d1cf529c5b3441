import { hasAuthority } from "../../../../config/safety.ts";
import { z } from "zod";
import { personOf, type Actor } from "../../../../core/access/access.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { conflict, forbidden, isConflict, nullIf, unprocessable } from "../../../../core/problem.ts";
import { ApprovalDecided, ApprovalExpiring, type ToolChanged } from "../events.ts";
import { goOn } from "../executions/driving.ts";
import { approvalTold, MESH } from "../executions/records.ts";
import { Approval, WARNING_MS } from "./approvals.ts";

const set = "problemSetId";
const SWEPT = 100;
const MOST_ENDED = 10_000;
const Shown = Approval.view
  .extend({ mayDecide: z.boolean().describe("Whether you may decide it.") })
  .meta({ id: "AgentApproval" });

const mayDecide = (actor: Actor | undefined, { problemSetId, approver, status }: Approval): boolean =>
  status === "pending" && hasAuthority(actor?.memberships?.[problemSetId]?.role, approver);

/** Throws 409 where it is decided, naming who decided, or has expired. */
function demandPending({ status, decidedBy, decidedAt, expiresAt }: Approval, now: string): void {
  if (status === "expired" || (status === "pending" && expiresAt <= now))
    throw conflict("It has expired.", { expiresAt });
  if (status === "pending") return;
  const became = status === "used" ? "approved" : status;
  throw conflict(`It was ${became} already.`, { status, by: decidedBy ?? null, at: decidedAt ?? null });
}

export const approvalActions = {
  "approvals.list": endpoint({
    rest: "GET /agents/approvals",
    summary: "List the acts that agents ask approval for",
    tool: "list_agent_approvals",
    permit: "signed-in",
    beyond: true,
    within: { set, may: "agents:read" },
    query: { ...Approval.query, status: Approval.query.status.default("pending") },
    returns: list(Shown),
    description: "Lists those in your problem sets that wait for a decision, unless `status` says otherwise.",
    async handler(ctx) {
      const { data: rows, meta } = await this.store(Approval).page(ctx, ctx.params as never);
      return { data: rows.map((row) => ({ ...row, mayDecide: mayDecide(ctx.meta.actor, row) })), meta };
    },
  }),

  "approvals.decide": endpoint({
    rest: "POST /agents/approvals/:approvalId/decide",
    summary: "Approve or reject an act that an agent asks for",
    permit: "signed-in",
    beyond: true,
    on: Approval,
    by: "approvalId",
    within: { set, may: "agents:approve" },
    body: {
      hash: z
        .string()
        .regex(/^[0-9a-f]{64}$/, "Must be 64 hexadecimal digits.")
        .describe("The approval's `hash`, so that you decide about exactly what you saw."),
      decision: z.enum(["approve", "reject"]),
      reason: z.string().trim().min(1).max(2_000).optional(),
    },
    returns: data(Shown),
    description:
      "Only a person with the authority that the safety matrix names can do this; not a key, an agent, " +
      "or a chat message. It is valid once, for these arguments, this tool and this version of the " +
      "agent, and until `expiresAt`.",
    example: { hash: "0".repeat(64), decision: "reject", reason: "Not tonight" },
    errors: {
      403: "Your role lacks the authority, or you came with a key.",
      409: "It is decided already, or has expired.",
      422: "`HASH`: it does not match what is asked for.",
    },
    async handler(ctx, approval) {
      const by = personOf(ctx.meta.actor);
      const membership = ctx.meta.actor?.memberships?.[approval.problemSetId];
      if (!hasAuthority(membership?.role, approval.approver))
        throw forbidden(`A ${approval.approver} or above decides this.`, { approver: approval.approver });
      const { hash, decision, reason } = ctx.params;
      if (hash !== approval.hash)
        throw unprocessable("HASH", "hash: this is not the hash of what is asked for; read it again.");
      const now = iso(this.world.clock.now());
      const status = decision === "approve" ? ("approved" as const) : ("rejected" as const);
      const decided = await this.store(Approval).change(
        ctx,
        approval.id,
        (one) => {
          demandPending(one, now);
          return { status, decidedBy: by, decidedAt: now, ...(reason && { reason }) };
        },
        { seen: approval, facts: [ApprovalDecided.fact(approval.id, { ...approvalTold(approval, by), status })] },
      );
      await goOn(this, approval.executionId);
      return { ...decided, mayDecide: false };
    },
  }),
};

/** Withdraws requests for a tool that has been replaced. */
export async function endForTool(
  this: Host,
  { tool, definition }: z.output<typeof ToolChanged.payload>,
): Promise<void> {
  const asked = { tool, status: { $in: ["pending", "approved"] } };
  for (const one of await this.store(Approval).find(MESH, asked, { limit: MOST_ENDED })) {
    if (one.definitionHash === definition) continue;
    const fact = ApprovalDecided.fact(one.id, { ...approvalTold(one, one.for), status: "expired" });
    const ended = await this.store(Approval)
      .revise(MESH, one, { status: "expired", reason: "The tool was changed." }, { facts: [fact] })
      .catch(nullIf(isConflict));
    if (ended) await goOn(this, one.executionId);
  }
}

/** Reminds once, and refuses expired requests: silence is no approval. */
export async function expire(this: Host): Promise<void> {
  const now = this.world.clock.now();
  const store = this.store(Approval);
  const due = (before: number, which: object = {}): Promise<Approval[]> =>
    store.find(
      MESH,
      { status: "pending", expiresAt: { $lte: iso(before) }, ...which },
      { sort: ["expiresAt"], limit: SWEPT },
    );
  for (const one of await due(now)) {
    const facts = [ApprovalDecided.fact(one.id, { ...approvalTold(one, one.for), status: "expired" })];
    if (await store.revise(MESH, one, { status: "expired" }, { facts }).catch(nullIf(isConflict)))
      await goOn(this, one.executionId);
  }
  for (const one of await due(now + WARNING_MS, { warnedAt: null })) {
    const isShort = Date.parse(one.expiresAt) - Date.parse(one.createdAt) <= 2 * WARNING_MS;
    const facts = isShort ? [] : [ApprovalExpiring.fact(one.id, approvalTold(one, one.for))];
    await store.revise(MESH, one, { warnedAt: iso(now) }, { facts }).catch(nullIf(isConflict));
  }
}
