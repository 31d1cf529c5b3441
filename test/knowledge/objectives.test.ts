import { eventually, world, type Reply, type TestWorld } from "../mesh.ts";
import { connect, type Client } from "../gateway/live-setup.ts";
import { admit, as, openCompartment, openSet, persons, type Person } from "../workspace/people.ts";
import { put } from "./documents.requests.ts";

let at: TestWorld;
let ann: Person, dan: Person, ben: Person, eve: Person, top: Person, far: Person, pia: Person;
let parentId: string, problemSetId: string, childId: string, red: string;
beforeAll(async () => {
  at = await world();
  [ann, dan, ben, eve, top, far, pia] = await persons(at, "ann", "dan", "ben", "eve", "top", "far", "pia");
  parentId = await openSet(at, top, { name: "Command" });
  await admit(at, parentId, ann, "deputy");
  problemSetId = await openSet(at, ann, { name: "Brigade", parentId });
  await admit(at, problemSetId, dan, "deputy");
  await admit(at, problemSetId, ben, "analyst");
  await admit(at, problemSetId, eve, "observer");
  await admit(at, problemSetId, pia, "planner");
  childId = await openSet(at, ann, { name: "Battalion", parentId: problemSetId });
  red = await openCompartment(at, problemSetId, ann, "Red", ben, pia);
});
afterAll(() => at.stop());

const PATH = "/api/strategic/objectives";
const send = (who: Person, method: string, tail: string, body?: unknown, headers?: Record<string, string>) =>
  as(at, who)(method, `${PATH}${tail}`, body, headers);
const made = async (reply: Promise<Reply>): Promise<any> => {
  const { status, body, text } = await reply;
  if (status >= 300) throw new Error(text);
  return body.data;
};
const write = (who: Person, statement: string, fields: object = {}): Promise<any> =>
  made(send(who, "POST", "", { problemSetId, statement, ...fields }));
const errorOf = ({ status, body }: Reply): unknown[] => [status, body.error?.code];
const statusOf = async (who: Person, id: string): Promise<string> => (await made(send(who, "GET", `/${id}`))).status;
/** Written and put up by ben, so that others may review it. */
async function submitted(statement: string, fields: object = {}): Promise<string> {
  const { id } = await write(ben, statement, fields);
  await made(send(ben, "POST", `/${id}/submit`, {}));
  return id;
}
const approved = async (statement: string, fields: object = {}): Promise<string> => {
  const id = await submitted(statement, fields);
  await made(send(ann, "POST", `/${id}/review`, { decision: "approve" }));
  return id;
};

