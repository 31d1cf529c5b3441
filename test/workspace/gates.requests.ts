import { stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "./desk.ts";
import { signIn } from "./people.ts";

const gate = async (at: TestWorld, fields: object = {}): Promise<string> =>
  (await made(at, "POST", "/api/gates", { problemSetId: (await desk(at)).id, tab: "rows", name: "Row", ...fields })).id;
const submitted = async (at: TestWorld): Promise<string> => {
  const id = await gate(at);
  await made(at, "POST", `/api/gates/${id}/submit`, {}, (await desk(at)).deputy);
  return id;
};

export const requests: Rows["requests"] = {
  "POST /api/gates": async (at) => {
    const { commander, id } = await desk(at);
    return {
      path: "/api/gates",
      as: commander.token,
      body: { name: "Row", problemSetId: id, tab: "rows" },
      effect: stored("gates"),
    };
  },
  "POST /api/gates/:gateId/submit": async (at) => ({
    path: `/api/gates/${await gate(at)}/submit`,
    as: (await desk(at)).commander.token,
    body: { note: "Row" },
  }),
  "POST /api/gates/:gateId/approve": async (at) => ({
    path: `/api/gates/${await submitted(at)}/approve`,
    as: (await desk(at)).commander.token,
    body: { note: "Row" },
  }),
  "POST /api/gates/:gateId/reject": async (at) => ({
    path: `/api/gates/${await submitted(at)}/reject`,
    as: (await desk(at)).commander.token,
    body: { reason: "Not yet" },
  }),
  "POST /api/gates/:gateId/reopen": async (at) => ({
    path: `/api/gates/${await submitted(at)}/reopen`,
    as: (await desk(at)).commander.token,
    body: { reason: "It changed" },
  }),
  "POST /api/gates/:gateId/override": async (at) => ({
    path: `/api/gates/${await gate(at, { enforcement: "soft" })}/override`,
    as: await signIn(at, (await desk(at)).commander.email),
    body: { justification: "In time" },
  }),
  "POST /api/gates/:gateId/escalate": async (at) => ({
    path: `/api/gates/${await gate(at)}/escalate`,
    as: (await desk(at)).commander.token,
    body: { reason: "Above us" },
  }),
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const make = async () =>
    (
      await made(
        at,
        "POST",
        "/api/gates",
        { problemSetId, compartments, tab: "orders", name: text, description: text },
        by,
      )
    ).id as string;
  const [id, raised] = [await make(), await make()];
  await made(at, "POST", `/api/gates/${raised}/escalate`, { reason: text }, by);
  await made(at, "POST", `/api/gates/${id}/submit`, { note: text }, by);
  return { "/api/gates/gate/:gateId": id, "/api/gates/:gateId": id };
}
