import { eventually, itInside, world, type Reply, type TestWorld } from "../../mesh.ts";
import { admit, as, openCompartment, openSet, persons, type Person } from "../../workspace/people.ts";
import { form } from "../documents.requests.ts";
import { pdf } from "../files.ts";

let at: TestWorld;
let ann: Person, ben: Person, eve: Person, far: Person;
let problemSetId: string, red: string;
beforeAll(async () => {
  at = await world();
  [ann, ben, eve, far] = await persons(at, "ann", "ben", "eve", "far");
  problemSetId = await openSet(at, ann, { name: "Northern Bridge" });
  await admit(at, problemSetId, ben, "analyst");
  await admit(at, problemSetId, eve, "observer");
  red = await openCompartment(at, problemSetId, ann, "Red", ben);
});
afterAll(() => at.stop());

const DOCUMENTS = "/api/strategic/documents";
const send = (who: Person, content: string | Uint8Array, name: string, fields: object = {}): Promise<Reply> =>
  at.http("POST", DOCUMENTS, { as: who.token, body: form(content, name, { problemSetId, ...fields }) });
const add = async (who: Person, content: string | Uint8Array, name: string, fields: object = {}): Promise<string> =>
  (await send(who, content, name, fields)).body.data.id;
const get = (who: Person, path: string, headers?: Record<string, string>): Promise<Reply> =>
  as(at, who)("GET", `${DOCUMENTS}${path}`, undefined, headers);
const post = (who: Person, path: string, body: object = {}): Promise<Reply> =>
  as(at, who)("POST", `${DOCUMENTS}${path}`, body);
const textOf = async (id: string): Promise<string> =>
  (
    await eventually(
      () => get(ann, `/${id}/text`),
      ({ status }) => status !== 202,
    )
  ).body.data.text;
const errorOf = ({ status, body }: Reply): unknown => [status, body.error?.code];

interface Event {
  id?: string;
  event: string;
  data: any;
}
/** A stream to its end. */
async function followed(who: Person, path: string, headers?: Record<string, string>): Promise<Event[]> {
  const { text } = await get(who, path, headers);
  return text
    .split("\n\n")
    .map((part) =>
      Object.fromEntries(
        part.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
      ),
    )
    .filter(({ event }) => event)
    .map(({ id, event, data }) => ({ ...(id && { id }), event: event!, data: JSON.parse(data!) }));
}
const extracted = async (who: Person, id: string): Promise<any[]> => {
  expect((await post(who, `/${id}/extract`)).status).toBe(202);
  const events = await followed(who, `/${id}/extract/stream`);
  expect(events.at(-1)!.event).toBe("done");
  return events.filter(({ event }) => event === "objective").map(({ data }) => data);
};
const objectives = async (who: Person, id: string): Promise<any[]> =>
  (await get(who, `/${id}/objectives?limit=100&sort=createdAt`)).body.data;

const PLAN = `# Plan

## Objectives
1. Hold the crossing until 12 March 2026.
2. Bring 200 tonnes of fuel to the forward point by 06:00 on 4 March 2026.

## Background
Last year the battalion held the crossing for 30 days. The minister said "we will rebuild it by 2027".

## Tasks
A Company will block the eastern road within 4 hours. Do not cross the canal before 06:00.
`;

