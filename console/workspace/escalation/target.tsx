import type { ReactNode } from "react";
import type { Input } from "../../api/client.ts";
import { Select } from "../../parts/form.tsx";
import { ROLES, type SetRole } from "../roles.ts";
import { choicesOf, usePeople } from "../set/known.ts";

type Target = NonNullable<Input<"POST /problem-sets/{id}/escalate">["body"]["target"]>;

/** A role or one person, as a select has it. */
export const targetOf = (value: string): Target =>
  value.startsWith("did:") ? { did: value } : { role: value as SetRole };

/** Who is told: all in a role, or one person. */
export function TargetSelect(): ReactNode {
  const people = usePeople();
  return (
    <Select
      label="Tell"
      name="target"
      options={[...ROLES.map((role) => [role, `every ${role}`] as const), ...choicesOf(people, ({ did }) => did)]}
    />
  );
}
