import type { ActionSchema } from "moleculer";
import { z } from "zod";
import { data, list } from "../../../core/contract/answer.ts";
import { actorOf, asSystem, type Caller, type Ctx } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import type { EventType } from "../../../core/events/event.ts";
import { refuseUnless } from "../../../core/records/keeping/lifecycle.ts";
import { forbidden, isConflict, notFound, nullIf } from "../../../core/problem.ts";
import {
  CredentialStatus,
  CredentialView,
  governs,
  IssuedCredential,
  visibleTo,
  type MoveName,
} from "./credentials.ts";
import {
  CredentialExpired,
  CredentialReinstated,
  CredentialRevoked,
  CredentialSuspended,
  credentialEvent,
} from "./events.ts";
import { listChanged } from "./status/publishing.ts";

const SEEING =
  "Lists your own; those of problem sets in which you issue, as far as you are read into their " +
  "compartments; and, with the permit `credentials:administer`, all that belong to no problem set.";

const LOSS =
  "If it concerns a problem set, its subject loses what it grants there, whoever gave it: the " +
  "compartments, and the role, down to observer. The last commander keeps the role.";
/** What a move does beside the credential's own status. */
const CONSEQUENCE: Readonly<Record<MoveName, string>> = {
  suspend: LOSS,
  revoke: LOSS,
  reinstate: "What its subject lost in a problem set must be restored there by people; this does not do it.",
};

const BATCH = 200;

const moving = (move: MoveName, fact: EventType): ActionSchema =>
  endpoint({
    rest: `POST /:id/${move}`,
    summary: CredentialStatus.moves[move].summary,
    permit: "signed-in",
    beyond: true,
    description: CONSEQUENCE[move],
    path: { id: TextId },
    body: { reason: z.string().trim().min(1).max(500).optional() },
    returns: data(CredentialView),
    async handler(ctx) {
      const item = await seen(this, ctx, ctx.params.id);
      if (!governs(ctx.meta.actor!, item)) throw forbidden("You may see this credential, but not change its status.");
      const { from, to } = CredentialStatus.moves[move];
      refuseUnless(from, item.status, move);
      return changeStatus(this, ctx, item, to, fact, ctx.params.reason ?? null);
    },
  });

/** Credentials of this platform: seen, revoked, suspended and reinstated. */
export const ownCredentials = {
  list: endpoint({
    rest: "GET /",
    summary: "List the credentials you may see",
    permit: "signed-in",
    beyond: true,
    description: SEEING,
    query: IssuedCredential.query,
    returns: list(CredentialView),
    handler(ctx) {
      return this.store(IssuedCredential).page(ctx, ctx.params, visibleTo(ctx.meta.actor!));
    },
  }),

  get: endpoint({
    rest: "GET /:id",
    summary: "Read a credential",
    permit: "signed-in",
    beyond: true,
    path: { id: TextId },
    returns: data(CredentialView),
    handler(ctx) {
      return seen(this, ctx, ctx.params.id);
    },
  }),

  revoke: moving("revoke", CredentialRevoked),

  suspend: moving("suspend", CredentialSuspended),

  reinstate: moving("reinstate", CredentialReinstated),
};

/** A credential the caller may see, or 404. */
async function seen(host: Host, ctx: Ctx<unknown>, id: string): Promise<IssuedCredential> {
  const item = await host.store(IssuedCredential).one(ctx, { $and: [{ _id: id }, visibleTo(ctx.meta.actor!)] });
  if (!item) throw notFound("credential", id);
  return item;
}

export type Status = IssuedCredential["status"];

async function changeStatus(
  host: Host,
  caller: Caller,
  item: IssuedCredential,
  status: Status,
  type: EventType,
  reason: string | null,
): Promise<IssuedCredential> {
  const since = iso(host.world.clock.now());
  const statusBy = status === "expired" ? null : actorOf(caller);
  const change = { status, statusReason: reason, statusSince: since, statusBy };
  const facts = (as: IssuedCredential) => [
    type.fact(as.id, credentialEvent({ ...as, statusReason: reason ?? undefined })),
  ];
  const changed = await host.store(IssuedCredential).revise(caller, item, change, { facts });
  await listChanged(host, item.list);
  return changed;
}

/** Marks credentials whose period ended as expired, so that what they opened closes. */
export async function expire(this: Host): Promise<void> {
  const caller = asSystem("credentials");
  for (let found = BATCH; found === BATCH;) {
    const query = { status: { $in: ["active", "suspended"] }, validUntil: { $lte: iso(this.world.clock.now()) } };
    const over = await this.store(IssuedCredential).find(caller, query, { limit: BATCH });
    found = over.length;
    for (const item of over) {
      // One that changed meanwhile is looked at again next time.
      await changeStatus(this, caller, item, "expired", CredentialExpired, null).catch(nullIf(isConflict));
    }
  }
}
