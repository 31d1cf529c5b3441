import type { ReactNode } from "react";
import { Select } from "../../parts/form.tsx";
import { ROLE_WORDS, rolesUpTo, type SetRole } from "../roles.ts";
import { useSet } from "../set/use-set.tsx";

/** The roles that whoever is here may give, with what each is for. */
export function RoleSelect({ value = "analyst" }: { value?: SetRole }): ReactNode {
  const roles = rolesUpTo(useSet().set.role);
  return (
    <Select
      label="Role"
      name="role"
      defaultValue={roles.includes(value) ? value : roles[0]}
      options={roles.map((role) => [role, `${role}: ${ROLE_WORDS[role].split(":")[0]!.replace(/\.$/, "")}`] as const)}
    />
  );
}