describe("an objective by hand", () => {
  it("without a date comes after those that are due, in either order, on whichever page", async () => {
    const apart = await openSet(at, ann, { name: "By date" });
    for (const dueAt of [undefined, "2031-01-01T00:00:00.000Z", undefined, "2030-01-01T00:00:00.000Z", undefined])
      await made(send(ann, "POST", "", { problemSetId: apart, statement: "Hold", ...(dueAt && { dueAt }) }));
    const years = async (sort: string, limit: number) => {
      const pages = Array.from({ length: Math.ceil(6 / limit) }, (_, n) =>
        send(ann, "GET", `?problemSetId=${apart}&sort=${sort}&limit=${limit}&page=${n + 1}`),
      );
      const rows = (await Promise.all(pages)).flatMap(({ body }) => (expect(body.meta.total).toBe(5), body.data));
      expect(new Set(rows.map(({ id }) => id)).size).toBe(5);
      return rows.map(({ dueAt }) => dueAt?.slice(0, 4) ?? "never");
    };
    for (const limit of [1, 2, 3, 6])
      expect([await years("dueAt", limit), await years("-dueAt", limit)]).toEqual([
        ["2030", "2031", "never", "never", "never"],
        ["2031", "2030", "never", "never", "never"],
      ]);
  });

  it("names the words of a document that it comes from, and nobody else's", async () => {
    const text = "Plan Corridor. The brigade must hold the bridge until relieved.";
    const document = await put(at, ann, text, "plan.txt", { problemSetId });
    const [start, end] = [text.indexOf("hold"), text.indexOf(" until")];
    const place = { documentId: document.id, start, end };
    const objective = await write(ben, "Hold the bridge", { citations: [place] });
    expect(objective).toMatchObject({ method: "manual", status: "draft", edited: true, documentId: document.id });
    expect(objective.citations).toEqual([
      {
        ...place,
        version: 1,
        page: 1,
        quote: "hold the bridge",
        prefix: expect.any(String),
        suffix: " until relieved.",
      },
    ]);
    expect(text.slice(start, end)).toBe(objective.citations[0].quote);
    expect((await send(ann, "GET", `?documentId=${document.id}`)).body.data.map((one: any) => one.id)).toEqual([
      objective.id,
    ]);

    const secret = await put(at, ben, "Red plan.", "red.txt", { problemSetId, compartments: red });
    const wrong = async (who: Person, citation: object, fields: object = {}) =>
      errorOf(await send(who, "POST", "", { problemSetId, statement: "Hold", citations: [citation], ...fields }));
    expect(await wrong(dan, { documentId: secret.id, start: 0, end: 3 })).toEqual([404, "NOT_FOUND"]);
    expect(await wrong(ben, { documentId: secret.id, start: 0, end: 3 })).toEqual([422, "COMPARTMENTS"]);
    expect(await wrong(ben, { ...place, end: 900 })).toEqual([400, "VALIDATION_ERROR"]);
    expect(await wrong(ben, { ...place, end: start })).toEqual([400, "VALIDATION_ERROR"]);
    const elsewhere = { problemSetId: childId };
    expect(await wrong(ann, place, elsewhere)).toEqual([400, "VALIDATION_ERROR"]);
  });

  it("is checked line by line, as whoever asks sees its set", async () => {
    const text = "The corridor must stay open.";
    const document = await put(at, ann, text, "corridor.txt", { problemSetId });
    const { id } = await write(ben, "Reduce raids on the corridor by 30 percent", {
      citations: [{ documentId: document.id, start: 0, end: 12 }],
      dueAt: "2099-06-01T00:00:00Z",
      owner: "G3",
    });
    const against = await write(ben, "Increase raids on the corridor", { compartments: [red] });
    const verify = async (who: Person) => {
      const { checks, method, passed } = await made(send(who, "POST", `/${id}/verify`, {}));
      expect([method, passed]).toEqual(["heuristic", false]);
      return Object.fromEntries(checks.map((one: any) => [one.check, one]));
    };
    const told = await verify(ben);
    expect(Object.values(told).map((one: any) => [one.check, one.verdict])).toEqual([
      ["citation", "ok"],
      ["measure", "doubtful"],
      ["date", "ok"],
      ["owner", "ok"],
      ["contradictions", "doubtful"],
    ]);
    expect(told["contradictions"].objectives).toMatchObject([{ objectiveId: against.id, method: "heuristic" }]);
    // Who is not read into the compartment hears of nothing that lies there.
    const toldDan = await verify(dan);
    expect(toldDan["contradictions"]).toMatchObject({ verdict: "ok", objectives: [] });
    expect(JSON.stringify(toldDan)).not.toContain(against.id);
    const strange = await write(ben, "Tenir le pont du nord jusqu'à la fin de la semaine");
    const unread = await made(send(ben, "POST", `/${strange.id}/verify`, {}));
    expect(unread.checks.at(-1)).toMatchObject({
      verdict: "doubtful",
      why: expect.stringMatching(/^It is in French \(fr\), and the rules hold only English against English/),
    });
    expect((await verify(dan))["contradictions"].why).toMatch(
      /; 1 more are in languages that the rules do not read\.$/,
    );
    await as(at, ann)("DELETE", `/api/documents/${document.id}`);
    expect((await verify(ben))["citation"]).toMatchObject({ verdict: "doubtful", why: "The document was withdrawn." });
  });

  it("is changed as a draft, cleared by null, and gone with all that is of it", async () => {
    const { id, rev } = await write(ben, "Draft it", { owner: "G1", description: "Long" });
    const changed = await made(send(dan, "PUT", `/${id}`, { statement: "Draft it again", owner: null }));
    expect(changed).toMatchObject({ statement: "Draft it again", description: "Long", rev: rev + 1, edited: true });
    expect(changed).not.toHaveProperty("owner");
    expect((await send(dan, "PUT", `/${id}`, { statement: "X" }, { "if-match": `"r${rev}-1"` })).status).toBe(412);
    expect(errorOf(await send(dan, "PUT", `/${id}`, { status: "approved" }))).toEqual([400, "VALIDATION_ERROR"]);
    expect((await send(eve, "PUT", `/${id}`, { statement: "Xyz" })).status).toBe(403);
    expect((await send(far, "GET", `/${id}`)).status).toBe(404);
    const hazard = { hazard: "Ice", before: { probability: "frequent", severity: "critical" } };
    const risk = await made(send(ben, "POST", `/${id}/risk`, hazard));
    expect((await send(ben, "DELETE", `/${id}`)).status).toBe(204);
    await eventually(
      () => as(at, ann)("GET", `/api/strategic/risk/high-risk?problemSetId=${problemSetId}`),
      ({ body }) => !body.data.some((one: any) => one.id === risk.id),
    );
    const told = await eventually(
      () => as(at, eve)("GET", `/api/problem-sets/${problemSetId}/activity?limit=100`),
      ({ text }) => text.includes('The objective \\"Draft it again\\" was removed.'),
    );
    expect(told.status).toBe(200);
  });
});