describe("the strategic door to documents", () => {
  it("opens the one store: what comes by either is one document, and what is said of it is kept", async () => {
    const bytes = await pdf([["# Plan", "Hold the crossing."], ["Open the road by 06:00."]]);
    const first = await at.http("POST", "/api/documents/upload", {
      as: ann.token,
      body: form(bytes, "plan.pdf", { problemSetId }),
    });
    const again = await send(ben, bytes, "other.pdf", {
      kind: "plan",
      issuer: "3 Brigade",
      effectiveAt: "2026-03-01T00:00:00+01:00",
    });
    expect([again.status, again.body.data.duplicate, again.body.data.id]).toEqual([200, true, first.body.data.id]);
    const { id } = first.body.data;
    await send(ben, bytes, "other.pdf", { kind: "report" });
    expect((await get(eve, `/${id}`)).body.data).toMatchObject({
      title: "plan",
      kind: "plan",
      issuer: "3 Brigade",
      effectiveAt: "2026-02-28T23:00:00.000Z",
      createdBy: ann.userId,
    });
    expect((await as(at, eve)("GET", `/api/documents/${id}`)).body.data.kind).toBe("plan");
    expect(await textOf(id)).toContain("Open the road");
    expect((await get(eve, `/${id}/text?page=2`)).body.data.text).toBe("Open the road by 06:00.");
    const ids = (await get(eve, `?problemSetId=${problemSetId}&kind=plan`)).body.data.map((one: any) => one.id);
    expect(ids).toEqual([id]);
    expect(errorOf(await get(far, `/${id}`))).toEqual([404, "NOT_FOUND"]);
    expect(errorOf(await as(at, eve)("DELETE", `${DOCUMENTS}/${id}`))).toEqual([403, "FORBIDDEN"]);
    expect(errorOf(await as(at, ann)("DELETE", `${DOCUMENTS}/${id}`, undefined, { "if-match": '"r1"' }))).toEqual([
      412,
      "STALE",
    ]);
    expect((await as(at, ann)("DELETE", `${DOCUMENTS}/${id}?reason=Old`)).body.data.withdrawn.reason).toBe("Old");
    expect(errorOf(await get(ann, `/${id}/text`))).toEqual([410, "GONE"]);
    expect(errorOf(await post(ann, `/${id}/extract`))).toEqual([410, "GONE"]);
  });

  it("keeps what lies in a compartment from those who are not read into it, with all that is found in it", async () => {
    const id = await add(ben, PLAN, "red.md", { compartments: red });
    const found = await extracted(ben, id);
    for (const path of ["", "/text", "/objectives", "/extract/stream"])
      expect((await get(ann, `/${id}${path}`)).status).toBe(404);
    expect((await post(ann, `/${id}/extract`)).status).toBe(404);
    expect((await objectives(ben, id)).map(({ compartments }) => compartments)).toEqual(found.map(() => [red]));
  });
});

describe("the work on a document", () => {
  const jobs = (who: Person, path = "?limit=100"): Promise<Reply> => as(at, who)("GET", `/api/jobs${path}`);

  it("is looked at by those who see the document, and listed for whoever asked for it and operators", async () => {
    const open = await add(ann, `${PLAN}\nBy the open road.`, "open.md");
    const hidden = await add(ben, `${PLAN}\nBy the hidden road.`, "hidden.md", { compartments: red });
    const works: string[] = [];
    for (const [who, id] of [[ann, open] as const, [ben, hidden] as const]) {
      works.push(
        (await post(who, `/${id}/extract`)).body.data.jobId,
        (await post(who, `/${id}/review`)).body.data.jobId,
      );
      await extracted(who, id);
      await followed(who, `/${id}/review/stream`);
    }
    const seen = (who: Person): Promise<boolean[]> =>
      Promise.all(
        works.map(async (id) => {
          const path = `/${encodeURIComponent(id)}`;
          const [{ status }, { status: followed }] = [await jobs(who, path), await jobs(who, `${path}/events`)];
          expect(followed).toBe(status);
          return status === 200;
        }),
      );
    expect([await seen(ben), await seen(eve), await seen(ann), await seen(far)]).toEqual([
      [true, true, true, true],
      [true, true, false, false],
      [true, true, false, false],
      [false, false, false, false],
    ]);
    const listed = async (who?: Person): Promise<unknown[]> =>
      (who ? await jobs(who) : await at.http("GET", "/api/jobs?limit=100")).body.data
        .map(({ id }: { id: string }) => id)
        .filter((id: string) => id.includes(open) || id.includes(hidden));
    expect(await listed(far)).toEqual([]);
    expect(await listed(eve)).toEqual([]);
    expect((await listed(ann)).every((id) => String(id).includes(open))).toBe(true);
    expect(await listed(ann)).toEqual(expect.arrayContaining(works.slice(0, 2)));
    expect(await listed()).toEqual(expect.arrayContaining(works));
    // Whoever asked for it sees no more of it than of the document.
    const readers = `/api/problem-sets/${problemSetId}/compartments/${red}/members`;
    const readIn = (): Promise<Reply> => as(at, ann)("POST", readers, { did: ben.did });
    expect((await as(at, ann)("DELETE", `${readers}/${ben.did}`)).status).toBeLessThan(300);
    expect([await seen(ben), await listed(ben)]).toEqual([[true, true, false, false], []]);
    expect([(await readIn()).status, await seen(ben)]).toEqual([200, [true, true, true, true]]);
  });
});

