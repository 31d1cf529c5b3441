import { systemActor } from "../../core/access/access.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { admit, as, openCompartment, openSet, openStaffedSet, persons, type Person } from "./people.ts";

let at: TestWorld;
let ann: Person, bob: Person, cleo: Person, eve: Person;
let parent: string, child: string;

beforeAll(async () => {
  at = await world();
  [ann, bob, cleo, eve] = await persons(at, "ann", "bob", "cleo", "eve");
  parent = await openStaffedSet(at, ann, { deputy: bob }, { name: "Corps" });
  child = await openStaffedSet(at, ann, { planner: cleo }, { name: "Division", parentId: parent });
});
afterAll(() => at.stop());

const inherited = async (who: Person, id = child) =>
  (await as(at, who)("GET", `/api/inheritance/${id}/inherited-context`)).body.data;
const lay = async (fields: object, who = ann) =>
  (
    await as(at, who)("POST", "/api/inheritance/directions", {
      problemSetId: parent,
      kind: "constraint",
      title: "No movement by night",
      text: "Rest between dusk and dawn.",
      ...fields,
    })
  ).body.data;
const titles = (context: { items: { title: string }[] }) => context.items.map(({ title }) => title).sort();

it("passes the parent's directions and gates down, as they are now, with a change log by field", async () => {
  const direction = await lay({});
  const gate = (await as(at, ann)("POST", "/api/gates", { problemSetId: parent, tab: "orders", name: "Release" })).body
    .data;
  await eventually(
    () => inherited(cleo),
    (context) => context.items.length === 2,
  );
  await as(at, ann)("PATCH", `/api/inheritance/directions/${direction.id}`, { text: "Rest between 20:00 and 05:00." });
  await as(at, ann)("POST", `/api/gates/${gate.id}/submit`, {});
  const context = await eventually(
    () => inherited(cleo),
    ({ items }) =>
      items.some((item: { status: string }) => item.status === "submitted") &&
      items.some((item: { text: string }) => item.text.includes("20:00")),
  );
  expect(context.items).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: "constraint", sourceId: direction.id, status: "approved" }),
      expect.objectContaining({ kind: "gate", title: "Release" }),
    ]),
  );
  expect(JSON.stringify(context)).not.toContain(parent);
  const log = (await as(at, cleo)("GET", `/api/inheritance/${child}/inherited-context/changelog`)).body.data;
  expect(log).toHaveLength(4);
  expect(log).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        act: "changed",
        fields: [{ field: "text", before: "Rest between dusk and dawn.", after: "Rest between 20:00 and 05:00." }],
      }),
      expect.objectContaining({ act: "changed", fields: [{ field: "status", before: "open", after: "submitted" }] }),
    ]),
  );
  for (const who of [bob, eve])
    expect((await as(at, who)("GET", `/api/inheritance/${child}/inherited-context`)).status).toBe(404);
});

it("passes down many gates of a moment, each once to each child, and what is changed meanwhile as it is then", async () => {
  const corps = await openSet(at, ann, { name: "Army" });
  const children = [
    await openSet(at, ann, { name: "First", parentId: corps }),
    await openSet(at, ann, { name: "Second", parentId: corps }),
  ];
  const names = Array.from({ length: 20 }, (_, n) => `Gate ${String(n).padStart(2, "0")}`);
  await Promise.all(
    names.map(async (name, n) => {
      const { id } = (await as(at, ann)("POST", "/api/gates", { problemSetId: corps, tab: "orders", name })).body.data;
      if (n % 2) await as(at, ann)("POST", `/api/gates/${id}/submit`, {});
    }),
  );
  for (const one of children) {
    const context = await eventually(
      () => inherited(ann, one),
      ({ items }) =>
        items.length === names.length &&
        items.filter(({ status }: { status: string }) => status === "submitted").length === names.length / 2,
    );
    expect(titles(context)).toEqual(names);
    const log = (await as(at, ann)("GET", `/api/inheritance/${one}/inherited-context/changelog?limit=100`)).body.data;
    expect(log.filter(({ act }: { act: string }) => act === "added")).toHaveLength(names.length);
  }
});