describe("the way to a verdict", () => {
  it("is decided by another person, and says to each what is next", async () => {
    const id = await submitted("Keep the ford");
    const next = async (who: Person) => (await made(send(who, "GET", `/${id}/workflow`))).next;
    expect(await next(ben)).toMatchObject({ approve: { allowed: false }, edit: { allowed: false } });
    expect(await next(dan)).toMatchObject({ approve: { allowed: true }, take: { allowed: true } });
    expect((await next(eve)).take.why).toContain("observer");
    expect(errorOf(await send(ben, "POST", `/${id}/review`, { decision: "approve" }))).toEqual([403, "FORBIDDEN"]);
    await made(send(dan, "POST", `/${id}/workflow/take`, {}));
    expect(await statusOf(eve, id)).toBe("in_review");
    expect(errorOf(await send(ann, "POST", `/${id}/review`, { decision: "approve" }))).toEqual([409, "CONFLICT"]);
    expect(errorOf(await send(dan, "POST", `/${id}/review`, { decision: "reject" }))).toEqual([
      400,
      "VALIDATION_ERROR",
    ]);
    expect((await send(eve, "POST", `/${id}/workflow/comment`, { text: "?" })).status).toBe(403);
    await made(send(ben, "POST", `/${id}/workflow/comment`, { text: "It is the only ford." }));
    await made(send(dan, "POST", `/${id}/review`, { decision: "reject", reason: "No date." }));
    await made(send(ben, "PUT", `/${id}`, { dueAt: "2099-01-01T00:00:00Z" }));
    await made(send(ben, "POST", `/${id}/submit`, { note: "With a date" }));
    const done = await made(send(ann, "POST", `/${id}/review`, { decision: "approve", reason: "Good." }));
    expect(done).toMatchObject({ status: "approved", decidedBy: ann.userId, decidedByName: expect.any(String) });
    const workflow = await made(send(eve, "GET", `/${id}/workflow`));
    expect(workflow.history.map(({ act, from, to }: any) => [act, from, to])).toEqual([
      ["submit", "draft", "submitted"],
      ["take", "submitted", "in_review"],
      ["reject", "in_review", "rejected"],
      ["edit", "rejected", "rejected"],
      ["submit", "rejected", "submitted"],
      ["approve", "submitted", "approved"],
    ]);
    expect(workflow).toMatchObject({ commentCount: 1, comments: [{ text: "It is the only ford." }] });
    expect(errorOf(await send(ann, "PUT", `/${id}`, { owner: "G1" }))).toEqual([409, "INVALID_TRANSITION"]);
    expect(errorOf(await send(ann, "DELETE", `/${id}`))).toEqual([409, "INVALID_TRANSITION"]);
  });

  it("is not for a submitter who commands, nor for a machine", async () => {
    const { id } = await write(ann, "Mine alone");
    await made(send(ann, "POST", `/${id}/submit`, {}));
    expect((await send(ann, "POST", `/${id}/review`, { decision: "approve" })).status).toBe(403);
    const { key } = (await as(at, dan)("POST", "/api/keys", { name: "machine", scopes: ["read", "write"] })).body.data;
    const byKey = { as: null, headers: { "x-api-key": key }, body: { decision: "approve" } };
    const refused = await at.http("POST", `${PATH}/${id}/review`, byKey);
    expect([refused.status, refused.body.error.message]).toEqual([403, "A verdict is for a person, not for a key."]);
    expect((await send(dan, "POST", `/${id}/review`, { decision: "approve" })).status).toBe(200);
  });

  it("is heard by those who see the objective", async () => {
    const clients = await Promise.all([ben, eve].map(({ token }) => connect(at.url, { auth: { token } })));
    const [hears, misses] = clients as [Client, Client];
    for (const one of clients) await one.subscribe({ problemSetId });
    const { id } = await write(ben, "Secret aim", { compartments: [red] });
    const { id: open } = await write(ben, "Open aim");
    const heard = (one: Client): string[] => one.of("objective.changed").map(({ data }) => data.id);
    await eventually(
      async () => clients.map(heard),
      (all) => all.every((ids) => ids.includes(open)),
    );
    expect([heard(hears).includes(id), heard(misses).includes(id)]).toEqual([true, false]);
    // What is read out of a document is told of as what a person writes.
    const text = "Objectives:\n- Seize the bridge at Lyon by 4 March 2027.\n";
    const document = await put(at, ben, text, "secret.txt", { problemSetId, compartments: [red] });
    await made(as(at, ben)("POST", `/api/strategic/documents/${document.id}/extract`, {}));
    const listed = `/api/strategic/documents/${document.id}/objectives`;
    const [extracted] = await eventually(
      () => made(as(at, ben)("GET", listed)),
      ({ length }) => length > 0,
    );
    await eventually(
      async () => heard(hears),
      (ids) => ids.includes(extracted.id),
    );
    expect(heard(misses)).not.toContain(extracted.id);
    for (const { socket } of clients) socket.close();
  });
});

