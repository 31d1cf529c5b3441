import { domainToASCII } from "node:url";
import { z } from "zod";
import { entity, type Item } from "../../../core/entity.ts";
import { derivedId } from "../../../core/ids.ts";
import { Email } from "../auth/users.ts";

const LABEL = /^[a-z0-9-]{1,63}$/;
const isHost = (host: string): boolean => host.length <= 253 && host.split(".").every((label) => LABEL.test(label) && !label.startsWith("-") && !label.endsWith("-"));
const withoutWild = (pattern: string): string => (pattern.startsWith("*.") ? pattern.slice(2) : pattern);
/** As DNS has it (IDNA); empty for what is no host. */
const inDns = (pattern: string): string => pattern.slice(0, pattern.length - withoutWild(pattern).length) + domainToASCII(withoutWild(pattern).toLowerCase());

/** A host name, or `*.` and a host name for all that lies below it; kept in the form that DNS has. */
export const DomainPattern = z.string().min(1).max(255).overwrite((given) => inDns(given) || given).refine((pattern) => isHost(withoutWild(pattern)), "This is not a domain, such as `example.org` or `*.example.org`.");

/** What may be blocked: an address, or a whole domain. */
export const Blocked = z.string().max(320).overwrite((given) => (given.includes("@") ? (normalised(given) ?? given) : inDns(given) || given))
  .refine((value) => (value.includes("@") ? normalised(value) !== null : isHost(withoutWild(value))), "This is neither an address nor a domain.");

/** One line of the allowlist or of the blocked ones; its id is made from what it says, so that a line is there once. */
export const AdmissionRule = entity("user-profile.admission", {
  title: "admission rule",
  collection: "admission_rules",
  fields: { kind: z.enum(["allow", "block"]), value: z.string() },
  filter: ["kind"],
  sort: ["value"],
  indexes: [{ fields: ["kind", "value"] }],
});
export type AdmissionRule = Item<typeof AdmissionRule>;
export type RuleKind = AdmissionRule["kind"];

export const ruleId = (kind: RuleKind, value: string): string => derivedId(`admission ${kind} ${value}`);

export const Admission = z.object({
  email: z.string().describe("The address in the form it is kept in."),
  valid: z.boolean().describe("Whether it has the form of an address."),
  allowed: z.boolean().describe("Whether an account may have it."),
  reason: z.enum(["MALFORMED", "DOMAIN_NOT_ALLOWED", "BLOCKED"]).optional(),
  message: z.string().optional(),
}).meta({ id: "EmailAdmission" });
export type Admission = z.output<typeof Admission>;

/** The address in its kept form with the domain as DNS has it; null where it is none. */
export function normalised(given: string): string | null {
  const at = given.trim().lastIndexOf("@");
  if (at < 1) return null;
  const domain = domainToASCII(given.trim().slice(at + 1));
  const parsed = Email.safeParse(`${given.trim().slice(0, at)}@${domain}`);
  return parsed.success ? parsed.data : null;
}

/** `a.b.example.org` → itself, `*.b.example.org`, `*.example.org`, `*.org`: every pattern that holds it. */
export function patternsOf(domain: string): string[] {
  const labels = domain.split(".");
  return [domain, ...labels.slice(1).map((_label, at) => `*.${labels.slice(at + 1).join(".")}`)];
}

/** Every value by which an address could be blocked. What follows a `+` is a label of its owner's: it opens no way around. */
export function blockableBy(email: string): string[] {
  const [local, domain] = [email.slice(0, email.lastIndexOf("@")), email.slice(email.lastIndexOf("@") + 1)];
  const plain = local.replace(/\+.*$/, "");
  return [...new Set([email, `${plain}@${domain}`]), ...patternsOf(domain)];
}

/** The rules that stand for this address: which of `allow` and `block` hold it, and whether the allowlist has any line at all. */
export function judge(email: string, { allows, blocks, restricted }: { allows: ReadonlySet<string>; blocks: ReadonlySet<string>; restricted: boolean }): Admission {
  if (blockableBy(email).some((value) => blocks.has(value))) return { email, valid: true, allowed: false, reason: "BLOCKED", message: "This address cannot have an account." };
  const domain = email.slice(email.lastIndexOf("@") + 1);
  if (restricted && !patternsOf(domain).some((value) => allows.has(value))) return { email, valid: true, allowed: false, reason: "DOMAIN_NOT_ALLOWED", message: `Addresses of ${domain} are not taken here.` };
  return { email, valid: true, allowed: true };
}