it("is acknowledged version by version, each by each", async () => {
  const before = await inherited(cleo);
  expect(before).toMatchObject({ acknowledged: null });
  expect(before.changes).toBeGreaterThan(0);
  await as(at, cleo)("POST", `/api/inheritance/${child}/inherited-context/acknowledge`, { version: before.version });
  expect(await inherited(cleo)).toMatchObject({ acknowledged: before.version, changes: 0 });
  expect(await inherited(ann)).toMatchObject({ acknowledged: null });
  await lay({ title: "Keep the bridge", kind: "objective" });
  await eventually(
    () => inherited(cleo),
    ({ changes }) => changes === 1,
  );
  const late = await as(at, cleo)("POST", `/api/inheritance/${child}/inherited-context/acknowledge`, {
    version: before.version,
  });
  expect(late).toMatchObject({
    status: 409,
    body: { error: { details: { version: (await inherited(cleo)).version } } },
  });
  expect(
    (await as(at, cleo)("POST", `/api/inheritance/${child}/inherited-context/acknowledge`, { version: "tomorrow" }))
      .status,
  ).toBe(400);
});

it("does not pass compartments down to whoever is not read in, neither items nor version, log or counts", async () => {
  const compartment = (await as(at, ann)("POST", `/api/problem-sets/${parent}/compartments`, { name: "Red" })).body.data
    .id;
  await as(at, bob)("POST", `/api/problem-sets/${parent}/compartments/${compartment}/members`, { did: ann.did });
  const blind = [
    await inherited(cleo),
    (await as(at, cleo)("GET", `/api/inheritance/${child}/inherited-context/changelog`)).text,
  ];
  await lay({ title: "Secret intent", kind: "intent", compartments: [compartment] });
  await eventually(
    () => inherited(ann),
    (context) => titles(context).includes("Secret intent"),
  );
  expect([
    await inherited(cleo),
    (await as(at, cleo)("GET", `/api/inheritance/${child}/inherited-context/changelog`)).text,
  ]).toEqual(blind);
  expect((await inherited(ann)).version > (await inherited(cleo)).version).toBe(true);
});

it("withdraws what is taken back, and what was inherited from a parent that is none any more", async () => {
  const direction = await lay({ title: "For a day" });
  await eventually(
    () => inherited(cleo),
    (context) => titles(context).includes("For a day"),
  );
  await as(at, ann)("DELETE", `/api/inheritance/directions/${direction.id}`);
  await eventually(
    () => inherited(cleo),
    (context) => !titles(context).includes("For a day"),
  );
  const orphan = await openSet(at, ann, { name: "Brigade", parentId: parent });
  await eventually(
    () => inherited(ann, orphan),
    ({ items }) => items.length > 2,
  );
  expect((await as(at, ann)("PATCH", `/api/problem-sets/${orphan}`, { parentId: null })).status).toBe(200);
  await eventually(
    () => inherited(ann, orphan),
    ({ items }) => items.length === 0,
  );
});

it("lets children remark on what they inherit, and the parent read what they share", async () => {
  const [item] = (await inherited(cleo)).items;
  const remark = (
    await as(at, cleo)("POST", `/api/inheritance/${child}/annotations`, {
      itemId: item.id,
      text: "We need the night.",
      kind: "concern",
    })
  ).body.data;
  await as(at, cleo)("POST", `/api/inheritance/${child}/annotations`, {
    itemId: item.id,
    text: "Among ourselves.",
    shared: false,
  });
  expect((await as(at, ann)("GET", `/api/inheritance/${child}/annotations`)).body.meta.total).toBe(2);
  const above = (await as(at, bob)("GET", `/api/inheritance/${parent}/annotations/parent-view`)).body;
  expect(above.data.map(({ text }: { text: string }) => text)).toEqual(["We need the night."]);
  expect(above.meta.total).toBe(1);
  expect(above.data[0].about).toEqual({ kind: item.kind, sourceId: item.sourceId, title: item.title });
  expect(
    (await as(at, ann)("PUT", `/api/inheritance/${child}/annotations/${remark.id}`, { text: "Mine now" })).status,
  ).toBe(403);
  expect(
    (await as(at, bob)("PUT", `/api/inheritance/${parent}/annotations/${remark.id}`, { text: "Mine now" })).status,
  ).toBe(404);
  expect(
    (await as(at, cleo)("PUT", `/api/inheritance/${child}/annotations/${remark.id}`, { text: "We need two nights." }))
      .body.data.text,
  ).toBe("We need two nights.");
  expect((await as(at, eve)("GET", `/api/inheritance/${parent}/annotations/parent-view`)).status).toBe(404);
});

