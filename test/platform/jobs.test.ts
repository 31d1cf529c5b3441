import type { JobKind, Onlookers } from "../../core/work/job.ts";
import { eventually, itInside, world, type TestWorld } from "../mesh.ts";
import { admit, as, openCompartment, openSet, persons, type Person } from "../workspace/people.ts";

// A job that failed is tried again by those who may, where nobody was told that it failed for good.

let at: TestWorld;
let ann: Person, red: Person, eve: Person;
/** Whatever work of these stories needs: away until it is back. */
let isAway: boolean;
let runs: number;

const kinds: Record<string, JobKind> = {
  "story.counts": {
    attempts: 1,
    async run({ job, progress }) {
      runs++;
      if (!job.state) await progress("half", 1, 2, { half: "done" });
      if (isAway) throw new Error("The other side is away.");
      return { from: job.state };
    },
  },
  "story.tells": {
    attempts: 1,
    async run() {
      throw new Error("It cannot be done.");
    },
    async failed() {},
  },
};

beforeAll(async () => {
  at = await world();
  for (const [name, kind] of Object.entries(kinds)) at.service("jobs").jobs.work(name, kind, {});
  [ann, red, eve] = await persons(at, "ann", "red", "eve");
});
beforeEach(() => {
  [isAway, runs] = [true, 0];
});
afterAll(() => at.stop());

const stands = (id: string) => at.service("jobs").jobs.get(id);
const untilIts = (id: string, status: string) =>
  eventually(
    () => stands(id),
    (job) => job.status === status,
  );
async function failed(by: string, onlookers?: Onlookers, kind = "story.counts"): Promise<string> {
  const { id } = await at.service("jobs").jobs.add(kind, {}, { by, onlookers });
  await untilIts(id, "failed");
  return id;
}
const retry = (who: Person | string, id: string) =>
  at.http("POST", `/api/jobs/${id}/retry`, { as: typeof who === "string" ? who : who.token });

itInside("goes on from what it saved, once, however often it is asked", async () => {
  const id = await failed("system:story");
  expect((await at.http("GET", `/api/jobs/${id}`, { as: "admin" })).body.data).toMatchObject({ retryable: true });
  isAway = false;
  const asked = await Promise.all(Array.from({ length: 4 }, () => retry("admin", id)));
  for (const { status, body } of asked) {
    // One that was so late that the job had ended is told so.
    expect([200, 409]).toContain(status);
    if (status === 200) expect(body.data).not.toHaveProperty("error");
  }
  expect(asked.some(({ status }) => status === 200)).toBe(true);
  expect(await untilIts(id, "completed")).toMatchObject({ result: { from: { half: "done" } }, attempts: 1 });
  expect(runs).toBe(2);
  expect(await retry("admin", id)).toMatchObject({
    status: 409,
    body: { error: { message: "This job is completed: it did not fail." } },
  });
  const followed = await at.http("GET", `/api/jobs/${id}/events`, { as: "admin" });
  expect(followed.text).not.toContain('"failed"');
});

itInside("fails again where the reason stands, and may be tried once more", async () => {
  const id = await failed("system:story");
  expect((await retry("admin", id)).status).toBe(200);
  await eventually(
    () => runs,
    (count) => count === 2,
  );
  await untilIts(id, "failed");
  expect((await at.http("GET", "/api/jobs?kind=story.counts&status=failed", { as: "admin" })).body.data).toContainEqual(
    expect.objectContaining({ id, retryable: true, fault: "The other side is away." }),
  );
});

itInside("is not tried again where what it was for ended with it", async () => {
  const id = await failed(ann.userId, undefined, "story.tells");
  expect((await as(at, ann)("GET", `/api/jobs/${id}`)).body.data).not.toHaveProperty("retryable");
  expect(await retry(ann, id)).toMatchObject({
    status: 409,
    body: { error: { message: "What this job was for ended with it: ask for that anew." } },
  });
  expect((await retry("admin", "none")).status).toBe(404);
});

itInside("is for whoever asked for it and for operators, behind the barrier of what it works on", async () => {
  const set = await openSet(at, ann);
  await Promise.all([admit(at, set, red, "planner"), admit(at, set, eve, "planner")]);
  const closed = await openCompartment(at, set, ann, "red", red);
  const id = await failed(red.userId, { problemSetId: set, compartments: [closed] });
  // Not read in: it does not exist, neither for a stranger nor for the commander.
  expect((await retry(eve, id)).status).toBe(404);
  expect((await retry(ann, id)).status).toBe(404);
  const open = await failed(red.userId, { problemSetId: set });
  expect((await retry(eve, open)).status).toBe(403);
  expect((await as(at, eve)("GET", `/api/jobs/${open}`)).body.data).not.toHaveProperty("retryable");
  expect((await as(at, red)("GET", `/api/jobs/${open}`)).body.data).toMatchObject({ retryable: true });
  const key = (await as(at, red)("POST", "/api/keys", { name: "Reader", scopes: ["read"] })).body.data.key;
  const byKey = { as: null, headers: { "x-api-key": key } };
  expect((await at.http("POST", `/api/jobs/${open}/retry`, byKey)).status).toBe(403);
  isAway = false;
  expect((await retry(red, open)).status).toBe(200);
  await untilIts(open, "completed");
  expect((await retry("admin", id)).status).toBe(200);
  await untilIts(id, "completed");
});
