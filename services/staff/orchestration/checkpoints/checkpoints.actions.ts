import { hasAuthority } from "../../../../config/safety.ts";
import { z } from "zod";
import { OpenRecord } from "../../../../core/records/open-record.ts";
import { personOf, type Actor } from "../../../../core/access/access.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { conflict, forbidden, invalid, isConflict, nullIf, unprocessable } from "../../../../core/problem.ts";
import { CheckpointDecided, CheckpointExpiring } from "../events.ts";
import { MESH, wake } from "../executions/records.ts";
import { checkpointEvent } from "./checkpoint-requests.ts";
import { argumentsOf, Checkpoint, checkpointHash, editedOf, Shown, WARNING_MS } from "./checkpoints.ts";

const set = "problemSetId";
const SWEPT = 100;
const LONGEST_EDITS = 65_536;

const mayDecide = (actor: Actor | undefined, { problemSetId, approver, status }: Checkpoint): boolean =>
  status === "pending" && hasAuthority(actor?.memberships?.[problemSetId]?.role, approver);
const shown = (actor: Actor | undefined, checkpoint: Checkpoint) => ({
  ...checkpoint,
  arguments: argumentsOf(checkpoint),
  edited: editedOf(checkpoint),
  mayDecide: mayDecide(actor, checkpoint),
});

const named = {
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "Must be 64 hexadecimal digits.")
    .describe("The checkpoint's `hash`, so that you decide about exactly what you saw."),
};
const onCheckpoint = { on: Checkpoint, by: "checkpointId", within: { set, may: "orchestration:decide" } } as const;
const errors = {
  403: "Your role lacks the authority, or you came with a key.",
  409: "It is decided already, by whom `details` says, or has expired.",
  422: "`HASH`: it does not match what is asked.",
};

interface Decision {
  status: "approved" | "rejected";
  hash: string;
  reason?: string | undefined;
  edits?: Record<string, unknown> | undefined;
}

/** Throws 409 where it is decided, naming who decided, or has expired. */
function demandPending({ status, decidedBy, decidedAt, expiresAt }: Checkpoint, now: string): void {
  if (status === "expired" || (status === "pending" && expiresAt <= now))
    throw conflict("It has expired.", { expiresAt });
  if (status !== "pending")
    throw conflict(`It was ${status} already.`, { status, by: decidedBy ?? null, at: decidedAt ?? null });
}

/** A person's decision, made once: a second one is refused and told who decided. */
async function decide(
  host: Host,
  ctx: Ctx<unknown>,
  checkpoint: Checkpoint,
  { status, hash, reason, edits }: Decision,
) {
  const by = personOf(ctx.meta.actor);
  if (!hasAuthority(ctx.meta.actor?.memberships?.[checkpoint.problemSetId]?.role, checkpoint.approver))
    throw forbidden(`A ${checkpoint.approver} or above decides this.`, { approver: checkpoint.approver });
  const now = iso(host.world.clock.now());
  demandPending(checkpoint, now);
  if (hash !== checkpoint.hash)
    throw unprocessable("HASH", "hash: this is not the hash of what is asked; read it again.");
  const final = { ...argumentsOf(checkpoint), ...edits };
  const decision = {
    status,
    decidedBy: by,
    decidedAt: now,
    ...(reason && { reason }),
    ...(edits && {
      editedText: JSON.stringify(final),
      editedHash: checkpointHash({ ...checkpoint, arguments: final }),
    }),
  };
  const decided = await host.store(Checkpoint).change(
    ctx,
    checkpoint.id,
    (one) => {
      demandPending(one, now);
      return decision;
    },
    {
      seen: checkpoint,
      facts: [CheckpointDecided.fact(checkpoint.id, { ...checkpointEvent(checkpoint), by, status })],
    },
  );
  await wake(host, checkpoint.executionId);
  return shown(ctx.meta.actor, decided);
}

