import { stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "./desk.ts";
import { mission } from "./missions.requests.ts";

export const unit = async (at: TestWorld): Promise<string> =>
  (await made(at, "POST", "/api/command/units", { problemSetId: (await desk(at)).id, name: "Row" })).id;

export const requests: Rows["requests"] = {
  "POST /api/command/units": async (at) => {
    const { commander, id } = await desk(at);
    return {
      path: "/api/command/units",
      as: commander.token,
      body: { name: "Row", problemSetId: id },
      effect: stored("command_units"),
    };
  },
  "POST /api/command/relationships": async (at) => {
    const { commander, id } = await desk(at);
    return {
      path: "/api/command/relationships",
      as: commander.token,
      body: {
        note: "Row",
        problemSetId: id,
        superiorId: await unit(at),
        subordinateId: await unit(at),
        kind: "organic",
      },
      effect: stored("command_relationships"),
    };
  },
  "POST /api/command/validate-hierarchy/:missionId": async (at) => ({
    path: `/api/command/validate-hierarchy/${await mission(at)}`,
    as: (await desk(at)).commander.token,
  }),
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const make = async () =>
    (
      await made(
        at,
        "POST",
        "/api/command/units",
        {
          problemSetId,
          compartments,
          name: text,
          designation: text.slice(0, 40),
          kind: text.slice(0, 80),
          strength: 7,
        },
        by,
      )
    ).id as string;
  const [superiorId, subordinateId] = [await make(), await make()];
  const { id } = await made(
    at,
    "POST",
    "/api/command/relationships",
    { problemSetId, compartments, superiorId, subordinateId, kind: "opcon", note: text },
    by,
  );
  return { "/api/command/units/:id": subordinateId, "/api/command/relationships/:id": id };
}
