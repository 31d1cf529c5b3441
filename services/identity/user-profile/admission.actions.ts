import { z } from "zod";
import { bare, data, list, nothing } from "../../../core/contract/answer.ts";
import { asSystem, type Ctx } from "../../../core/access/caller.ts";
import { endpoint, type Host } from "../../../core/contract/endpoint.ts";
import { paging, TextId } from "../../../core/records/entity.ts";
import { Blocked, blockableBy, DomainPattern, normalised, patternsOf } from "../../../core/mail-address.ts";
import { notFound } from "../../../core/problem.ts";
import { Admission, AdmissionRule, admissionRules, ruleId, type RuleKind } from "./admission.ts";

const caller = asSystem("user-profile");
const RuleView = z
  .object({
    id: TextId.nullable().describe("Null for a line of the settings, which only the settings can take back."),
    kind: AdmissionRule.record.shape.kind,
    value: z.string(),
    createdAt: z.string().optional(),
  })
  .meta({ id: "AdmissionRule" });

/** Whether the allowlist has any line: without one every domain is let in. */
export async function isRestricted(host: Host): Promise<boolean> {
  return (
    host.world.env.EMAIL_DOMAINS.length > 0 || (await host.store(AdmissionRule).one(caller, { kind: "allow" })) !== null
  );
}

async function admit(host: Host, given: string): Promise<z.output<typeof Admission>> {
  const email = normalised(given);
  if (!email)
    return {
      email: given,
      valid: false,
      allowed: false,
      reason: "MALFORMED",
      message: "This is not an email address.",
    };
  const { EMAIL_DOMAINS, BLOCKED_EMAILS } = host.world.env;
  const domain = email.slice(email.lastIndexOf("@") + 1);
  const ids = [
    ...blockableBy(email).map((value) => ruleId("block", value)),
    ...patternsOf(domain).map((value) => ruleId("allow", value)),
  ];
  const [kept, restricted] = await Promise.all([host.store(AdmissionRule).many(caller, ids), isRestricted(host)]);
  const values = (kind: RuleKind, settings: readonly string[]) =>
    new Set([...settings, ...kept.filter((rule) => rule.kind === kind).map(({ value }) => value)]);
  return admissionRules(email, {
    allows: values("allow", EMAIL_DOMAINS),
    blocks: values("block", BLOCKED_EMAILS),
    restricted,
  });
}

async function add(host: Host, ctx: Ctx<unknown>, kind: RuleKind, value: string): Promise<AdmissionRule> {
  const id = ruleId(kind, value);
  return (
    (await host.store(AdmissionRule).one(caller, { _id: id })) ??
    host.store(AdmissionRule).create(ctx, { id, kind, value })
  );
}

async function remove(host: Host, ctx: Ctx<unknown>, kind: RuleKind, value: string): Promise<null> {
  const rule = await host.store(AdmissionRule).one(caller, { _id: ruleId(kind, value) });
  if (!rule) throw notFound(kind === "allow" ? "allowed domain" : "blocked address", value);
  await host.store(AdmissionRule).remove(ctx, rule);
  return null;
}

/** Lines of the settings come before those that were added here, on the first page. */
async function listed(
  host: Host,
  kind: RuleKind,
  settings: readonly string[],
  params: { page: number; limit: number },
) {
  const { data: rows, meta } = await host.store(AdmissionRule).page(caller, { ...params, sort: "value" }, { kind });
  const fixed = params.page === 1 ? settings.map((value) => ({ id: null, kind, value })) : [];
  return { data: [...fixed, ...rows], meta };
}

const administer = "users:administer";

/**
 * Who may have an account, by their address: the allowlist of domains and what is blocked. The admin domain edits the
 * same lines through these.
 */
export const admissionActions = {
  validateEmail: endpoint({
    rest: "POST /validate-email",
    summary: "Test an address against the allowed mail domains",
    permit: "public",
    reads: true,
    body: { email: z.string().min(1).max(320) },
    returns: data(Admission),
    example: { email: "someone@example.org" },
    description: "Reports on the form and the domain, never on whether somebody has an account.",
    handler(ctx) {
      return admit(this, ctx.params.email);
    },
  }),

  admit: endpoint({
    summary: "Whether an account may have this address; asked before one is made",
    permit: "internal",
    body: { email: z.string().max(320) },
    returns: bare(Admission),
    handler(ctx) {
      return admit(this, ctx.params.email);
    },
  }),

  "emailDomains.list": endpoint({
    rest: "GET /email-domains",
    summary: "List the allowed mail domains",
    permit: administer,
    beyond: true,
    query: paging,
    returns: list(RuleView),
    description: "An empty list allows every domain.",
    handler(ctx) {
      return listed(this, "allow", this.world.env.EMAIL_DOMAINS, ctx.params);
    },
  }),
  "emailDomains.add": endpoint({
    rest: "PUT /email-domains",
    summary: "Allow the mail addresses of a domain",
    permit: administer,
    beyond: true,
    body: { domain: DomainPattern },
    returns: data(RuleView),
    example: { domain: "*.example.org" },
    handler(ctx) {
      return add(this, ctx, "allow", ctx.params.domain);
    },
  }),
  "emailDomains.remove": endpoint({
    rest: "DELETE /email-domains",
    summary: "Remove a domain from the allowlist",
    permit: administer,
    beyond: true,
    query: { domain: DomainPattern.describe("The domain to remove.") },
    returns: nothing(),
    status: 204,
    errors: { 404: "It is not on the list." },
    handler(ctx) {
      return remove(this, ctx, "allow", ctx.params.domain);
    },
  }),

  "blockedEmails.list": endpoint({
    rest: "GET /blocked-emails",
    summary: "List the blocked mail addresses and domains",
    permit: administer,
    beyond: true,
    query: paging,
    returns: list(RuleView),
    handler(ctx) {
      return listed(this, "block", this.world.env.BLOCKED_EMAILS, ctx.params);
    },
  }),
  "blockedEmails.add": endpoint({
    rest: "PUT /blocked-emails",
    summary: "Block a mail address or domain",
    permit: administer,
    beyond: true,
    body: { email: Blocked },
    returns: data(RuleView),
    example: { email: "nobody@example.org" },
    description:
      "Overrides the allowlist, and applies to the address with any `+label` too. Existing accounts are " +
      "not affected.",
    handler(ctx) {
      return add(this, ctx, "block", ctx.params.email);
    },
  }),
  "blockedEmails.remove": endpoint({
    rest: "DELETE /blocked-emails",
    summary: "Remove a blocked mail address or domain",
    permit: administer,
    beyond: true,
    query: { email: Blocked.describe("The address or domain to remove.") },
    returns: nothing(),
    status: 204,
    errors: { 404: "It is not on the list." },
    handler(ctx) {
      return remove(this, ctx, "block", ctx.params.email);
    },
  }),
};