/** Edits may only change arguments that exist. */
function demandKnown(given: Record<string, unknown>, edits: Record<string, unknown>): void {
  const strange = Object.keys(edits).filter((name) => !Object.hasOwn(given, name));
  if (strange.length)
    throw invalid(strange.map((name) => ({ path: `edits.${name}`, message: "It is none of the arguments." })));
  if (JSON.stringify(edits).length > LONGEST_EDITS)
    throw invalid([{ path: "edits", message: "At most 64 KiB as JSON." }]);
}

export const checkpointActions = {
  "checkpoints.list": endpoint({
    rest: "GET /checkpoints",
    tool: "list_checkpoints",
    summary: "List the checkpoints that await a decision",
    permit: "signed-in",
    within: { set, may: "orchestration:read" },
    query: Checkpoint.query,
    returns: list(Shown),
    description:
      "Lists those in your problem sets that you can see; `mayDecide` says whether your role has the authority.",
    async handler(ctx) {
      const { data: rows, meta } = await this.store(Checkpoint).page(ctx, ctx.params, { status: "pending" });
      return { data: rows.map((row) => shown(ctx.meta.actor, row)), meta };
    },
  }),

  "checkpoints.get": endpoint({
    rest: "GET /checkpoints/:checkpointId",
    summary: "Show a checkpoint",
    permit: "signed-in",
    on: Checkpoint,
    by: "checkpointId",
    within: { set, may: "orchestration:read" },
    returns: data(Shown),
    handler: (ctx, checkpoint) => shown(ctx.meta.actor, checkpoint),
  }),

  "checkpoints.approve": endpoint({
    rest: "POST /checkpoints/:checkpointId/approve",
    summary: "Let a workflow continue past a checkpoint",
    permit: "signed-in",
    ...onCheckpoint,
    body: {
      ...named,
      edits: OpenRecord.optional().describe("Changed values of some arguments; later steps get these."),
      reason: z.string().trim().min(1).max(2_000).optional(),
    },
    returns: data(Shown),
    description:
      "Only a person with the authority that the checkpoint names can do this; not a key or an agent. " +
      "What agents do afterwards still passes their gate.",
    example: { hash: "0".repeat(64) },
    errors,
    handler(ctx, checkpoint) {
      const { edits } = ctx.params;
      if (edits) demandKnown(argumentsOf(checkpoint), edits);
      return decide(this, ctx, checkpoint, { ...ctx.params, status: "approved" });
    },
  }),

  "checkpoints.reject": endpoint({
    rest: "POST /checkpoints/:checkpointId/reject",
    summary: "Refuse to let a workflow continue past a checkpoint",
    permit: "signed-in",
    ...onCheckpoint,
    body: { ...named, reason: z.string().trim().min(1).max(2_000) },
    returns: data(Shown),
    description: "The step fails with `REJECTED` and the reason; its `onError` determines what follows.",
    example: { hash: "0".repeat(64), reason: "Not tonight" },
    errors,
    handler(ctx, checkpoint) {
      return decide(this, ctx, checkpoint, { ...ctx.params, status: "rejected" });
    },
  }),
};

/** Reminds once, and expires what nobody decided. */
export async function expire(this: Host): Promise<void> {
  const now = this.world.clock.now();
  const store = this.store(Checkpoint);
  const due = (before: number, which: object = {}): Promise<Checkpoint[]> =>
    store.find(
      MESH,
      { status: "pending", expiresAt: { $lte: iso(before) }, ...which },
      { sort: ["expiresAt"], limit: SWEPT },
    );
  for (const one of await due(now)) {
    const facts = [CheckpointDecided.fact(one.id, { ...checkpointEvent(one), status: "expired" })];
    if (await store.revise(MESH, one, { status: "expired" }, { facts }).catch(nullIf(isConflict)))
      await wake(this, one.executionId);
  }
  for (const one of await due(now + WARNING_MS, { warnedAt: null })) {
    const isShort = Date.parse(one.expiresAt) - Date.parse(one.createdAt) <= 2 * WARNING_MS;
    const facts = isShort ? [] : [CheckpointExpiring.fact(one.id, checkpointEvent(one))];
    await store.revise(MESH, one, { warnedAt: iso(now) }, { facts }).catch(nullIf(isConflict));
  }
}
