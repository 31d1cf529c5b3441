/**
 * Who may do what inside a problem set, all of it: the platform's roles (config/roles.ts) say nothing there. A permission is
 * `<noun>:<responsibility>`; `*` stands for any. Compartments are apart from roles: no role, the commander's included, sees into
 * one it is not read into. Roles stand in falling order of rank: nobody gives a role above their own.
 */
export const SET_ROLES = {
  commander: ["*"],
  deputy: ["*:read", "missions:edit", "missions:invite", "command:edit", "mdmp:plan", "mdmp:decide", "gates:create", "gates:submit", "gates:decide", "gates:override", "gates:escalate", "gates:configure", "set:edit", "members:invite", "members:manage", "compartments:manage", "positions:manage", "panels:edit", "escalations:manage", "escalations:fire", "activity:subscribe", "credentials:issue", "encryption:use", "encryption:manage"],
  planner: ["*:read", "gates:create", "gates:submit", "gates:escalate", "missions:edit", "missions:invite", "command:edit", "mdmp:plan", "positions:manage", "panels:edit", "escalations:fire", "activity:subscribe", "encryption:use"],
  analyst: ["*:read", "gates:submit", "mdmp:plan", "escalations:fire", "activity:subscribe", "encryption:use"],
  liaison: ["*:read", "members:invite", "activity:subscribe", "encryption:use"],
  observer: ["*:read"],
} as const satisfies Record<string, readonly string[]>;

export type SetRole = keyof typeof SET_ROLES;
export const SET_ROLE_NAMES = Object.keys(SET_ROLES) as [SetRole, ...SetRole[]];

/** Whether a role stands above another: the table is in falling order of rank. */
export const outranks = (one: SetRole, other: SetRole): boolean => SET_ROLE_NAMES.indexOf(one) < SET_ROLE_NAMES.indexOf(other);
/** What a role allows inside a problem set; an unknown role allows nothing. */
export const setPermitsOf = (role: string): readonly string[] => (Object.hasOwn(SET_ROLES, role) ? SET_ROLES[role as SetRole] : []);
