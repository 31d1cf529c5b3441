import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUNDLED } from "../../services/workspace/problem-sets/scenarios/scenarios.ts";
import { eventually } from "../mesh.ts";
import { signIn, startNode } from "../process.ts";

// A node killed in the middle of building a scenario: the next one completes it, and nothing is there twice.

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "signalmesh-scenario-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const scenario = BUNDLED.get("river-flood")!;
const KEY = "the-same-request";

it("is completed by the next node, whole and once, wherever it was killed", async () => {
  const ask = async (url: string, token: string, path: string, body?: unknown): Promise<any> =>
    (
      await fetch(url + path, {
        method: body ? "POST" : "GET",
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { "idempotency-key": KEY }),
        },
        body: body ? JSON.stringify(body) : undefined,
      })
    ).json();

  const first = await startNode({ DATA_DIR: dataDir });
  const token = await signIn(first.url);
  const request = ask(first.url, token, "/api/problem-sets/from-scenario", { scenarioId: scenario.id }).catch(
    () => null,
  );
  // Somewhere in the middle: missions are there, gates are not yet all there.
  await eventually(
    () => ask(first.url, token, "/api/missions"),
    (body) => body.meta?.total > 0,
  ).finally(() => first.kill());
  expect(await request).toBeNull();

  const second = await startNode({ DATA_DIR: dataDir });
  try {
    const mine = await ask(second.url, token, "/api/problem-sets/me");
    expect(mine.data).toHaveLength(1);
    const id = mine.data[0].id as string;
    const open = (rows: readonly { compartments: string[] }[]) =>
      rows.filter(({ compartments }) => compartments.length === 0).length;
    await eventually(
      () => ask(second.url, token, `/api/problem-sets/${id}/linked-scenario`),
      ({ data }) => data?.resources.length === open(scenario.resources),
      90_000,
    );

    const total = async (path: string) => (await ask(second.url, token, path)).meta.total as number;
    const lists = [
      ["missions", `/api/missions?problemSetId=${id}`],
      ["units", `/api/command/units?problemSetId=${id}`],
      ["relationships", `/api/command/relationships?problemSetId=${id}`],
      ["gates", `/api/gates/${id}`],
      ["directions", `/api/inheritance/directions?problemSetId=${id}`],
      ["daos", `/api/dao?problemSetId=${id}`],
    ] as const;
    // Relationships of units in compartments lie there too.
    const hidden = scenario.relationships.filter((one) =>
      scenario.units.some(
        ({ key, compartments }) => compartments.length && (key === one.superior || key === one.subordinate),
      ),
    ).length;
    for (const [part, path] of lists) {
      const wanted = open(scenario[part]) - (part === "relationships" ? hidden : 0);
      // Different things are made side by side.
      await eventually(
        () => total(path),
        (count) => count >= wanted,
        90_000,
      );
      expect([part, await total(path)]).toEqual([part, wanted]);
    }
    const registered = async () =>
      (await total(`/api/resources?problemSetId=${id}`)) +
      (await total(`/api/resources/consumables?problemSetId=${id}`));
    await eventually(registered, (count) => count >= open(scenario.resources), 90_000);
    expect(await registered()).toBe(open(scenario.resources));
    expect(await total(`/api/problem-sets/${id}/positions`)).toBe(scenario.positions.length);
    expect(await total(`/api/problem-sets/${id}/compartments`)).toBe(scenario.compartments.length);
    const { data: missions } = await ask(second.url, token, `/api/missions?problemSetId=${id}`);
    expect(await total(`/api/mdmp/workflows/${missions[0].id}/assumptions`)).toBe(
      scenario.missions[0]!.process!.assumptions.length,
    );
    expect((await ask(second.url, token, `/api/missions/${missions[0].id}/participants`)).meta.total).toBe(1);

    // Whoever did not hear the answer asks again under the same key once the first attempt is given up, and gets the
    // same set.
    const again = await eventually(
      () => ask(second.url, token, "/api/problem-sets/from-scenario", { scenarioId: scenario.id }),
      (body) => body.data?.problemSetId !== undefined && body.data.made !== undefined,
      90_000,
    );
    expect(again.data.problemSetId).toBe(id);
    expect((await ask(second.url, token, "/api/problem-sets/me")).meta.total).toBe(1);
    expect((await ask(second.url, token, "/api/audit/verify")).data.ok).toBe(true);
  } finally {
    await second.stop();
  }
}, 240_000);
