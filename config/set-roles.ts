import { holds } from "../core/access/access.ts";

/** Roles inside a problem set, the highest first. */
export const SET_ROLE_NAMES = ["commander", "deputy", "planner", "analyst", "liaison", "observer"] as const;
export type SetRole = (typeof SET_ROLE_NAMES)[number];

/**
 * Who may do what inside a problem set, all of it: the platform's roles (config/roles.ts) say nothing there. A
 * permission is `<noun>:<responsibility>`; beside these lines a commander may do everything and everybody may read.
 * Compartments are apart from roles: no role, the commander's included, sees into one it is not read into.
 */
const ALLOWED: Readonly<Record<string, readonly SetRole[]>> = {
  "set:edit": ["deputy"],
  "members:invite": ["deputy", "liaison"],
  "members:manage": ["deputy"],
  "compartments:manage": ["deputy"],
  "positions:manage": ["deputy", "planner"],
  "panels:edit": ["deputy", "planner"],
  "escalations:manage": ["deputy"],
  "escalations:fire": ["deputy", "planner", "analyst"],
  "activity:subscribe": ["deputy", "planner", "analyst", "liaison"],
  "missions:edit": ["deputy", "planner"],
  "missions:invite": ["deputy", "planner"],
  "command:edit": ["deputy", "planner"],
  "mdmp:plan": ["deputy", "planner", "analyst"],
  "mdmp:decide": ["deputy"],
  "gates:create": ["deputy", "planner"],
  "gates:submit": ["deputy", "planner", "analyst"],
  "gates:escalate": ["deputy", "planner"],
  "gates:decide": ["deputy"],
  "gates:override": ["deputy"],
  "gates:configure": ["deputy"],
  "inheritance:direct": ["deputy"],
  "inheritance:annotate": ["deputy", "planner", "analyst", "liaison"],
  "inheritance:ask": ["deputy", "planner", "analyst", "liaison"],
  "dao:found": ["deputy", "planner"],
  "dao:govern": ["deputy"],
  "dao:propose": ["deputy", "planner", "analyst", "liaison"],
  "dao:vote": ["deputy", "planner", "analyst", "liaison"],
  "credentials:issue": ["deputy"],
  "messages:publish": ["deputy", "planner", "analyst", "liaison"],
  "cop:draft": ["deputy", "planner", "analyst"],
  "cop:review": ["deputy", "planner"],
  "cop:publish": ["deputy"],
  "cop:watch": ["deputy", "planner"],
  "cop:link": ["deputy", "planner", "analyst"],
  "resources:edit": ["deputy", "planner"],
  "resources:report": ["deputy", "planner", "analyst", "liaison"],
  "personnel:edit": ["deputy"],
  "sensors:edit": ["deputy", "planner"],
  "sensors:report": ["deputy", "planner", "analyst", "liaison"],
  "discovery:inspect": ["deputy", "planner", "analyst", "liaison"],
  "discovery:report": ["deputy", "planner", "analyst", "liaison"],
  "discovery:decide": ["deputy"],
  "discovery:disconnect": ["deputy"],
  "documents:add": ["deputy", "planner", "analyst", "liaison"],
  "documents:withdraw": ["deputy", "planner"],
  "objectives:edit": ["deputy", "planner", "analyst"],
  "objectives:submit": ["deputy", "planner", "analyst"],
  "objectives:comment": ["deputy", "planner", "analyst", "liaison"],
  "objectives:assess": ["deputy", "planner", "analyst"],
  "objectives:escalate": ["deputy", "planner"],
  "objectives:decide": ["deputy"],
  "risks:assess": ["deputy", "planner", "analyst"],
  "risks:decide": ["deputy"],
  "risks:accept-high": [],
  "intents:write": ["deputy", "planner"],
  "intents:approve": [],
  "operations:plan": ["deputy", "planner", "analyst"],
  "documents:extract": ["deputy", "planner", "analyst"],
  "documents:review": ["deputy", "planner", "analyst"],
  "documents:settle": ["deputy", "planner"],
  "environment:shape": ["deputy", "planner"],
  "environment:file": ["deputy", "planner", "analyst", "liaison"],
  "assignments:give": ["deputy", "planner", "analyst"],
  "assignments:manage": ["deputy", "planner"],
  "design:edit": ["deputy", "planner", "analyst"],
  "design:hand-off": ["deputy"],
  "intelligence:collect": ["deputy", "planner", "analyst"],
  "intelligence:watch": ["deputy", "planner", "analyst"],
  "intelligence:acknowledge": ["deputy", "planner", "analyst", "liaison"],
  "intelligence:fuse": ["deputy", "planner", "analyst"],
  "intelligence:review": ["deputy"],
  "intelligence:steer": ["deputy", "planner"],
  "validity:calculate": ["deputy", "planner", "analyst"],
  "validity:acknowledge": ["deputy", "planner", "analyst"],
  "agents:enrol": ["deputy", "planner"],
  "agents:delegate": ["deputy", "planner", "analyst", "liaison"],
  "agents:run": ["deputy", "planner", "analyst", "liaison"],
  "agents:approve": ["deputy", "planner"],
  "agents:manage": ["deputy"],
  "validation:run": ["deputy", "planner"],
  "validation:manage": ["deputy"],
  "graph:edit": ["deputy", "planner", "analyst"],
  "graph:build": ["deputy", "planner", "analyst", "liaison"],
  "events:record": ["deputy", "planner", "analyst", "liaison"],
  "events:link": ["deputy", "planner", "analyst"],
  "orchestration:run": ["deputy", "planner", "analyst", "liaison"],
  "orchestration:decide": ["deputy", "planner", "analyst", "liaison"],
  "orchestration:supervise": ["deputy", "planner"],
  "orchestration:manage": ["deputy"],
  "ai-staff:add": ["deputy", "planner", "analyst", "liaison"],
  "ai-staff:annotate": ["deputy", "planner", "analyst", "liaison"],
  "ai-staff:ask": ["deputy", "planner", "analyst", "liaison"],
  "ai-staff:decide": ["deputy", "planner", "analyst"],
  "ai-staff:route": ["deputy", "planner"],
  "encryption:use": ["deputy", "planner", "analyst", "liaison"],
  "encryption:manage": ["deputy"],
};

const allowedTo = (role: SetRole): readonly string[] =>
  role === "commander"
    ? ["*"]
    : [
        "*:read",
        ...Object.entries(ALLOWED)
          .filter(([, roles]) => roles.includes(role))
          .map(([permit]) => permit),
      ];

const SET_ROLES = Object.fromEntries(SET_ROLE_NAMES.map((role) => [role, allowedTo(role)])) as Readonly<
  Record<SetRole, readonly string[]>
>;
/** Whether a role stands above another: the table is in falling order of rank. */
export const outranks = (one: SetRole, other: SetRole): boolean =>
  SET_ROLE_NAMES.indexOf(one) < SET_ROLE_NAMES.indexOf(other);
/** The roles that allow something inside a problem set, the highest first. */
export const setRolesWith = (permit: string): SetRole[] =>
  SET_ROLE_NAMES.filter((role) => holds(SET_ROLES[role], permit));
/** What a role allows inside a problem set; an unknown role allows nothing. */
export const setPermitsOf = (role: string): readonly string[] =>
  Object.hasOwn(SET_ROLES, role) ? SET_ROLES[role as SetRole] : [];
