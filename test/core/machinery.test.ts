import { Errors } from "moleculer";
import { z } from "zod";
import { data, list } from "../../core/contract/answer.ts";
import { Leases } from "../../core/work/schedule.ts";
import { endpoint, type Host, type MeshService } from "../../core/contract/endpoint.ts";
import { CursorMeta, entity, paging } from "../../core/records/entity.ts";
import { event, on } from "../../core/events/event.ts";
import { lifecycle } from "../../core/records/keeping/lifecycle.ts";
import { asSystem } from "../../core/access/caller.ts";
import { isUpstreamAway } from "../../config/broker.ts";
import {
  badRequest,
  isNotFound,
  notConfigured,
  notFound,
  nullIf,
  overloaded,
  storeAway,
  upstream,
  upstreamAway,
} from "../../core/problem.ts";
import type { Actor } from "../../core/access/access.ts";
import { crud } from "../../mixins/crud.ts";
import { domain } from "../../mixins/domain.mixin.ts";
import { actor, eventually, world, type TestWorld } from "../mesh.ts";

const course = lifecycle(["planned", "active", "done"], {
  start: { from: ["planned"], to: "active", permit: "signed-in", summary: "Start the patrol" },
  finish: {
    from: ["active"],
    to: "done",
    permit: "signed-in",
    summary: "Finish it, saying how",
    body: { report: z.string().min(1) },
  },
});
const PatrolStarted = event("test.patrol.started", z.object({ id: z.string(), rev: z.int() }));
const PatrolGone = event("test.patrol.removed", z.object({ id: z.string(), rev: z.int() }));

const barrier = { set: "problemSetId", compartments: "compartments" };
const Patrol = entity("drill.patrols", {
  title: "patrol",
  fields: {
    name: z.string().min(1).max(80),
    problemSetId: z.string(),
    compartments: z.array(z.string()).default([]),
    pace: z.enum(["slow", "fast"]).default("slow"),
    report: z.string().optional(),
    note: z.string().optional(),
    code: z.string().optional(),
    status: course.field,
  },
  readonly: ["status", "report"],
  immutable: ["problemSetId", "compartments"],
  hidden: ["note"],
  filter: ["status"],
  sort: ["name"],
  barrier,
  indexes: [{ fields: ["code"], unique: true, sparse: true }],
});
const Route = entity("drill.routes", { title: "route", id: "number", fields: { name: z.string().min(1) } });

const heard: string[] = [];
let deaf = false;
const runs: string[] = [];

const drill = {
  name: "drill",
  settings: { rest: "/drill" },
  mixins: [
    domain({
      entities: [Patrol, Route],
      jobs: {
        "drill.march": {
          attempts: 3,
          backoffMs: 10,
          async run(this: Host, { job, progress }) {
            runs.push(`${job.state?.["at"] ?? 0}`);
            for (let at = Number(job.state?.["at"] ?? 0); at < 3; at++) {
              await progress("marching", at + 1, 3, { at: at + 1 });
              if (at === 1 && job.attempts === 1) throw new Error("a blister");
            }
            return { arrived: true };
          },
        },
      },
    }),
  ],
  actions: {
    ...crud(Patrol, {
      at: "/patrols",
      list: "signed-in",
      get: "signed-in",
      create: "signed-in",
      update: "signed-in",
      remove: "signed-in",
      lifecycle: course,
      tells: { moved: { start: PatrolStarted }, removed: PatrolGone },
    }),
    ...crud(Route, { at: "/routes", create: "signed-in", get: "signed-in" }),
    "patrols.feed": endpoint({
      rest: "GET /feed",
      summary: "Patrols by cursor",
      permit: "signed-in",
      query: { cursor: z.string().optional(), limit: paging.limit },
      returns: list(Patrol.view, CursorMeta),
      handler(ctx) {
        return this.store(Patrol).feed(ctx, ctx.params);
      },
    }),
    "patrols.relay": endpoint({
      rest: "POST /relay",
      summary: "Ask a service that no node runs",
      permit: "signed-in",
      returns: data(z.null()),
      handler: (ctx) => ctx.call("nobody.there"),
    }),
    "patrols.count": endpoint({
      rest: "GET /count",
      summary: "How many patrols",
      permit: "signed-in",
      returns: data(z.int()),
      handler(ctx) {
        return this.store(Patrol).count(ctx);
      },
    }),
  },
} satisfies MeshService;

