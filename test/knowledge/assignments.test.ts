import fc from "fast-check";
import {
  isOverdue,
  ASSIGNMENT_MOVES,
  nextTelling,
  ASSIGNMENT_STATES,
  tellingOf,
  type AssignmentState,
} from "../../services/knowledge/strategic/assignments/assignments.ts";
import { eventually, TestClock, world, type Reply, type TestWorld } from "../mesh.ts";
import { connect } from "../gateway/live-setup.ts";
import { admit, as, openCompartment, openSet, persons, type Person } from "../workspace/people.ts";
import { put } from "./documents.requests.ts";

const HOUR_MS = 3_600_000;
let at: TestWorld;
let clock: TestClock;
let ann: Person, ben: Person, cat: Person, eve: Person, far: Person;
let set: string, red: string, plan: string, secret: string;
beforeAll(async () => {
  clock = new TestClock();
  at = await world({}, { clock });
  [ann, ben, cat, eve, far] = await persons(at, "ann", "ben", "cat", "eve", "far");
  set = await openSet(at, ann, { name: "Northern Bridge" });
  await admit(at, set, ben, "analyst");
  await admit(at, set, cat, "liaison");
  await admit(at, set, eve, "observer");
  red = await openCompartment(at, set, ann, "Red", ben);
  plan = (await put(at, ann, "The plan.", "plan.txt", { problemSetId: set })).id;
  secret = (await put(at, ben, "The secret plan.", "secret.txt", { problemSetId: set, compartments: red })).id;
});
afterAll(() => at.stop());

const ask = (who: Person, method: string, path: string, body?: unknown): Promise<Reply> =>
  as(at, who)(method, `/api/strategic${path}`, body);
const hours = (count: number): string => new Date(clock.now() + count * HOUR_MS).toISOString();
const give = (who: Person, whom: Person, fields: object = {}): Promise<Reply> =>
  ask(who, "POST", "/assignments", {
    ...{ problemSetId: set, subjectKind: "document", subjectId: plan },
    ...{ title: "Read the plan", assigneeId: whom.userId },
    ...fields,
  });
const given = async (...args: Parameters<typeof give>): Promise<any> => {
  const reply = await give(...args);
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data;
};
const patch = (who: Person, { id }: { id: string }, body: object): Promise<Reply> =>
  ask(who, "PATCH", `/assignments/${id}`, body);
const listed = async (who: Person, query = ""): Promise<any[]> =>
  (await ask(who, "GET", `/assignments?problemSetId=${set}&limit=100${query}`)).body.data;
const found = async (who: Person, { id }: { id: string }): Promise<any> =>
  (await listed(who)).find((each) => each.id === id);
const errorOf = ({ status, body }: Reply): unknown => [status, body.error?.code];
const dues = async (id: string): Promise<any[]> =>
  (await as(at, ann)("GET", `/api/problem-sets/${set}/activity?limit=100`)).body.data.filter(
    ({ kind, subject }: any) => kind === "assignment.due" && subject?.id === id,
  );

