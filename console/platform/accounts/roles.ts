import type { ListRow } from "../../api/client.ts";

type Account = ListRow<"GET /auth/users">;
export type AccountRole = Account["role"];

/** Roles on the platform, and what they allow in words. */
export const ROLES: Record<AccountRole, string> = {
  reader: "Reader",
  analyst: "Analyst",
  admin: "Administrator",
  system_admin: "System administrator",
};
export const ALLOWS: Record<AccountRole, string> = {
  reader: "Reads what is open to all, and works in the problem sets that they are in.",
  analyst: "Also follows sources, verifies articles, makes briefings, and keeps the picture, resources and sensors.",
  admin: "Also runs the platform: settings, agents, jobs, the audit log. Not the accounts of others.",
  system_admin: "May do everything, accounts of others included.",
};

export const nameOf = ({ name, email, claimedEmail, id }: Account): string => name ?? email ?? claimedEmail ?? id;