const ear = {
  name: "ear",
  settings: { rest: "/ear" },
  mixins: [
    domain({
      hears: [
        on(PatrolStarted, function (fact) {
          if (deaf) throw new Error("deaf");
          heard.push(`started ${fact.id}`);
        }),
        on(PatrolGone, (fact) => {
          heard.push(`removed ${fact.id}`);
        }),
      ],
    }),
  ],
} satisfies MeshService;

const Post = entity("drill.posts", {
  title: "post",
  fields: { name: z.string(), problemSetId: z.string() },
  immutable: ["problemSetId"],
  barrier: { set: "problemSetId" },
});
const watch = {
  name: "watch",
  settings: { rest: "/watch" },
  mixins: [domain({ entities: [Post] })],
  actions: {
    post: endpoint({
      rest: "POST /posts",
      summary: "Set up a post",
      permit: "signed-in",
      within: { set: "problemSetId", may: "posts:edit" },
      body: Post.create,
      returns: data(Post.view),
      handler(ctx) {
        return this.store(Post).create(ctx, ctx.params);
      },
    }),
    look: endpoint({
      rest: "GET /posts/:id",
      summary: "Look at a post",
      permit: "signed-in",
      on: Post,
      within: { set: "problemSetId", may: "posts:read" },
      returns: data(Post.view),
      handler: (_ctx, item) => item,
    }),
    abandon: endpoint({
      rest: "POST /posts/:id/abandon",
      summary: "Give a post up",
      permit: "signed-in",
      on: Post,
      within: { set: "problemSetId", may: "posts:edit" },
      stepUp: true,
      returns: data(z.string()),
      handler: () => "gone",
    }),
  },
} satisfies MeshService;

let at: TestWorld;
const inside: Actor = actor("reader", {
  userId: "ann",
  memberships: { alpha: { role: "planner", permits: ["*"], compartments: ["red", "blue"] } },
});
const half: Actor = actor("reader", {
  userId: "bob",
  memberships: { alpha: { role: "commander", permits: ["*"], compartments: ["red"] } },
});
const outside: Actor = actor("reader", {
  userId: "eve",
  memberships: { beta: { role: "commander", permits: ["*"], compartments: ["red", "blue"] } },
});

beforeAll(async () => {
  at = await world({}, { services: [], extra: [drill, ear, watch] });
});
afterAll(() => at.stop());

const make = (fields: object = {}, who = inside) =>
  at.call("drill.patrols.create", { name: "Night", problemSetId: "alpha", ...fields }, who);

it("keeps a record in several compartments from whoever is not read into all of them, commanders included", async () => {
  const secret = await make({ name: "Secret", compartments: ["red", "blue"] });
  const open = await make({ name: "Open" });
  expect(await at.call("drill.patrols.get", { id: secret.id }, inside)).toMatchObject({
    name: "Secret",
    rev: 1,
    createdBy: "ann",
    status: "planned",
  });
  for (const who of [half, outside]) {
    for (const action of ["get", "start", "remove"])
      await expect(at.call(`drill.patrols.${action}`, { id: secret.id }, who)).rejects.toMatchObject({
        code: 404,
        type: "NOT_FOUND",
      });
    await expect(at.call("drill.patrols.update", { id: secret.id, name: "Mine" }, who)).rejects.toMatchObject({
      code: 404,
    });
  }
  expect((await at.call("drill.patrols.list", {}, half)).data.map((p: any) => p.id)).toEqual([open.id]);
  expect(await at.call("drill.patrols.list", {}, half)).toMatchObject({ meta: { total: 1 } });
  expect(await at.call("drill.patrols.count", {}, half)).toBe(1);
  expect(await at.call("drill.patrols.count", {}, outside)).toBe(0);
  await expect(make({ compartments: ["blue"] }, half)).rejects.toMatchObject({ code: 404 });
});