describe("an assignment", () => {
  it("is accepted and done by its assignee alone, edited by whoever gave it", async () => {
    const { socket, of } = await connect(at.url, { auth: { token: eve.token } });
    const assignment = await given(ann, eve, { dueAt: hours(5), description: "By tonight" });
    expect(assignment).toMatchObject({ status: "open", overdue: false, assigneeId: eve.userId, createdBy: ann.userId });
    await eventually(
      () => of("assignment.told").map(({ data }) => data.what),
      (told) => told.includes("given"),
    );
    expect(errorOf(await patch(eve, assignment, { status: "done" }))).toEqual([409, "INVALID_TRANSITION"]);
    expect(errorOf(await patch(ann, assignment, { status: "accepted" }))).toEqual([403, "FORBIDDEN"]);
    expect(errorOf(await patch(eve, assignment, { title: "Something easier" }))).toEqual([403, "FORBIDDEN"]);
    expect((await patch(eve, assignment, { status: "accepted", note: "On it" })).body.data).toMatchObject({
      status: "accepted",
      note: "On it",
    });
    expect((await patch(ann, assignment, { title: "Read it twice", dueAt: null })).body.data.title).toBe(
      "Read it twice",
    );
    expect((await patch(eve, assignment, { status: "done" })).body.data).toMatchObject({
      status: "done",
      overdue: false,
    });
    expect(errorOf(await patch(ann, assignment, { assigneeId: ben.userId }))).toEqual([409, "CONFLICT"]);
    expect(errorOf(await ask(eve, "DELETE", `/assignments/${assignment.id}`))).toEqual([403, "FORBIDDEN"]);
    expect((await ask(ann, "DELETE", `/assignments/${assignment.id}`)).status).toBe(204);
    socket.close();
  });

  it("reaches only who may see what it is about: else nothing is assigned and nobody is told", async () => {
    const { socket, told } = await connect(at.url, { auth: { token: cat.token } });
    const before = (await listed(ben)).length;
    for (const whom of [cat, far])
      expect(errorOf(await give(ben, whom, { subjectId: secret }))).toEqual([422, "ASSIGNEE_CANNOT_SEE"]);
    expect(errorOf(await give(ann, ben, { subjectId: secret }))).toEqual([404, "NOT_FOUND"]);
    expect(errorOf(await give(cat, ben))).toEqual([403, "FORBIDDEN"]);
    expect(errorOf(await give(ben, cat, { compartments: [red] }))).toEqual([422, "ASSIGNEE_CANNOT_SEE"]);
    expect((await listed(ben)).length).toBe(before);
    expect(told.filter(({ event }) => event.startsWith("assignment"))).toEqual([]);
    socket.close();
    const mine = await given(ben, ben, { subjectId: secret });
    expect(mine.compartments).toEqual([red]);
    expect([await found(ann, mine), (await patch(ann, mine, { title: "x" })).status]).toEqual([undefined, 404]);
    const other = await openSet(at, ann, { name: "Other" });
    expect((await give(ann, ann, { problemSetId: other })).body.error.details[0].path).toBe("subjectId");
  });

  it("is about a container as well, and is listed with its document", async () => {
    const container = (await ask(ann, "POST", `/environments/${set}/containers`, { name: "Moves" })).body.data;
    const tidy = await given(ann, cat, { subjectKind: "container", subjectId: container.id, title: "Tidy it up" });
    const read = await given(ann, cat);
    const about = (await ask(eve, "GET", `/documents/${plan}/assignments?assigneeId=${cat.userId}`)).body.data;
    expect(about.map(({ id }: any) => id)).toEqual([read.id]);
    expect((await listed(eve, `&assigneeId=${cat.userId}&status=open`)).map(({ id }) => id)).toEqual([
      read.id,
      tidy.id,
    ]);
    expect(errorOf(await ask(eve, "GET", `/documents/${secret}/assignments`))).toEqual([404, "NOT_FOUND"]);
  });

  it("is overdue by the clock, reminds once and says once that its time is over", async () => {
    const assignment = await given(ann, cat, { remindAt: hours(1), dueAt: hours(3), title: "Count the boats" });
    const later = await given(ann, cat, { dueAt: hours(200) });
    expect((await give(ann, cat, { remindAt: hours(4), dueAt: hours(3) })).body.error.details[0].path).toBe("remindAt");
    const never = await give(ann, cat, { dueAt: "9999-12-31T23:59:59-14:00" });
    expect([never.status, never.body.data.dueAt]).toEqual([201, "9999-12-31T23:59:59.999Z"]);
    clock.advance(2 * HOUR_MS);
    await eventually(
      () => dues(assignment.id),
      (told) => told.length === 1,
    );
    expect((await found(ann, assignment)).overdue).toBe(false);
    clock.advance(2 * HOUR_MS);
    const told = await eventually(
      () => dues(assignment.id),
      (each) => each.length === 2,
    );
    expect(told.map(({ summary }) => summary.includes("overdue"))).toEqual([true, false]);
    expect((await found(ann, assignment)).overdue).toBe(true);
    const lines = async () =>
      (await as(at, cat)("GET", `/api/problem-sets/${set}/notifications?limit=100`)).body.data
        .filter((line: any) => line.activityId === assignment.id)
        .map(({ kind }: any) => kind);
    const reminded = ["assignment.due", "assignment.due", "assignment.given"];
    expect(await eventually(lines, ({ length }) => length === 3)).toEqual(reminded);
    expect((await listed(eve, "&overdue=true")).map(({ id }) => id)).toEqual([assignment.id]);
    expect((await ask(eve, "GET", `/assignments?overdue=true&sort=createdAt`)).body.error.details[0].path).toBe("sort");
    // Another time is told of anew; what is done is not.
    await patch(ann, assignment, { dueAt: hours(1), remindAt: null });
    await patch(cat, assignment, { status: "accepted" });
    expect(await listed(eve, "&overdue=true")).toEqual([]);
    clock.advance(2 * HOUR_MS);
    await eventually(
      () => dues(assignment.id),
      (each) => each.length === 3,
    );
    await patch(cat, assignment, { status: "done" });
    await patch(ann, later, { dueAt: hours(1) });
    await patch(cat, later, { status: "declined", note: "No boats left" });
    clock.advance(2 * HOUR_MS);
    const last = await given(ann, cat, { remindAt: hours(1) });
    clock.advance(2 * HOUR_MS);
    await eventually(
      () => dues(last.id),
      (each) => each.length === 1,
    );
    expect([(await dues(assignment.id)).length, (await dues(later.id)).length]).toEqual([3, 0]);
  });

  it("ends by itself where its assignee no longer sees it, and can be given to another", async () => {
    const dan = (await persons(at, "dan"))[0]!;
    await admit(at, set, dan, "analyst");
    const members = `/api/problem-sets/${set}/compartments/${red}/members`;
    await as(at, ann)("POST", members, { did: dan.did });
    const [hidden, open] = [await given(ben, dan, { subjectId: secret, dueAt: hours(1) }), await given(ann, dan)];
    await as(at, ann)("DELETE", `${members}/${dan.did}`);
    await eventually(
      () => found(ben, hidden),
      ({ status }) => status === "declined",
    );
    expect(await found(ben, hidden)).toMatchObject({ ended: "compartment-left", assigneeId: dan.userId });
    expect([(await found(dan, hidden)) === undefined, (await found(dan, open)).status]).toEqual([true, "open"]);
    expect((await patch(ben, hidden, { assigneeId: ben.userId })).body.data).toMatchObject({ status: "open" });
    expect((await found(ben, hidden)).ended).toBeUndefined();
    await as(at, ann)("DELETE", `/api/problem-sets/${set}/members/${dan.did}`);
    await eventually(
      () => found(ann, open),
      ({ status }) => status === "declined",
    );
    expect((await found(ann, open)).ended).toBe("member-removed");
  });
});

