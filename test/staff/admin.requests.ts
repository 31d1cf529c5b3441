import { stored, type TestWorld } from "../mesh.ts";
import type { Rows } from "../requests.ts";

const HTTP = {
  kind: "http",
  summary: "Show a thing of somebody else's",
  http: { method: "GET", url: "https://things.example.org/v1/{id}", hosts: ["things.example.org"] },
  parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  class: "communicate-outside",
  effect: "read",
};
let count = 0;
const nameOf = (what: string): string => `row_${what}_${++count}`;
const everywhere = async (at: TestWorld, fields: object = {}): Promise<string> =>
  (await at.http("POST", "/api/admin/agents", { body: { name: "Row", ...fields } })).body.data.id;
const tool = async (at: TestWorld): Promise<string> =>
  (await at.http("POST", "/api/admin/tools", { body: { ...HTTP, name: nameOf("tool") } })).body.data.id;
const team = async (at: TestWorld, fields: object = {}): Promise<string> =>
  (await at.http("POST", "/api/admin/teams", { body: { name: "Row", ...fields } })).body.data.id;

export const requests: Rows["requests"] = {
  "POST /api/admin/agents": async () => ({
    path: "/api/admin/agents",
    body: { name: "Row", templateId: "document-reader" },
    effect: stored("agents"),
  }),
  "POST /api/admin/tools": async () => ({
    path: "/api/admin/tools",
    body: { ...HTTP, name: nameOf("made") },
    effect: stored("agents_tools"),
  }),
  "POST /api/admin/tools/:toolId/assign/:agentId": async (at) => ({
    path: `/api/admin/tools/${await tool(at)}/assign/${await everywhere(at)}`,
    body: {},
  }),
  "POST /api/admin/teams": async () => ({
    path: "/api/admin/teams",
    body: { name: "Row" },
    effect: stored("agents_teams"),
  }),
  "POST /api/admin/teams/:teamId/members": async (at) => ({
    path: `/api/admin/teams/${await team(at)}/members`,
    body: { agentId: await everywhere(at), lead: true },
  }),
  "POST /api/admin/agent-builder/validate": async () => ({
    path: "/api/admin/agent-builder/validate",
    body: { name: "Row" },
  }),
  "POST /api/admin/agent-builder/preview-prompt": async () => ({
    path: "/api/admin/agent-builder/preview-prompt",
    body: { name: "Row", templateId: "document-reader" },
  }),
};