it("asks the role inside the problem set: a stranger finds nothing, a member may what the role allows, and an archived set is only read", async () => {
  const member = (permits: string[], traits: object = {}) =>
    actor("reader", {
      userId: "ann",
      memberships: { alpha: { role: "planner", permits, compartments: [], ...traits } },
    });
  const planner = member(["posts:*"]),
    observer = member(["*:read"]),
    late = member(["posts:*"], { archived: true });
  const { id } = await at.call("watch.post", { name: "Bridge", problemSetId: "alpha" }, planner);
  await expect(at.call("watch.post", { name: "Ford", problemSetId: "alpha" }, observer)).rejects.toMatchObject({
    code: 403,
    type: "FORBIDDEN",
  });
  await expect(at.call("watch.post", { name: "Ford", problemSetId: "beta" }, planner)).rejects.toMatchObject({
    code: 404,
  });
  await expect(at.call("watch.post", { name: "Ford", problemSetId: "constructor" }, planner)).rejects.toMatchObject({
    code: 404,
  });
  await expect(at.call("watch.post", { name: "Ford" }, planner)).rejects.toMatchObject({ code: 400 });
  await expect(at.call("watch.post", { name: "Ford", problemSetId: "alpha" }, late)).rejects.toMatchObject({
    code: 409,
    type: "ARCHIVED",
  });
  for (const who of [observer, late])
    expect(await at.call("watch.look", { id }, who)).toMatchObject({ name: "Bridge" });
  await expect(at.call("watch.look", { id }, outside)).rejects.toMatchObject({ code: 404 });
  await expect(at.call("watch.abandon", { id }, planner)).rejects.toMatchObject({
    code: 403,
    type: "STEP_UP_REQUIRED",
  });
  expect(await at.call("watch.abandon", { id }, { ...planner, provedAt: at.clock.now() - 60_000 })).toBe("gone");
  await expect(
    at.call("watch.abandon", { id }, { ...planner, provedAt: at.clock.now() - 301_000 }),
  ).rejects.toMatchObject({ type: "STEP_UP_REQUIRED" });
});

it("moves no record into a compartment that its writer is not read into", async () => {
  const store = (at.service("drill") as unknown as Host).store(Patrol);
  const open = await make();
  await expect(
    store.revise({ meta: { actor: half }, locals: {} }, open, { compartments: ["blue"] }),
  ).rejects.toMatchObject({ code: 404 });
  await expect(
    store.createMany({ meta: { actor: half }, locals: {} }, [
      { name: "x", problemSetId: "alpha", compartments: ["blue"] },
    ]),
  ).rejects.toMatchObject({ code: 404 });
});

