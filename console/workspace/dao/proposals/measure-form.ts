import type { FormFields } from "../../../parts/form-fields.ts";
import type { DaoConfig, DaoMeasure, DaoMeasureName } from "../dao-types.ts";

type Made = { measure: DaoMeasure } | { missing: string };

/** What a measure of each kind needs of its form, and how it is called. */
const NEEDED: Readonly<Record<Exclude<DaoMeasureName, "change-config">, readonly (readonly [string, string])[]>> = {
  "grant-dao-role": [
    ["account", "somebody"],
    ["roleId", "a role of the DAO"],
  ],
  "revoke-dao-role": [
    ["account", "somebody"],
    ["roleId", "a role of the DAO"],
  ],
  "grant-set-role": [
    ["account", "somebody"],
    ["role", "a role"],
  ],
  "open-gate": [["gateId", "a gate"]],
  "pay-bounty": [["bountyId", "a bounty"]],
};

/** The measure that a form says; a sentence on what is missing where it says none. */
export function measureFrom(name: DaoMeasureName, fields: FormFields, config: Partial<DaoConfig>): Made {
  const option = fields["option"] === undefined ? {} : { option: Number(fields["option"]) };
  if (name === "change-config")
    return Object.keys(config).length
      ? { measure: { do: name, config, ...option } as DaoMeasure }
      : { missing: "Change one rule at least: what you left empty or as it is stays." };
  const lacking = NEEDED[name].find(([field]) => !fields[field]);
  if (lacking) return { missing: `Choose ${lacking[1]}.` };
  const given = Object.fromEntries(NEEDED[name].map(([field]) => [field, fields[field]!.trim()]));
  return { measure: { do: name, ...given, ...option } as unknown as DaoMeasure };
}
