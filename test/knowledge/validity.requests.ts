import { asSystem } from "../../core/access/caller.ts";
import { ValidityAlert } from "../../services/knowledge/graph/validity/validity.ts";
import type { TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "../workspace/desk.ts";
import type { Person } from "../workspace/people.ts";

const PATH = "/api/graph/validity";

const objective = async (at: TestWorld, place: object, statement: string, by?: Person): Promise<any> =>
  made(at, "POST", "/api/strategic/objectives", { statement, ...place }, by);

/** An alert as one opens by itself, without the weeks that it takes. */
const alert = (at: TestWorld, { problemSetId, compartments, id: objectiveId, statement }: any): Promise<any> =>
  at
    .service("graph")
    .store(ValidityAlert)
    .create(asSystem("test"), {
      ...{ problemSetId, compartments, objectiveId, statement },
      ...{ reason: "low", score: 40, status: "open" },
    });

const row = async (at: TestWorld, tail: string, body: unknown) => ({
  path: `${PATH}/${tail}`,
  as: (await desk(at)).commander.token,
  body,
});

export const requests: Rows["requests"] = {
  "POST /api/graph/validity/:objectiveId/calculate": async (at) => {
    const { id } = await objective(at, { problemSetId: (await desk(at)).id }, "Hold the row");
    return row(at, `${id}/calculate`, {});
  },
  "POST /api/graph/validity/alerts/:alertId/acknowledge": async (at) => {
    const found = await alert(at, await objective(at, { problemSetId: (await desk(at)).id }, "Hold the row"));
    return row(at, `alerts/${found.id}/acknowledge`, { note: "Row" });
  },
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const held = await objective(at, { problemSetId, compartments }, `Keep ${text}`, by);
  await made(at, "POST", `${PATH}/${held.id}/calculate`, {}, by);
  const { id } = await alert(at, held);
  await made(at, "POST", `${PATH}/alerts/${id}/acknowledge`, { note: text }, by);
  return { "/api/graph/validity/:objectiveId": held.id, "/api/graph/validity/alerts/:alertId": id };
}
