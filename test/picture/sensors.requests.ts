import { stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "../workspace/desk.ts";

let count = 0;
const token = async (at: TestWorld): Promise<string> => (await desk(at)).commander.token;
const enrol = async (at: TestWorld): Promise<{ id: string }> =>
  made(at, "POST", "/api/sensors", { name: `Row ${++count}`, problemSetId: (await desk(at)).id });

export const requests: Rows["requests"] = {
  "POST /api/sensors": async (at) => ({
    path: "/api/sensors",
    as: await token(at),
    body: { name: `Row ${++count}`, problemSetId: (await desk(at)).id, coverage: { shape: "radius", range: 900 } },
    effect: stored("sensors"),
  }),
  "POST /api/sensors/:id/coverage": async (at) => ({
    path: `/api/sensors/${(await enrol(at)).id}/coverage`,
    as: await token(at),
    body: { staleAt: "2099-01-01T00:00:00.000Z", coverage: { shape: "radius", range: 900 } },
  }),
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const place = { problemSetId, compartments };
  const area = {
    type: "Polygon",
    coordinates: [
      [
        [11, 48],
        [12, 48],
        [12, 49],
        [11, 48],
      ],
    ],
  };
  const mission = await made(at, "POST", "/api/missions", { ...place, name: text, area }, by);
  const { id } = await made(
    at,
    "POST",
    "/api/sensors",
    {
      ...place,
      name: text,
      description: text,
      location: { latitude: 48.1, longitude: 11.5 },
      coverage: { shape: "radius", range: 9_000 },
    },
    by,
  );
  return { "/api/sensors/:id": id, "/api/sensors/coverage/:missionId": mission.id };
}