describe("whatever is done with it", () => {
  const instant = fc.integer({ min: 0, max: 100 }).map((n) => new Date(n * HOUR_MS).toISOString());
  const times = fc.record({ status: fc.constantFrom(...ASSIGNMENT_STATES), dueAt: instant, remindAt: instant });

  it("tells each of its moments once, in order, and nothing once it is settled", () => {
    fc.assert(
      fc.property(times, fc.array(instant, { maxLength: 12 }), (assignment, looks) => {
        const told: string[] = [];
        let next = nextTelling(assignment, new Date(-1).toISOString());
        for (const now of [...looks].sort()) {
          if (next === null || next > now) continue;
          told.push(tellingOf(assignment, now));
          next = nextTelling(assignment, now);
        }
        const isOpen = assignment.status === "open" || assignment.status === "accepted";
        expect(told.filter((one) => one === "overdue").length).toBeLessThanOrEqual(
          assignment.remindAt > assignment.dueAt ? 2 : 1,
        );
        expect(told.filter((one) => one === "reminder").length).toBeLessThanOrEqual(1);
        if (!isOpen) expect(told).toEqual([]);
      }),
    );
  });

  it("is overdue only while it is to be done, and no move leads out of done or declined", () => {
    fc.assert(
      fc.property(times, instant, (assignment, now) => {
        if (isOverdue(assignment, now)) expect(["open", "accepted"]).toContain(assignment.status);
      }),
    );
    const from = new Set<AssignmentState>(Object.values(ASSIGNMENT_MOVES).flat());
    expect([from.has("done"), from.has("declined")]).toEqual([false, false]);
  });
});
