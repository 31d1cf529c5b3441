import { z } from "zod";
import { entity, type Item } from "../../../core/records/entity.ts";
import { derivedId } from "../../../core/ids.ts";
import { blockableBy, patternsOf } from "../../../core/mail-address.ts";

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

export const Admission = z
  .object({
    email: z.string().describe("The address in the form it is kept in."),
    valid: z.boolean().describe("Whether it has the form of an address."),
    allowed: z.boolean().describe("Whether an account may have it."),
    reason: z.enum(["MALFORMED", "DOMAIN_NOT_ALLOWED", "BLOCKED"]).optional(),
    message: z.string().optional(),
  })
  .meta({ id: "EmailAdmission" });
export type Admission = z.output<typeof Admission>;

/**
 * The rules that stand for this address: which of `allow` and `block` hold it, and whether the allowlist has any line
 * at all.
 */
export function admissionRules(
  email: string,
  { allows, blocks, restricted }: { allows: ReadonlySet<string>; blocks: ReadonlySet<string>; restricted: boolean },
): Admission {
  if (blockableBy(email).some((value) => blocks.has(value)))
    return { email, valid: true, allowed: false, reason: "BLOCKED", message: "This address cannot have an account." };
  const domain = email.slice(email.lastIndexOf("@") + 1);
  if (restricted && !patternsOf(domain).some((value) => allows.has(value)))
    return {
      email,
      valid: true,
      allowed: false,
      reason: "DOMAIN_NOT_ALLOWED",
      message: `Addresses of ${domain} are not taken here.`,
    };
  return { email, valid: true, allowed: true };
}