describe("a verdict that is passed up", () => {
  it("is taken in the parent, by what was passed up alone, and comes down", async () => {
    const text = "Only the brigade reads this line. Cross the river.";
    const document = await put(at, ann, text, "river.txt", { problemSetId });
    const citation = { documentId: document.id, start: 34, end: 49 };
    const id = await submitted("Cross the river", { citations: [citation], owner: "S3" });
    await made(send(ben, "POST", `/${id}/workflow/comment`, { text: "Between us" }));
    const waiting = await made(send(dan, "POST", `/${id}/workflow/escalate`, { reason: "Above our head" }));
    expect(waiting.status).toBe("in_review");
    // The deputy is no member of the parent, and does not learn of it.
    expect(waiting.escalatedTo).not.toHaveProperty("problemSetId");
    expect(errorOf(await send(ann, "POST", `/${id}/review`, { decision: "approve" }))).toEqual([409, "CONFLICT"]);
    expect((await made(send(dan, "GET", `/${id}/workflow`))).waitsAbove).toBe(true);

    const linkedId = waiting.escalatedTo.objectiveId;
    const linked = await made(send(top, "GET", `/${linkedId}`));
    expect(linked).toMatchObject({ status: "submitted", owner: "S3", reason: "Above our head", citations: [] });
    const seen: string = JSON.stringify([linked, await made(send(top, "GET", `/${linkedId}/workflow`))]);
    expect(seen).not.toMatch(/Between us|Only the brigade/);
    expect(seen).not.toContain(document.id);
    expect((await send(top, "GET", `/${id}`)).status).toBe(404);
    expect((await send(dan, "GET", `/${linkedId}`)).status).toBe(404);
    expect(errorOf(await send(top, "PUT", `/${linkedId}`, { owner: "X" }))[0]).toBe(409);

    await made(send(top, "POST", `/${linkedId}/review`, { decision: "reject", reason: "Not this year" }));
    expect(await made(send(ben, "GET", `/${id}`))).toMatchObject({ status: "rejected", reason: "Not this year" });
    expect((await made(send(ben, "GET", `/${id}/workflow`))).history.at(-1).act).toBe("parent-decision");

    await made(send(ben, "POST", `/${id}/submit`, {}));
    const again = await made(send(ann, "POST", `/${id}/workflow/escalate`, {}));
    expect(again.escalatedTo).toMatchObject({ problemSetId: parentId });
    expect(again.escalatedTo.objectiveId).not.toBe(linkedId);
    await made(send(top, "POST", `/${again.escalatedTo.objectiveId}/review`, { decision: "approve" }));
    expect(await statusOf(ben, id)).toBe("approved");
  });

  it("goes nowhere without a parent, or without anybody there who may read it", async () => {
    const id = await submitted("In Red", { compartments: [red] });
    const lone = await openSet(at, ann, { name: "Lone" });
    await admit(at, lone, ben, "analyst");
    const { id: alone } = await made(send(ben, "POST", "", { problemSetId: lone, statement: "Alone" }));
    await made(send(ben, "POST", `/${alone}/submit`, {}));
    expect(errorOf(await send(pia, "POST", `/${id}/workflow/escalate`, {}))).toEqual([422, "NO_ELIGIBLE_REVIEWER"]);
    expect(errorOf(await send(ann, "POST", `/${alone}/workflow/escalate`, {}))).toEqual([422, "NO_PARENT"]);
    expect(await statusOf(pia, id)).toBe("submitted");
  });
});

