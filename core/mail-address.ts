import { domainToASCII } from "node:url";
import { z } from "zod";

/** The address in its kept form with the domain as DNS has it; null where it is none. */
export function normalised(given: string): string | null {
  const at = given.trim().lastIndexOf("@");
  if (at < 1) return null;
  const domain = domainToASCII(given.trim().slice(at + 1));
  const parsed = z
    .email()
    .max(254)
    .safeParse(`${given.trim().slice(0, at)}@${domain}`.toLowerCase());
  return parsed.success ? parsed.data : null;
}

const LABEL = /^[a-z0-9-]{1,63}$/;
const isHost = (host: string): boolean =>
  host.length <= 253 &&
  host.split(".").every((label) => LABEL.test(label) && !label.startsWith("-") && !label.endsWith("-"));
const withoutWild = (pattern: string): string => (pattern.startsWith("*.") ? pattern.slice(2) : pattern);
/** As DNS has it (IDNA); empty for what is no host. */
const inDns = (pattern: string): string =>
  pattern.slice(0, pattern.length - withoutWild(pattern).length) + domainToASCII(withoutWild(pattern).toLowerCase());

/** A host name, or `*.` and a host name for all that lies below it; kept in the form that DNS has. */
export const DomainPattern = z
  .string()
  .min(1)
  .max(255)
  .overwrite((given) => inDns(given) || given)
  .refine((pattern) => isHost(withoutWild(pattern)), "This is not a domain, such as `example.org` or `*.example.org`.");

/** What may be blocked: an address, or a whole domain. */
export const Blocked = z
  .string()
  .max(320)
  .overwrite((given) => (given.includes("@") ? (normalised(given) ?? given) : inDns(given) || given))
  .refine(
    (value) => (value.includes("@") ? normalised(value) !== null : isHost(withoutWild(value))),
    "This is neither an address nor a domain.",
  );

/** `a.b.example.org` → itself, `*.b.example.org`, `*.example.org`, `*.org`: every pattern that holds it. */
export function patternsOf(domain: string): string[] {
  const labels = domain.split(".");
  return [domain, ...labels.slice(1).map((_label, at) => `*.${labels.slice(at + 1).join(".")}`)];
}

/**
 * Every value by which an address could be blocked. What follows a `+` is a label of its owner's: it opens no way
 * around.
 */
export function blockableBy(email: string): string[] {
  const [local, domain] = [email.slice(0, email.lastIndexOf("@")), email.slice(email.lastIndexOf("@") + 1)];
  const plain = local.split("+", 1)[0]!;
  return [...new Set([email, `${plain}@${domain}`]), ...patternsOf(domain)];
}
