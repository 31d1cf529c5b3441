import type { Job, JobKind, Onlookers } from "../../core/work/job.ts";
import { eventually, itInside, world, type TestWorld } from "../mesh.ts";
import { admit, as, openCompartment, openSet, persons, type Person } from "../workspace/people.ts";

// A job that failed is tried again by those who may, where nobody was told that it failed for good.

let at: TestWorld;
let ann: Person, red: Person, eve: Person;
/** Whatever work of these stories needs: away until it is back. */
let isAway: boolean;
let runs: number;
/** What was told of jobs that ended otherwise than well: how the job stood then, and why. */
let told: (Pick<Job, "id"> & { shown: string | undefined; status: string; reason: string })[];
/** So often the telling fails yet. */
let faults: number;

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
  "story.waits": {
    run: ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
    async failed({ id, status }, reason) {
      if (faults-- > 0) throw new Error("The record cannot be written.");
      told.push({ id, shown: (await stands(id))?.status, status, reason });
    },
  },
};

beforeAll(async () => {
  at = await world();
  for (const [name, kind] of Object.entries(kinds)) at.service("jobs").jobs.work(name, kind, {});
  [ann, red, eve] = await persons(at, "ann", "red", "eve");
});
beforeEach(() => {
  [isAway, runs, told, faults] = [true, 0, [], 0];
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

describe("one that is cancelled", () => {
  const waiting = async (key?: string): Promise<string> =>
    (await at.service("jobs").jobs.add("story.waits", {}, { by: ann.userId, ...(key && { key }) })).id;
  const cancel = (id: string) => at.http("POST", `/api/jobs/${id}/cancel`, { as: "admin" });

  itInside("has ended what it was for before it counts as ended, running or waiting for its turn", async () => {
    const first = await waiting();
    await untilIts(first, "running");
    const second = await waiting();
    expect(await stands(second)).toMatchObject({ status: "queued" });
    for (const id of [second, first]) {
      expect((await cancel(id)).status).toBe(204);
      expect(await stands(id)).toMatchObject({ status: "cancelled", endedAt: expect.any(String) });
      expect((await cancel(id)).status).toBe(409);
    }
    expect(told).toEqual(
      [second, first].map((id) => ({ id, shown: "running", status: "cancelled", reason: "Its job was stopped." })),
    );
    const followed = await at.http("GET", `/api/jobs/${first}/events`, { as: "admin" });
    expect(followed.text).toContain('"cancelled"');
  });

  itInside(
    "is stopping until that could be done, and is begun anew by nobody meanwhile",
    async () => {
      faults = 1;
      const id = await waiting("one");
      await untilIts(id, "running");
      expect((await cancel(id)).status).toBe(204);
      const { data: shown } = (await at.http("GET", `/api/jobs/${id}`, { as: "admin" })).body;
      expect(shown).toMatchObject({ status: "running", stage: "stopping" });
      const { data: listed } = (await at.http("GET", "/api/jobs?status=running", { as: "admin" })).body;
      expect(listed).toContainEqual(shown);
      expect((await at.service("jobs").jobs.add("story.waits", {}, { by: "ann", key: "one" })).status).toBe("running");
      expect(told).toEqual([]);
      at.clock.advance(21_000);
      await untilIts(id, "cancelled");
      expect(told).toEqual([{ id, shown: "running", status: "cancelled", reason: "Its job was stopped." }]);
      // Whoever wants the same again gets it.
      expect((await at.service("jobs").jobs.add("story.waits", {}, { by: "ann", key: "one" })).id).toBe(id);
      await untilIts(id, "running");
      expect((await cancel(id)).status).toBe(204);
    },
    20_000,
  );
});