describe("what is approved", () => {
  const inherited = async (kind: string) =>
    (await made(as(at, ann)("GET", `/api/inheritance/${childId}/inherited-context?kind=${kind}`))).items;

  it("passes down to the children, until a successor takes its place", async () => {
    const id = await approved("Supply the north", { description: "By road." });
    const [item] = await eventually(
      async () => (await inherited("objective")).filter((one: any) => one.sourceId === id),
      (found) => found.length === 1,
    );
    expect(item).toMatchObject({ title: "Supply the north", text: "Supply the north\n\nBy road.", status: "approved" });

    const draft = await write(ben, "Not approved");
    const heir = await submitted("Supply the north by rail", { supersedes: id });
    const rival = await submitted("Supply the north by air", { supersedes: id });
    const fresh = await openSet(at, ann, { name: "Company", parentId: problemSetId });
    const late = await eventually(
      async () => (await made(as(at, ann)("GET", `/api/inheritance/${fresh}/inherited-context`))).items,
      (items) => items.some((one: any) => one.sourceId === id),
    );
    expect(late.some((one: any) => one.sourceId === draft.id)).toBe(false);

    await made(send(ann, "POST", `/${heir}/review`, { decision: "approve" }));
    expect(await made(send(eve, "GET", `/${id}`))).toMatchObject({ status: "superseded", supersededBy: heir });
    await eventually(
      async () => (await inherited("objective")).map((one: any) => one.sourceId),
      (sources) => sources.includes(heir) && !sources.includes(id),
    );
    expect(errorOf(await send(ann, "POST", `/${rival}/review`, { decision: "approve" }))).toEqual([409, "CONFLICT"]);
    expect(errorOf(await send(ben, "POST", "", { problemSetId, statement: "Third", supersedes: id }))).toEqual([
      409,
      "CONFLICT",
    ]);
  });

  it("takes its intent along once that is approved too", async () => {
    const id = await approved("Open the port");
    const said = { purpose: "So that ships land", keyTasks: ["Clear the mines"], endState: "Ships land." };
    expect((await send(dan, "POST", `/${id}/intent`, { ...said, status: "approved" })).status).toBe(403);
    const intent = await made(send(dan, "POST", `/${id}/intent`, said));
    const tag = (await send(ann, "GET", `/${id}/intent`)).headers.get("etag")!;
    const put1 = await as(at, ann)(
      "PUT",
      `/api/strategic/intent/${intent.id}`,
      { status: "approved" },
      { "if-match": tag },
    );
    expect(put1.body.data).toMatchObject({ status: "approved", version: 2, approvedBy: ann.userId });
    const [item] = await eventually(
      async () => (await inherited("intent")).filter((one: any) => one.sourceId === intent.id),
      (found) => found.length === 1,
    );
    expect(item.text).toContain("- Clear the mines");
  });
});

