import { useState, type ReactNode } from "react";
import { Select } from "../../parts/form.tsx";
import { ALLOWS, ROLES, type AccountRole } from "./roles.ts";

/** One of the platform's roles, and what it allows. */
export function RoleSelect({ initial }: { initial: AccountRole }): ReactNode {
  const [role, setRole] = useState(initial);
  return (
    <Select
      label="Role"
      name="role"
      value={role}
      onChange={({ currentTarget }) => setRole(currentTarget.value as AccountRole)}
      options={Object.entries(ROLES) as [AccountRole, string][]}
      hint={ALLOWS[role]}
    />
  );
}
