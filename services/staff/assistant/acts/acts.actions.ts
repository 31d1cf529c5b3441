import { hasAuthority } from "../../../../config/safety.ts";
import { z } from "zod";
import { personOf } from "../../../../core/access/access.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import { data } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { conflict, forbidden, notFound, unprocessable } from "../../../../core/problem.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { Preference, preferenceId, TRUST_MS } from "../trust/preferences.ts";
import { approve, lookAt, tellChange } from "./acting.ts";
import { Action, ActionView, isTrustable } from "./acts.ts";

/** The act to answer: the caller's own, unanswered, in time, and in the version that they saw. */
async function answered(host: Host, ctx: Ctx<unknown>, id: string, problemSetId: string, hash: string) {
  const action = await host.store(Action).get(ctx, id);
  if (action.by !== personOf(ctx.meta.actor) || action.problemSetId !== problemSetId) throw notFound(Action.title, id);
  if (action.argumentsHash !== hash)
    throw unprocessable("HASH", "argumentsHash: this is not the hash of what is proposed; read it again.");
  if (action.status !== "proposed")
    throw conflict(`It was answered already: it is ${action.status}.`, { status: action.status });
  if (action.expiresAt <= iso(host.world.clock.now()))
    throw conflict("It has expired; ask for it again.", { expiresAt: action.expiresAt });
  return action;
}

type Agreed = Pick<Preference, "id" | "problemSetId" | "by" | "tool"> & Record<string, unknown>;
/** What a person would trust the assistant with from now on. Throws where it is beyond them, or anybody. */
function agreement(host: Host, ctx: Ctx<unknown>, action: Action): Agreed {
  const { problemSetId, by, tool, definitionHash, agentVersion } = action;
  const role = ctx.meta.actor!.memberships![problemSetId]!.role;
  if (!isTrustable(action.class!))
    throw unprocessable("NEVER_TRUSTED", `answer: acts of the class ${action.class} are answered one by one.`);
  if (!action.approver || !hasAuthority(role, action.approver))
    throw forbidden(`answer: a ${action.approver} or above could agree to that.`, { approver: action.approver });
  const expiresAt = iso(host.world.clock.now() + TRUST_MS);
  const id = preferenceId(by, problemSetId, tool);
  return { id, problemSetId, by, tool, class: action.class!, role, definitionHash, agentVersion, expiresAt };
}

/** Notes what was agreed to; agreed again, it holds anew. */
async function trust(host: Host, ctx: Ctx<unknown>, agreed: Agreed): Promise<void> {
  const { id, problemSetId: _set, by: _by, tool: _tool, ...terms } = agreed;
  const { made } = await host.store(Preference).createOnce(ctx, agreed);
  if (!made) await host.store(Preference).amend(ctx, id, () => terms);
}

export const actActions = {
  "actions.confirm": endpoint({
    rest: "POST /:problemSetId/confirm",
    summary: "Approve or refuse an act the assistant proposes, or trust it with such acts",
    permit: "signed-in",
    within: { set: "problemSetId", may: "agents:run" },
    path: { problemSetId: TextId },
    body: {
      actionId: TextId,
      argumentsHash: z
        .string()
        .regex(/^[0-9a-f]{64}$/, "Must be 64 hexadecimal digits.")
        .describe("The action's `argumentsHash`, so that you answer exactly what you saw."),
      answer: z.enum(["yes", "no", "always"]),
    },
    returns: data(ActionView),
    description:
      "Only you can do this, signed in: not a key, an agent, or a chat message. `yes` approves exactly " +
      "these arguments, once, through the gate of all agents; if your authority is not sufficient, the " +
      "act waits in `GET /api/agents/approvals` for somebody whose is. `always` also trusts the " +
      "assistant with acts of this tool in this problem set, for at most 30 days and within your own " +
      "authority; never with `spend`, `change-access`, `change-governance` or `irreversible`. The " +
      "answer shows the progress; `assistant.action.changed` and the history show the rest.",
    example: { actionId: "the action's id", argumentsHash: "0".repeat(64), answer: "no" },
    errors: {
      403: "`always` beyond your own authority, or you came with a key.",
      409: "It was answered already, or has expired after 15 minutes.",
      422: "`HASH`: it does not match what is proposed; `NEVER_TRUSTED`.",
    },
    async handler(ctx) {
      const { actionId, argumentsHash, answer, problemSetId } = ctx.params;
      const action = await answered(this, ctx, actionId, problemSetId, argumentsHash);
      const answeredAt = iso(this.world.clock.now());
      const only = { where: { status: "proposed" } };
      if (answer === "no") {
        const declined = { status: "refused", code: "DECLINED", why: "You said no.", answeredAt };
        const refused = await this.store(Action).revise(ctx, action, declined, only);
        await tellChange(this, refused);
        return refused;
      }
      const agreed = answer === "always" ? agreement(this, ctx, action) : undefined;
      const change = { status: "confirmed", answeredAt, dueAt: lookAt(this), preferenceId: agreed?.id };
      const confirmed = await this.store(Action).revise(ctx, action, change, only);
      await tellChange(this, confirmed);
      // Behind the answer: where another one was first, nothing is trusted.
      if (agreed) await trust(this, ctx, agreed);
      return approve(this, confirmed, ctx.meta.actor!);
    },
  }),
};
