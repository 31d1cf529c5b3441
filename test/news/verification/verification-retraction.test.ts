import { world, type TestWorld } from "../../mesh.ts";
import { HOUR_MS } from "../articles/articles-setup.ts";
import { tell } from "./verification-setup.ts";

const GRAVE =
  "Soldiers found a mass grave with 40 bodies near the village of Orlava on Monday, the regional governor said. " +
  "The grave lies behind the brick works at the river, the governor said.";
const TOO =
  "Police in Orlava cordoned off a field on Monday evening. A mass grave with 40 bodies has been found near the " +
  "village of Orlava, a police spokesman told reporters. Forensic experts from the capital were on their way.";
const TAKEN_BACK =
  "We retract our report of Monday on a mass grave with 40 bodies near the village of Orlava. " +
  "The regional governor says that no grave was found, and our correspondent had not been there.";

let node: TestWorld;
const ago = (hours: number) => new Date(node.clock.now() - hours * HOUR_MS).toISOString();
const post = async (path: string) => {
  const { status, body } = await node.http("POST", `/api/verification${path}`, { as: "analyst" });
  expect({ status, success: body.success }).toEqual({ status: 200, success: true });
  return body.data;
};
const check = async (id: number) => {
  await post(`/verify-claims/${id}`);
  return post(`/cross-reference/content/${id}`);
};
const trailOf = async (id: number) =>
  (await node.http("GET", `/api/verification/trail/${id}`, { as: "reader" })).body.data;

beforeAll(async () => {
  node = await world();
});
afterAll(() => node.stop());

it("what an outlet took back is contradicted by its own word, and bears nobody else out", async () => {
  const report = await tell(node, 1, 1, GRAVE, { title: "Mass grave found near Orlava", publishedAt: ago(9) });
  const other = await tell(node, 2, 2, TOO, {
    title: "Mass grave with 40 bodies found at Orlava",
    publishedAt: ago(8),
  });
  expect((await check(report)).claims[0].status).toBe("corroborated");
  expect((await check(other)).claims[0].status).toBe("corroborated");

  const retraction = await tell(node, 1, 3, TAKEN_BACK, {
    title: "Retraction: mass grave near Orlava",
    publishedAt: ago(2),
  });
  const { claims } = await check(report);
  for (const claim of claims) {
    expect(claim).toMatchObject({
      status: "contradicted",
      score: 10,
      reasons: ["its own outlet retracted the report"],
    });
    expect(claim.contradicting[0]).toMatchObject({
      articleId: retraction,
      independent: false,
      evidence: { text: expect.stringContaining("We retract our report of Monday") },
    });
  }
  const { summary, steps } = await trailOf(report);
  expect(summary.recommendation).toBe("Its own outlet took it back: do not use it.");
  expect(steps.map(({ description }: { description: string }) => description)).toContainEqual(
    expect.stringMatching(/ taken back by its own outlet$/),
  );
  const [claim] = (await check(other)).claims;
  expect(claim.supporting).toEqual([]);
  expect(claim.status).not.toBe("corroborated");
});