it("stores hidden fields and never sends them; takes no field that is not a client's", async () => {
  const made = await make({ note: "canary" });
  expect(JSON.stringify(made)).not.toContain("canary");
  await expect(make({ status: "done" })).rejects.toMatchObject({
    code: 400,
    type: "VALIDATION_ERROR",
    data: { details: [{ path: "status", message: expect.stringMatching(/^There is no such field; there are `/) }] },
  });
  await expect(at.call("drill.patrols.update", { id: made.id, problemSetId: "beta" }, inside)).rejects.toMatchObject({
    code: 400,
  });
  await expect(make({ name: "" })).rejects.toMatchObject({
    data: { details: [expect.objectContaining({ path: "name" })] },
  });
});

it("changes what it is sent, leaves the rest, clears what is null", async () => {
  const made = await make({ pace: "fast", code: "k1" });
  expect(await at.call("drill.patrols.update", { id: made.id, name: "Day" }, inside)).toMatchObject({
    name: "Day",
    pace: "fast",
    rev: 2,
    code: "k1",
  });
  await expect(make({ code: "k1" })).rejects.toMatchObject({ code: 409, type: "CONFLICT" });
});

it("lets one of several racers win", async () => {
  const made = await make();
  const store = (at.service("drill") as unknown as Host).store(Patrol);
  const caller = { meta: { actor: inside }, locals: {} };
  const outcomes = await Promise.allSettled(["a", "b", "c"].map((name) => store.revise(caller, made, { name })));
  expect(outcomes.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
});

it("makes one of a cause that comes again and again, and answers it to whoever sees it", async () => {
  const store = (at.service("drill") as Host).store(Patrol);
  const caller = (who: Actor) => ({ meta: { actor: who }, locals: {} });
  const given = { id: "once", name: "Once", problemSetId: "alpha", compartments: ["blue"], code: "once" };
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => store.createOnce(caller(inside), given)));
  expect(outcomes.map(({ made }) => made).sort()).toEqual([false, false, false, false, true]);
  expect(new Set(outcomes.map(({ record }) => record.createdAt)).size).toBe(1);
  const { id, ...other } = given;
  expect(await store.createOnce(caller(inside), other, { by: ["code"] })).toMatchObject({
    made: false,
    record: { id },
  });
  await expect(store.createOnce(caller(inside), { ...given, id: "another" })).rejects.toMatchObject({
    code: 409,
    type: "CONFLICT",
  });
  await expect(store.createOnce(caller(half), { ...other, compartments: [] }, { by: ["code"] })).rejects.toMatchObject({
    code: 409,
  });
});

it("takes nothing for gone because nobody is there to ask", () => {
  expect(
    [
      notFound("post", "1"),
      new Errors.ServiceNotFoundError({ action: "posts.get" }),
      new Errors.ServiceNotAvailableError({ action: "posts.get" }),
    ].map(isNotFound),
  ).toEqual([true, false, false]);
  const gone = nullIf(isNotFound);
  expect(gone(notFound("post", "1"))).toBeNull();
  expect(() => gone(new Errors.ServiceNotFoundError({ action: "posts.get" }))).toThrow(Errors.ServiceNotFoundError);
});

it("moves only along its course", async () => {
  const { id } = await make();
  await expect(at.call("drill.patrols.finish", { id, report: "x" }, inside)).rejects.toMatchObject({
    code: 409,
    type: "INVALID_TRANSITION",
    data: { details: { state: "planned", allowed: ["active"] } },
  });
  await at.call("drill.patrols.start", { id }, inside);
  await expect(at.call("drill.patrols.finish", { id }, inside)).rejects.toMatchObject({ code: 400 });
  expect(await at.call("drill.patrols.finish", { id, report: "quiet" }, inside)).toMatchObject({
    status: "done",
    report: "quiet",
  });
});

it("tells a stored fact until its hearer has it, and a removal's only when the record is gone", async () => {
  const { id } = await make();
  deaf = true;
  await at.call("drill.patrols.start", { id }, inside);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(heard).not.toContain(`started ${id}`);
  deaf = false;
  at.clock.advance(10_000);
  await eventually(
    () => heard,
    (all) => all.includes(`started ${id}`),
  );
  await at.call("drill.patrols.remove", { id }, inside);
  await eventually(
    () => heard,
    (all) => all.includes(`removed ${id}`),
  );
  const left = await (
    await at.mesh.world.documents.collection("drill_patrols")
  ).count({ query: { _pendingSince: { $exists: true } } });
  expect(left).toBe(0);
});

it("numbers records without a gap under concurrency", async () => {
  const made = await Promise.all(
    Array.from({ length: 50 }, (_, n) => at.call("drill.routes.create", { name: `r${n}` }, inside)),
  );
  expect(made.map((route) => route.id).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 50 }, (_, n) => made.map((r) => r.id).reduce((a, b) => Math.min(a, b)) + n),
  );
});

it("goes through a long feed by cursor without missing or doubling, while rows are added", async () => {
  for (let n = 0; n < 25; n++) await make({ name: `feed ${n}` });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await at.call("drill.patrols.feed", { limit: 7, ...(cursor && { cursor }) }, inside);
    seen.push(...page.data.map((p: any) => p.id));
    cursor = page.meta.next ?? undefined;
    await make({ name: "meanwhile" });
  } while (cursor);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.length).toBeGreaterThanOrEqual(25);
  await expect(at.call("drill.patrols.feed", { cursor: "bm9uc2Vuc2U" }, inside)).rejects.toMatchObject({ code: 400 });
});

it("runs a job once more after a failure, from where it had saved", async () => {
  const { jobs } = at.commons("drill");
  const job = await jobs.add("drill.march", { to: "hill" }, { by: "ann" });
  const ended = await eventually(
    () => jobs.get(job.id),
    (j) => j?.status === "completed",
  );
  expect(ended).toMatchObject({ attempts: 2, done: 3, result: { arrived: true } });
  expect(runs).toEqual(["0", "2"]);
});

it("gives one holder at a time a lease, and the next when it lapses", async () => {
  const [one, two] = [
    new Leases(at.mesh.world.documents, at.clock, "n1"),
    new Leases(at.mesh.world.documents, at.clock, "n2"),
  ];
  expect(await one.take("drill", 60_000)).toBe(1);
  expect(await two.take("drill", 60_000)).toBeNull();
  at.clock.advance(61_000);
  expect(await two.take("drill", 60_000)).toBe(2);
  expect(await one.take("drill", 60_000)).toBeNull();
  const race = await Promise.all(
    Array.from({ length: 20 }, (_, n) => new Leases(at.mesh.world.documents, at.clock, `r${n}`).take("race", 60_000)),
  );
  expect(race.filter((fence) => fence !== null)).toEqual([1]);
});

it("keeps an audit entry for every write, linked and durable before the answer", async () => {
  const { id } = await make();
  await expect(at.call("drill.patrols.get", { id: "none" }, inside)).rejects.toMatchObject({ code: 404 });
  const log = await at.mesh.world.documents.collection("audit");
  expect(await log.find({ query: { action: "drill.patrols.create", "object.id": id } })).toEqual([
    expect.objectContaining({ actor: "ann", outcome: "ok", via: "jwt" }),
  ]);
  await expect(at.call("drill.patrols.finish", { id, report: "x" }, inside)).rejects.toBeDefined();
  expect(await log.find({ query: { action: "drill.patrols.finish", "object.id": id } })).toEqual([
    expect.objectContaining({ outcome: "refused", code: "INVALID_TRANSITION" }),
  ]);
  await expect(at.call("drill.patrols.relay", {}, inside)).rejects.toMatchObject({
    name: "ServiceNotFoundError",
    code: 404,
  });
  expect(await log.find({ query: { action: "drill.patrols.relay" } })).toEqual([
    expect.objectContaining({ outcome: "failed" }),
  ]);
  expect(await at.call("audit.verify")).toMatchObject({ ok: true, faults: [] });
  expect(asSystem("x").meta.actor?.omniscient).toBe(true);
});

it("opens a circuit for servers of this installation that are away, and for nothing that one caller's request can bring about", () => {
  const answers = [
    notFound("post", "1"),
    notConfigured("No chain."),
    badRequest("cursor"),
    overloaded("You ask too much."),
    upstream(502, "UPSTREAM_FAILED", "Your server fails."),
    new Error("boom"),
  ];
  expect(answers.map(isUpstreamAway)).toEqual(answers.map(() => false));
  expect(
    [storeAway(new Error("refused")), upstreamAway(504, "UPSTREAM_TIMEOUT", "The chain's node is silent.")].map(
      isUpstreamAway,
    ),
  ).toEqual([true, true]);
});