it("carries questions up and answers down, each side doing its part", async () => {
  const { id } = (
    await as(at, cleo)("POST", `/api/inheritance/${child}/rfis`, { title: "Bridge", question: "40 tonnes?" })
  ).body.data;
  const path = (set: string, tail: string) => `/api/inheritance/${set}/rfis/${id}/${tail}`;
  const seen = async (who: Person, set: string) =>
    (await as(at, who)("GET", `/api/inheritance/${set}/rfis/${id}`)).body.data;
  expect(await seen(cleo, child)).toMatchObject({ title: "Bridge", side: "child", moves: ["withdrawn"] });
  expect(await seen(bob, parent)).toMatchObject({ title: "Bridge", side: "parent", moves: ["answered"] });
  for (const [who, set] of [
    [bob, child],
    [cleo, parent],
    [eve, parent],
  ] as const)
    expect((await as(at, who)("GET", `/api/inheritance/${set}/rfis/${id}`)).status).toBe(404);
  expect((await as(at, bob)("GET", `/api/inheritance/${parent}/rfis?direction=received`)).body.data).toEqual([
    expect.objectContaining({ id, status: "open" }),
  ]);
  expect((await as(at, bob)("GET", `/api/inheritance/${parent}/rfis`)).body.data).toEqual([]);
  expect((await as(at, bob)("POST", path(child, "messages"), { text: "From the wrong door" })).status).toBe(404);
  await as(at, bob)("POST", path(parent, "messages"), { text: "Forty-two." });
  expect((await as(at, cleo)("GET", path(child, "messages"))).body.data).toEqual([
    expect.objectContaining({ from: "parent", text: "Forty-two." }),
  ]);
  expect(await as(at, cleo)("PUT", path(child, "status"), { status: "answered" })).toMatchObject({ status: 403 });
  expect(await as(at, cleo)("PUT", path(child, "status"), { status: "closed" })).toMatchObject({
    status: 409,
    body: { error: { code: "INVALID_TRANSITION" } },
  });
  expect((await as(at, bob)("PUT", path(parent, "status"), { status: "answered" })).body.data.status).toBe("answered");
  expect(await seen(cleo, child)).toMatchObject({ status: "answered", moves: ["open", "closed", "withdrawn"] });
  expect((await as(at, cleo)("PUT", path(child, "status"), { status: "closed" })).body.data.status).toBe("closed");
  expect((await as(at, cleo)("POST", path(child, "messages"), { text: "One more" })).status).toBe(409);
  // The answer proved wrong: whoever asked asks again.
  expect(await as(at, bob)("PUT", path(parent, "status"), { status: "open" })).toMatchObject({ status: 403 });
  expect((await as(at, cleo)("PUT", path(child, "status"), { status: "open" })).body.data.status).toBe("open");
  expect((await as(at, cleo)("POST", path(child, "messages"), { text: "One more" })).status).toBe(201);
  expect(
    (await as(at, ann)("POST", `/api/inheritance/${parent}/rfis`, { title: "Up", question: "Anybody?" })).status,
  ).toBe(409);
  expect((await as(at, eve)("GET", path(parent, "messages"))).status).toBe(404);
});

it("is supplied afterwards to sets that were there before, and again without any change", async () => {
  const run = async () => (await at.http("POST", "/api/inheritance/backfill", { as: "admin", body: {} })).body.data;
  await (await at.mesh.world.documents.collection("inheritance_items")).removeMany({ problemSetId: child });
  const first = await run();
  expect(first).toMatchObject({ next: null });
  expect(first.created).toBeGreaterThan(2);
  expect(await run()).toMatchObject({ created: 0, updated: 0, withdrawn: 0, next: null });
  expect((await as(at, ann)("POST", "/api/inheritance/backfill", {})).status).toBe(403);
});

