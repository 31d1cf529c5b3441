import { z } from "zod";
import { personOf } from "../../../../core/access/access.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { Blocked, DomainPattern } from "../../../../core/mail-address.ts";
import { invalid } from "../../../../core/problem.ts";
import { MOST_ROWS, PageMeta, paging } from "../../../../core/records/entity.ts";
import { BOOK } from "../configurations/trail.ts";

const permit = "platform:administer";
const MOST_LINES = 10_000;

const Line = z
  .object({
    value: z.string(),
    fromEnvironment: z.boolean().describe("Of the settings, which alone can take it back."),
    createdAt: z.string().optional(),
  })
  .meta({ id: "AdmissionLine" });
const Changed = z
  .object({ added: z.array(z.string()), removed: z.array(z.string()), kept: z.array(z.string()) })
  .meta({ id: "AdmissionChange" });
type Change = z.output<typeof Changed>;
type Kind = "allow" | "block";

const force = z.boolean().default(false).describe("Store it even if it blocks your own address.");

/** The one that a request names, in the query or in the body. Throws 400 without one, or where both differ. */
function namedBy(name: string, inQuery: string | undefined, body: Record<string, string> | undefined): string {
  const inBody = body?.[name];
  const value = inQuery ?? inBody;
  if (value === undefined) throw invalid([{ path: name, message: "Name it, in the query or in the body." }]);
  if (inBody !== undefined && inBody !== value)
    throw invalid([{ path: name, message: "The query names another one than the body." }]);
  return value;
}

/** Sets a list by the domain that owns it, and tells the trail what became of it. */
async function replace(
  host: Host,
  ctx: Ctx<unknown>,
  [kind, config]: [Kind, string],
  { values, isForced }: { values: readonly string[]; isForced: boolean },
): Promise<Change> {
  const by = personOf(ctx.meta.actor);
  ctx.locals.said = { config };
  const change = await host.ask<Change>("user-profile.admission.replace", { kind, values, by, force: isForced });
  const changes = [
    ...change.added.map((to) => ({ path: "lines", to })),
    ...change.removed.map((from) => ({ path: "lines", from })),
  ];
  ctx.locals.said = { config, changes: changes.slice(0, MOST_TOLD) };
  return change;
}
/** Changes of one write that the trail names. */
const MOST_TOLD = 200;

async function drop(
  host: Host,
  ctx: Ctx<unknown>,
  [kind, config]: [Kind, string],
  { value, isForced }: { value: string; isForced: boolean },
): Promise<null> {
  ctx.locals.said = { config, changes: [{ path: "lines", from: value }] };
  await host.ask("user-profile.admission.drop", { kind, value, by: personOf(ctx.meta.actor), force: isForced });
  return null;
}

const page = (host: Host, kind: Kind, { page: number, limit }: { page: number; limit: number }) =>
  host.ask<{ data: z.output<typeof Line>[]; meta: z.output<typeof PageMeta> }>("user-profile.admission.lines", {
    kind,
    page: number,
    limit: Math.min(limit, MOST_ROWS),
  });

const WHOLE = "Send the whole list, its entries in any notation. Entries from the settings must be included (409).";
const ONE = "Named in the query or in the body.";
const errors = { 409: "The entry comes from the settings.", 422: "`OWN_ADDRESS` unless forced." };
const DOMAINS: [Kind, string] = ["allow", "email-domains"];
const BLOCKED: [Kind, string] = ["block", "blocked-emails"];

export const admissionActions = {
  "emailDomains.list": endpoint({
    rest: "GET /config/email-domains",
    summary: "List the allowed mail domains",
    permit,
    query: paging,
    returns: list(Line),
    description:
      "An empty list allows every domain. These are the same entries as at `/api/user-profile/email-domains`.",
    handler(ctx) {
      return page(this, "allow", ctx.params);
    },
  }),
  "emailDomains.replace": endpoint({
    rest: "PUT /config/email-domains",
    summary: "Set the allowed mail domains",
    permit,
    stepUp: true,
    audit: BOOK,
    query: { force },
    body: { domains: z.array(DomainPattern).max(MOST_LINES) },
    returns: data(Changed),
    example: { domains: ["example.org", "*.example.org"] },
    description: WHOLE,
    errors,
    handler(ctx) {
      return replace(this, ctx, DOMAINS, { values: ctx.params.domains, isForced: ctx.params.force });
    },
  }),
  "emailDomains.remove": endpoint({
    rest: "DELETE /config/email-domains",
    summary: "Remove an allowed mail domain",
    permit,
    stepUp: true,
    audit: BOOK,
    query: { domain: DomainPattern.optional().describe("The domain to remove; alternatively in the body."), force },
    body: z.strictObject({ domain: DomainPattern }).optional(),
    returns: nothing(),
    status: 204,
    description: ONE,
    errors: { ...errors, 404: "It is not on the list." },
    example: { domain: "example.org" },
    handler(ctx) {
      const { domain, body } = ctx.params;
      return drop(this, ctx, DOMAINS, { value: namedBy("domain", domain, body), isForced: ctx.params.force });
    },
  }),

  "blockedEmails.list": endpoint({
    rest: "GET /config/blocked-emails",
    summary: "List the blocked mail addresses and domains",
    permit,
    query: paging,
    returns: list(Line),
    description: "The same entries as at `/api/user-profile/blocked-emails`.",
    handler(ctx) {
      return page(this, "block", ctx.params);
    },
  }),
  "blockedEmails.replace": endpoint({
    rest: "PUT /config/blocked-emails",
    summary: "Set the blocked mail addresses and domains",
    permit,
    stepUp: true,
    audit: BOOK,
    query: { force },
    body: { emails: z.array(Blocked).max(MOST_LINES) },
    returns: data(Changed),
    example: { emails: ["nobody@example.org"] },
    description: `${WHOLE} An account that is there already stays.`,
    errors,
    handler(ctx) {
      return replace(this, ctx, BLOCKED, { values: ctx.params.emails, isForced: ctx.params.force });
    },
  }),
  "blockedEmails.remove": endpoint({
    rest: "DELETE /config/blocked-emails",
    summary: "Unblock a mail address or domain",
    permit,
    stepUp: true,
    audit: BOOK,
    query: { email: Blocked.optional().describe("The address or domain to remove; alternatively in the body."), force },
    body: z.strictObject({ email: Blocked }).optional(),
    returns: nothing(),
    status: 204,
    description: ONE,
    errors: { ...errors, 404: "It is not on the list." },
    example: { email: "somebody@example.org" },
    handler(ctx) {
      const { email, body } = ctx.params;
      return drop(this, ctx, BLOCKED, { value: namedBy("email", email, body), isForced: ctx.params.force });
    },
  }),
};
