import { z } from "zod";
import { personOf, systemActor } from "../../../core/access/access.ts";
import { data } from "../../../core/contract/answer.ts";
import { asSystem, type Caller } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import type { JobRun } from "../../../core/work/job.ts";
import { ERASE, GATHER, holders, type Gathered } from "../../../core/records/keeping/personal-data.ts";
import { invalid } from "../../../core/problem.ts";
import { commonsOf } from "../../../mixins/domain.mixin.ts";
import { Email } from "../auth/client.ts";
import { Erasure, ErasureRequested, ErasureView, PersonErased } from "./erasures.ts";
import type { AccountFacts } from "./profiles.ts";

export const ERASE_JOB = "user-profile.erase";
const mesh = { meta: { actor: systemActor("erasure") } };
const caller = asSystem("erasure");
/** The account goes last: as long as it is there, it is known whose erasure is not complete. */
const LAST = "auth";

const Export = z
  .object({
    userId: z.string(),
    exportedAt: z.string(),
    holdings: z
      .record(z.string(), z.record(z.string(), z.array(z.unknown())))
      .describe("Domain → heading → records, as you would see them there; secrets are left out."),
  })
  .meta({ id: "PersonalExport" });

export const personalActions = {
  export: endpoint({
    rest: "GET /export",
    summary: "Export everything the platform holds about you",
    permit: "self",
    beyond: true,
    returns: data(Export),
    description:
      "One JSON document, collected from every domain (GDPR article 20). What lies in a compartment " +
      "that you are no longer read into is not included, and messages stay with those who may read " +
      "them. If a domain cannot be reached, the answer is 503, never an incomplete document.",
    errors: { 403: "An API key cannot export its owner's data.", 503: "A domain cannot be reached at the moment." },
    async handler(ctx) {
      const userId = personOf(ctx.meta.actor);
      const domains = holders(commonsOf(this.broker).services);
      const gathered = await Promise.all(
        domains.map(async (name) => [name, await ctx.call<Gathered, object>(`${name}.${GATHER}`, { userId })] as const),
      );
      ctx.meta.$responseHeaders = { "Content-Disposition": 'attachment; filename="signalmesh-personal-data.json"' };
      return {
        userId,
        exportedAt: iso(this.world.clock.now()),
        holdings: Object.fromEntries(gathered.filter(([, held]) => Object.keys(held).length)) as z.input<
          typeof Export
        >["holdings"],
      };
    },
  }),

  erase: endpoint({
    rest: "POST /erasure",
    summary: "Close your account and have everything personal erased",
    permit: "self",
    beyond: true,
    stepUp: true,
    status: 202,
    returns: data(ErasureView),
    body: { email: Email.describe("Your account's address, so that this is no accident.") },
    example: { email: "me@example.org" },
    description:
      "The account is closed immediately; every domain then removes what it holds about you, even " +
      "across restarts and outages. Your memberships in problem sets end. Records of shared work keep a random " +
      "id that can no longer be resolved; the audit log stays verifiable. This cannot be undone.",
    errors: {
      403: "Not possible with an API key; requires a fresh proof of identity.",
      409: "The last system administrator cannot leave.",
    },
    async handler(ctx) {
      const userId = personOf(ctx.meta.actor);
      const account = await this.broker.call<AccountFacts | null, object>("auth.person", { userId }, mesh);
      // An address that was never confirmed will do as well: whoever gave it may take it back. An account without any
      // has none to name.
      const address = account?.email ?? account?.claimedEmail;
      if (address !== undefined && address !== ctx.params.email)
        throw invalid([{ path: "email", message: "This is not your account's address." }]);
      // The one step that may be refused comes first; it tells of the wish itself, should this node die before it is
      // noted.
      await this.broker.call("auth.close", { userId }, mesh);
      const wish = await noteErasure(this, ctx, userId);
      return { status: wish.status, requestedAt: wish.createdAt };
    },
  }),
};

/** Notes the wish, once. */
export const noteErasure = async (host: Host, by: Caller, userId: string): Promise<Erasure> =>
  (
    await host
      .store(Erasure)
      .createOnce(
        by,
        { id: userId, status: "requested" as const },
        { facts: [ErasureRequested.fact(userId, { userId })] },
      )
  ).record;

/** Starts the erasure, or finds it under way: a wish may be told twice. */
export const begin = (host: Host, userId: string): Promise<unknown> =>
  host.jobs.add(ERASE_JOB, { userId }, { by: "system:erasure", key: userId });

/** Takes up what failed for too long, on a domain that was away. */
export async function resume(this: Host): Promise<void> {
  const open = await this.store(Erasure).find(caller, { status: "requested" }, { sort: ["createdAt"], limit: 100 });
  for (const { id } of open) await begin(this, id);
}

/**
 * The job: the account is closed, then one domain after the other erases; what is done is saved, and all of it may be
 * repeated.
 */
export async function eraseEverywhere(
  this: Host,
  { job, progress }: JobRun<{ userId: string }, { done: string[] }>,
): Promise<unknown> {
  const { userId } = job.input;
  await this.broker.call("auth.close", { userId }, mesh);
  const domains = holders(commonsOf(this.broker).services).sort((a, b) => Number(a === LAST) - Number(b === LAST));
  const done = new Set(job.state?.done);
  for (const name of domains) {
    if (done.has(name)) continue;
    await this.broker.call(`${name}.${ERASE}`, { userId }, mesh);
    done.add(name);
    await progress(name, done.size, domains.length, { done: [...done] });
  }
  const erasedAt = iso(this.world.clock.now());
  await this.store(Erasure).amend(
    caller,
    userId,
    ({ status }) => (status === "erased" ? null : { status: "erased", erasedAt }),
    { facts: [PersonErased.fact(userId, { userId })] },
  );
  return { domains: [...done] };
}