describe("objectives that are found in a document", () => {
  it("come with the words they come from, to everybody who follows, early, late, again and in the middle", async () => {
    const id = await add(ann, PLAN, "plan.md");
    expect(errorOf(await get(ann, `/${id}/extract/stream`))).toEqual([404, "NOT_FOUND"]);
    expect(errorOf(await post(eve, `/${id}/extract`))).toEqual([403, "FORBIDDEN"]);
    const begun = await Promise.all([post(ann, `/${id}/extract`), post(ben, `/${id}/extract`)]);
    expect(new Set(begun.map(({ status, body }) => `${status} ${body.data.jobId}`)).size).toBe(1);
    const [early, other] = await Promise.all([
      followed(ann, `/${id}/extract/stream`),
      followed(eve, `/${id}/extract/stream`),
    ]);
    const late = await followed(ben, `/${id}/extract/stream`);
    expect([other, late]).toEqual([early, early]);
    expect(early.map(({ event }) => event)).toEqual([
      "progress",
      "progress",
      "objective",
      "objective",
      "objective",
      "progress",
      "done",
    ]);
    expect(early.at(-2)!.data).toEqual({ stage: "completed", done: 3, total: 3, method: "heuristic" });
    expect(await followed(ben, `/${id}/extract/stream`, { "last-event-id": early[2]!.id! })).toEqual(early.slice(3));

    const text = await textOf(id);
    const all = await objectives(eve, id);
    expect(all).toHaveLength(3);
    expect(all.map(({ statement, kind, method, status, dueAt }) => [statement, kind, method, status, dueAt])).toEqual(
      expect.arrayContaining([
        ["Hold the crossing until 12 March 2026.", "objective", "heuristic", "draft", "2026-03-12T23:59:59.000Z"],
        [
          "Bring 200 tonnes of fuel to the forward point by 06:00 on 4 March 2026.",
          "objective",
          "heuristic",
          "draft",
          "2026-03-04T06:00:00.000Z",
        ],
        ["A Company will block the eastern road within 4 hours.", "task", "heuristic", "draft", undefined],
      ]),
    );
    for (const { citations, confidence, documentId } of all) {
      expect(documentId).toBe(id);
      for (const { start, end, quote, version } of citations)
        expect([text.slice(start, end), version]).toEqual([quote, 1]);
      const sum = confidence.parts.reduce((total: number, { value }: any) => total + value, 0);
      expect(sum).toBeCloseTo(confidence.value, 6);
    }
  });

  it("are made anew by a rerun as long as nobody touched them, and have a proposal beside them otherwise", async () => {
    const id = await add(ann, PLAN, "rerun.md", { title: "Rerun" });
    const first = await extracted(ann, id);
    const store = await at.mesh.world.documents.collection("strategic_objectives");
    const [held, fuel, road] = first.map(({ objectiveId }) => objectiveId);
    await store.updateById(held, { $set: { statement: "Hold it until relieved.", edited: true } });
    await store.updateById(road, { $set: { status: "approved" } });
    await store.removeById(fuel);
    const second = await extracted(ann, id);
    expect(second.map(({ objectiveId, outcome }) => [objectiveId, outcome])).toEqual([
      [held, "proposed"],
      [fuel, "removed"],
      [road, "kept"],
    ]);
    const all = await objectives(ann, id);
    expect(all.map(({ id: one }) => one).sort()).toEqual([held, road].sort());
    expect(all.find(({ id: one }) => one === held)).toMatchObject({
      statement: "Hold it until relieved.",
      proposal: { statement: "Hold the crossing until 12 March 2026.", documentVersion: 1 },
    });
    const next = await at.http("POST", `/api/documents/${id}/versions`, {
      as: ann.token,
      body: form(`Preface.\n\n${PLAN}`, "rerun.md"),
    });
    expect(next.status).toBe(201);
    const third = await extracted(ann, id);
    expect(third.find(({ objectiveId }) => objectiveId === road)!.outcome).toBe("kept");
    const text = await textOf(id);
    for (const { citation } of third) {
      expect(citation.version).toBe(2);
      expect(text.slice(citation.start, citation.end)).toBe(citation.quote);
    }
  });

  it("that nobody touched go where the newest version says otherwise, and come back where an older one is read", async () => {
    const goals = (day: string) =>
      `# Goals\n\n1. Open the channel by ${day} June 2027.\n2. Train 120 officers by May 2027.\n3. Close the port by ${day} July 2027.\n`;
    const id = await add(ann, goals("3"), "goals.md", { title: "Goals" });
    const [channel, , port] = (await extracted(ann, id)).map(({ objectiveId }) => objectiveId);
    const comment = await as(at, ann)("POST", `/api/strategic/objectives/${port}/workflow/comment`, { text: "Why?" });
    expect(comment.status).toBe(201);
    const body = form(goals("9"), "goals.md");
    expect((await at.http("POST", `/api/documents/${id}/versions`, { as: ann.token, body })).status).toBe(201);
    await extracted(ann, id);
    const told = async () =>
      (await objectives(ann, id)).map(({ statement, documentVersion }) => [statement, documentVersion]).sort();
    const now = [
      // Somebody asked about it: it is theirs.
      ["Close the port by 3 July 2027.", 1],
      ["Close the port by 9 July 2027.", 2],
      ["Open the channel by 9 June 2027.", 2],
      ["Train 120 officers by May 2027.", 2],
    ];
    expect(await told()).toEqual(now);
    // What an older version says is read again, and made as new as it was: removed by no person.
    expect((await post(ann, `/${id}/extract`, { version: 1 })).status).toBe(202);
    await eventually(told, (rows) => rows.length === 5);
    expect(await told()).toEqual([...now, ["Open the channel by 3 June 2027.", 1]].sort());
    expect((await objectives(ann, id)).some(({ id: one }) => one === channel)).toBe(true);
    await extracted(ann, id);
    expect(await told()).toEqual(now);
    // With the document goes what nobody made anything of.
    expect((await as(at, ann)("DELETE", `${DOCUMENTS}/${id}`)).status).toBe(200);
    const left = async (): Promise<string[]> =>
      (await as(at, ann)("GET", `/api/strategic/objectives?problemSetId=${problemSetId}&limit=100`)).body.data.flatMap(
        (one: any) => (one.documentId === id ? [one.id] : []),
      );
    await eventually(left, (ids) => ids.length === 1 && ids[0] === port);
  });

  it("are not silently missed in a language that the rules do not read", async () => {
    const french =
      "Objectifs\n\nTenir le pont du nord jusqu'au 12 mars 2026. Rétablir le passage des convois avant la fin de la semaine.\n\nLe bataillon garde la route entre la ville et la frontière.";
    const id = await add(ann, french, "plan-fr.txt");
    await textOf(id);
    const begun = (await post(ann, `/${id}/extract`)).body.data;
    const why =
      "Its text is in French (fr), and the rules for objectives read English only; a language model, where one is configured, reads any language.";
    expect(begun.notice).toBe(why);
    const steps = (await followed(eve, `/${id}/extract/stream`)).filter(({ event }) => event === "progress");
    expect(steps.at(-1)!.data).toMatchObject({ stage: "completed", method: "heuristic", notice: why });
    const reviewed = (await post(ann, `/${id}/review`)).body.data;
    expect(reviewed.notice).toBe(why.replace("objectives", "wording"));
    const english = await add(ann, PLAN, "plan-en.md", { title: "In English" });
    await textOf(english);
    expect((await post(ann, `/${english}/extract`)).body.data.notice).toBeUndefined();
    const last = (await followed(eve, `/${english}/extract/stream`)).findLast(({ event }) => event === "progress")!;
    expect(last.data.notice).toBeUndefined();
  });

  it("are not looked for in what cannot be read: the stream says why", async () => {
    const locked = await pdf([["Secret"]], { userPassword: "x", ownerPassword: "y" });
    const id = await add(ann, locked, "locked.pdf");
    const { status: begun } = await post(ann, `/${id}/extract`);
    await eventually(
      () => post(ann, `/${id}/extract`),
      ({ status }) => status === 422,
    );
    const { status, text } = await get(ann, `/${id}/extract/stream`);
    // Asked for after it was known, it was never begun.
    expect([status, text.includes("UNREADABLE")]).toEqual(begun === 202 ? [200, true] : [404, false]);
    expect(errorOf(await post(ann, `/${id}/extract`, { version: 4 }))).toEqual([404, "NOT_FOUND"]);
  });

  itInside("are each there once when the work was killed in between and goes on", async () => {
    const id = await add(ann, PLAN, "killed.md", { title: "Killed" });
    const whole = await extracted(ann, id);
    const [extractions, jobs] = await Promise.all(
      ["strategic_extractions", "jobs"].map((name) => at.mesh.world.documents.collection(name)),
    );
    const record = (await extractions!.findOne({ documentId: id }))!;
    const before = await followed(ann, `/${id}/extract/stream`);
    await extractions!.updateById(record._id, {
      $set: { status: "running", found: record["found"].slice(0, 1) },
      $unset: { end: 1 },
    });
    await jobs!.updateById(`strategic.extract:${id}:1`, {
      $set: { status: "queued", runAt: new Date(0).toISOString() },
      $unset: { endedAt: 1 },
    });
    at.service("strategic").jobs.poke();
    expect(await followed(ann, `/${id}/extract/stream`)).toEqual(before);
    expect(await objectives(ann, id)).toHaveLength(whole.length);
  });
});