it("takes no remark on what is inherited no longer: it would go to a parent that is none any more", async () => {
  const direction = await lay({ title: "For a day" });
  const { items } = await eventually(
    () => inherited(cleo),
    (context) => titles(context).includes("For a day"),
  );
  const { id: itemId } = items.find(({ title }: { title: string }) => title === "For a day");
  await as(at, ann)("DELETE", `/api/inheritance/directions/${direction.id}`);
  await eventually(
    () => inherited(cleo),
    (context) => !titles(context).includes("For a day"),
  );
  expect(
    await as(at, cleo)("POST", `/api/inheritance/${child}/annotations`, { itemId, text: "Too late" }),
  ).toMatchObject({ status: 409 });
});

describe("a gate passed up", () => {
  const make = async (fields: object = {}) =>
    (
      await as(at, ann)("POST", "/api/gates", {
        problemSetId: child,
        tab: "orders",
        name: "Cross the river",
        ...fields,
      })
    ).body.data;
  const read = async (who: Person, id: string) => (await as(at, who)("GET", `/api/gates/gate/${id}`)).body.data;

  it("is decided in the parent, for both", async () => {
    const gate = await make();
    const escalated = (await as(at, cleo)("POST", `/api/gates/${gate.id}/escalate`, { reason: "Above our pay grade" }))
      .body.data;
    expect(escalated).toMatchObject({ status: "escalated", escalatedTo: { gateId: expect.any(String) } });
    expect(escalated.escalatedTo).not.toHaveProperty("problemSetId");
    const { gateId } = escalated.escalatedTo;
    expect((await as(at, bob)("GET", `/api/gates/${parent}/escalated`)).body.data).toEqual([
      expect.objectContaining({
        id: gateId,
        status: "submitted",
        escalatedFrom: { problemSetId: child, gateId: gate.id },
      }),
    ]);
    expect((await as(at, cleo)("GET", `/api/gates/gate/${gateId}`)).status).toBe(404);
    expect(
      (await as(at, bob)("GET", `/api/gates/${parent}/hierarchy`)).body.data.map(({ id }: { id: string }) => id),
    ).not.toContain(gate.id);
    expect(
      (await as(at, ann)("GET", `/api/gates/${parent}/hierarchy`)).body.data.map(({ id }: { id: string }) => id),
    ).toEqual(expect.arrayContaining([gate.id, gateId]));
    await as(at, bob)("POST", `/api/gates/${gateId}/reject`, { reason: "Not before the engineers are there." });
    await eventually(
      () => read(cleo, gate.id),
      ({ status }) => status === "rejected",
    );
    expect((await read(cleo, gate.id)).decisions.at(-1)).toMatchObject({
      act: "parent-decision",
      note: "Not before the engineers are there.",
    });
    expect((await as(at, cleo)("POST", `/api/gates/${gate.id}/submit`, {})).status).toBe(200);
  });

  it("goes up by itself at its deadline, once", async () => {
    const gate = await make({ onDeadline: "escalate", deadline: new Date(at.clock.now() + 30_000).toISOString() });
    at.clock.advance(31_000);
    const { escalatedTo } = await eventually(
      () => read(cleo, gate.id),
      ({ status }) => status === "escalated",
    );
    await eventually(
      () => as(at, bob)("GET", `/api/gates/${parent}/escalated`),
      ({ body }) => body.data.some(({ id }: { id: string }) => id === escalatedTo.gateId),
    );
    await as(at, bob)("POST", `/api/gates/${escalatedTo.gateId}/approve`, {});
    await eventually(
      () => read(cleo, gate.id),
      ({ status }) => status === "approved",
    );
  });

  it("does not go where nobody could decide: to an archived parent, or to one where nobody is read in", async () => {
    const above = await openSet(at, ann, { name: "Above" });
    const below = await openSet(at, ann, { name: "Below", parentId: above });
    await admit(at, below, bob, "deputy");
    await admit(at, above, cleo, "deputy");
    const closed = await openCompartment(at, below, ann, "Closed", bob);
    const soon = new Date(at.clock.now() + 30_000).toISOString();
    const secret = (
      await as(at, bob)("POST", "/api/gates", {
        problemSetId: below,
        tab: "orders",
        name: "Secret",
        compartments: [closed],
        deadline: soon,
        onDeadline: "escalate",
      })
    ).body.data;
    expect(await as(at, bob)("POST", `/api/gates/${secret.id}/escalate`, {})).toMatchObject({
      status: 422,
      body: { error: { code: "NO_ELIGIBLE_APPROVER" } },
    });
    const open = (await as(at, bob)("POST", "/api/gates", { problemSetId: below, tab: "orders", name: "Open" })).body
      .data;
    await as(at, ann)("DELETE", `/api/problem-sets/${above}`);
    expect(await as(at, bob)("POST", `/api/gates/${open.id}/escalate`, {})).toMatchObject({
      status: 409,
      body: { error: { code: "ARCHIVED" } },
    });
    expect(
      await as(at, bob)("POST", `/api/inheritance/${below}/rfis`, { title: "To nobody", question: "Who reads this?" }),
    ).toMatchObject({ status: 409, body: { error: { code: "ARCHIVED" } } });
    at.clock.advance(31_000);
    await eventually(
      () => read(bob, secret.id),
      ({ status }) => status === "expired",
    );
  });

  it("in a compartment is decided by whoever in the parent is read into it", async () => {
    const closed = (await as(at, ann)("POST", `/api/problem-sets/${child}/compartments`, { name: "Closed" })).body.data
      .id;
    await admit(at, child, bob, "analyst");
    for (const who of [bob, cleo])
      await as(at, ann)("POST", `/api/problem-sets/${child}/compartments/${closed}/members`, { did: who.did });
    const gate = (
      await as(at, cleo)("POST", "/api/gates", {
        problemSetId: child,
        tab: "orders",
        name: "Closed",
        compartments: [closed],
      })
    ).body.data;
    const { escalatedTo } = (await as(at, cleo)("POST", `/api/gates/${gate.id}/escalate`, {})).body.data;
    expect(
      (await as(at, bob)("GET", `/api/gates/${parent}/escalated`)).body.data.map(({ id }: { id: string }) => id),
    ).toContain(escalatedTo.gateId);
    expect((await as(at, ann)("GET", `/api/gates/gate/${escalatedTo.gateId}`)).status).toBe(404);
    expect((await as(at, bob)("POST", `/api/gates/${escalatedTo.gateId}/approve`, {})).status).toBe(200);
    await eventually(
      () => read(cleo, gate.id),
      ({ status }) => status === "approved",
    );
  });

  it("is watched in the parent as what it is: submitted", async () => {
    const rule = (
      await as(at, ann)("POST", `/api/problem-sets/${parent}/escalation-rules`, {
        name: "Slow above",
        condition: { about: "gate", state: "submitted" },
        delayMinutes: 60,
        target: { role: "deputy" },
      })
    ).body.data;
    const gate = await make();
    const { escalatedTo } = (await as(at, cleo)("POST", `/api/gates/${gate.id}/escalate`, {})).body.data;
    await eventually(
      async () =>
        (await at.mesh.world.documents.collection("problem_sets_watches")).count({
          query: { subjectId: escalatedTo.gateId, state: "submitted" },
        }),
      (count) => count === 1,
    );
    at.clock.advance(61 * 60_000);
    await eventually(
      async () => (await as(at, bob)("GET", `/api/problem-sets/${parent}/escalations`)).body.data,
      (all) => all.some((one: any) => one.ruleId === rule.id && one.subject.id === escalatedTo.gateId),
    );
  });

  it("and decided below by vote meanwhile is decided above too", async () => {
    const gate = await make();
    const { escalatedTo } = (
      await as(at, cleo)("POST", `/api/gates/${gate.id}/escalate`, { reason: "Above our pay grade" })
    ).body.data;
    await at.call("gates.open", { gateId: gate.id, reason: "The council decided.", by: "dao" }, systemActor("test"));
    expect(await read(bob, escalatedTo.gateId)).toMatchObject({ status: "approved", reason: "The council decided." });
    expect(await read(cleo, gate.id)).toMatchObject({ status: "approved" });
  });

  it("needs a parent", async () => {
    const alone = await openSet(at, ann);
    const gate = (await as(at, ann)("POST", "/api/gates", { problemSetId: alone, tab: "orders", name: "Alone" })).body
      .data;
    expect(await as(at, ann)("POST", `/api/gates/${gate.id}/escalate`, {})).toMatchObject({
      status: 422,
      body: { error: { code: "NO_PARENT" } },
    });
  });
});