describe("how far an objective is", () => {
  it("that is to be kept follows from the first value on, whatever that is", async () => {
    const status = async (words: string, measure: object): Promise<string> => {
      const { id } = await write(ben, words, { measure, dueAt: "2099-01-01T00:00:00Z" });
      return (await made(send(ben, "POST", `/${id}/assess`, { value: 60, evidence: ["Weekly report"] }))).status;
    };
    const pumps = { indicator: "pumps ready", unit: "percent", target: 85 };
    expect(await status("Keep the pumps ready at 85 percent", pumps)).toBe("off-track");
    expect(await status("The pumps of the district", { ...pumps, keep: "at-least" })).toBe("off-track");
    expect(await status("The pumps of the district", { ...pumps, keep: "at-most" })).toBe("on-track");
    expect(await status("Waiting stays below 5 hours", { indicator: "hours of waiting", target: 5 })).toBe("off-track");
  });

  it("follows from its values against the line to the target, and is told", async () => {
    const { id } = await write(ben, "Fewer raids", {
      measure: { indicator: "raids a month", baseline: 12, target: 6 },
      dueAt: "2099-01-01T00:00:00Z",
    });
    const assess = (body: object) => send(ben, "POST", `/${id}/assess`, { evidence: ["Weekly report"], ...body });
    const first = await made(assess({ value: 12, at: "2026-01-01T00:00:00Z" }));
    const second = await made(assess({ value: 11, at: "2026-02-01T00:00:00Z" }));
    expect(first.trend).toMatchObject({ points: 1, slope: null });
    expect(second).toMatchObject({ status: "on-track", trend: { points: 2, slope: -0.0322581, status: "on-track" } });
    const judged = await made(assess({ value: 10, status: "at-risk", at: "2026-03-01T00:00:00Z" }));
    expect(judged).toMatchObject({ status: "at-risk", trend: { status: "on-track" } });
    expect((await made(assess({ value: 5 }))).status).toBe("achieved");
    const late = await made(assess({ value: 11.8, at: "2026-01-15T00:00:00Z" }));
    expect(late.trend).toMatchObject({ points: 2, status: "on-track" });
    expect(errorOf(await assess({}))).toEqual([400, "VALIDATION_ERROR"]);
    expect(errorOf(await assess({ value: 1e300 }))).toEqual([400, "VALIDATION_ERROR"]);
    expect(errorOf(await assess({ value: 1, at: "2199-01-01T00:00:00Z" }))).toEqual([400, "VALIDATION_ERROR"]);
    const all = (await send(eve, "GET", `/${id}/assessments?sort=at`)).body;
    expect(all.data.map((one: any) => one.value)).toEqual([12, 11.8, 11, 10, 5]);
    await eventually(
      () => as(at, eve)("GET", `/api/problem-sets/${problemSetId}/activity?limit=100`),
      ({ text }) => text.includes('The objective \\"Fewer raids\\" is achieved.'),
    );
  });
});
