import { holds } from "../core/access/access.ts";

/**
 * Who may do what on the platform, all of it. A permit is `<noun>:<responsibility>`; `*` stands for any. Roles inside a
 * problem set are another table, beside that noun.
 */
export const ROLES = {
  reader: ["*:read", "identity:hold"],
  analyst: [
    "*:read",
    "identity:hold",
    "sources:curate",
    "lists:curate",
    "articles:verify",
    "briefings:make",
    "escrow:participate",
    "messages:publish",
    "cop:draft",
    "cop:link",
    "resources:edit",
    "resources:report",
    "sensors:edit",
    "sensors:report",
    "discovery:inspect",
    "discovery:report",
    "edge-sync:carry",
  ],
  admin: [
    "*:read",
    "identity:hold",
    "accounts:administer",
    "credentials:issue",
    "credentials:administer",
    "sources:curate",
    "lists:curate",
    "articles:verify",
    "briefings:make",
    "audit:inspect",
    "platform:administer",
    "jobs:administer",
    "articles:administer",
    "search:administer",
    "escrow:participate",
    "escrow:administer",
    "messages:publish",
    "cop:draft",
    "cop:review",
    "cop:publish",
    "cop:watch",
    "cop:link",
    "personnel:edit",
    "resources:edit",
    "resources:report",
    "sensors:edit",
    "sensors:report",
    "discovery:inspect",
    "discovery:report",
    "discovery:operate",
    "discovery:decide",
    "discovery:disconnect",
    "discovery:administer",
    "edge-sync:carry",
    "edge-sync:administer",
    "agents:administer",
  ],
  system_admin: ["*"],
} as const satisfies Record<string, readonly string[]>;

export type Role = keyof typeof ROLES;
export const ROLE_NAMES = Object.keys(ROLES) as [Role, ...Role[]];

const permitsOfOne = new Map<string, readonly string[]>(
  ROLE_NAMES.map((role) => [role, Object.freeze([...new Set<string>(ROLES[role])])]),
);

/** The roles that have a permit. */
export const rolesWith = (permit: string): Role[] => ROLE_NAMES.filter((role) => holds(ROLES[role], permit));

/** An account's permits: those of its roles together. An unknown role grants nothing. */
export const permitsOf = (roles: readonly string[]): readonly string[] =>
  roles.length === 1
    ? (permitsOfOne.get(roles[0]!) ?? [])
    : [...new Set(roles.flatMap((role) => permitsOfOne.get(role) ?? []))];
