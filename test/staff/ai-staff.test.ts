import fc from "fast-check";
import { answer, modelStandIn, type StandIn } from "../../adapters/llm/stand-in.ts";
import { cursorOf, pageOf, cursorFrom, rankOf, FEED_SEVERITIES } from "../../services/staff/ai-staff/feed/feed.ts";
import { put } from "../knowledge/documents.requests.ts";
import { connect, type Client } from "../gateway/live-setup.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { admit, as, openCompartment, openSet, persons, type Person } from "../workspace/people.ts";
import { asked } from "./ai-staff.requests.ts";
import { delegate, done, enrol, execute, settled } from "./setup.ts";

// The staff's feed, notes and chat: what matters most to each reader, notes that know their version, one agent a tab.

let at: TestWorld;
let model: StandIn;
let ann: Person, ben: Person, kim: Person, oli: Person;
let set: string, red: string;
const sockets = new Map<Person, Client>();

beforeAll(async () => {
  model = await modelStandIn();
  at = await world({ LLM_BASE_URL: model.baseUrl, LLM_MAX_RETRIES: "0" });
  [ann, ben, kim, oli] = await persons(at, "ann", "ben", "kim", "oli");
  set = await openSet(at, ann, { name: "Northern Bridge" });
  await admit(at, set, ben, "planner");
  await admit(at, set, kim, "analyst");
  await admit(at, set, oli, "observer");
  red = await openCompartment(at, set, ann, "Red", ben);
  for (const who of [ann, ben, kim]) {
    const client = await connect(at.url, { auth: { token: who.token } });
    expect(await client.subscribe({ problemSetId: set })).toEqual({ ok: true });
    sockets.set(who, client);
  }
});
afterAll(async () => {
  for (const { socket } of sockets.values()) socket.close();
  await at?.stop();
  await model.close();
});

const on = (path: string): string => `/api/ai-staff/${set}/${path}`;
const hours = (n: number): string => new Date(at.clock.now() + n * 3_600_000).toISOString();

describe("the feed", () => {
  const feed = async (who: Person, query = "") => (await as(at, who)("GET", on(`feed${query}`))).body;
  const add = (who: Person, title: string, fields: object = {}): Promise<any> =>
    done(at, who, "POST", on("feed"), { title, ...fields });

  it("is in the order of what matters to its reader, whose parts add up, with what they read last", async () => {
    const late = await add(kim, "Overdue", { severity: "low", dueAt: hours(-1), tab: "plan" });
    const grave = await add(kim, "Grave", { severity: "critical" });
    const secret = await add(ben, "Secret", { severity: "critical", dueAt: hours(-1), compartments: [red] });
    await add(kim, "Idle", { severity: "info", tab: "plan" });
    const titles = async (who: Person) => (await feed(who)).data.map(({ title }: any) => title);
    expect(await titles(kim)).toEqual(["Grave", "Overdue", "Idle"]);
    expect(await titles(ben)).toEqual(["Secret", "Grave", "Overdue", "Idle"]);
    const { data: rows, meta } = await feed(kim);
    for (const { rank } of rows)
      expect(rank.score).toBeCloseTo(50 * rank.severity + 30 * rank.urgency + 20 * rank.novelty, 4);
    expect(rows[1].rank).toMatchObject({ severity: 0.25, urgency: 1 });
    expect(meta.unread).toBe(3);
    expect((await feed(kim, "?tab=plan")).data).toHaveLength(2);

    expect(await done(at, kim, "PATCH", on(`feed/${grave.id}/read`))).toMatchObject({
      read: true,
      rank: { novelty: 0 },
    });
    expect((await as(at, kim)("PATCH", on(`feed/${secret.id}/read`))).status).toBe(404);
    expect([(await feed(kim)).meta.unread, (await feed(ann)).meta.unread]).toEqual([2, 3]);
    const before = late.createdAt;
    await done(at, kim, "POST", on("feed/read-all"), { before });
    const unread = (await feed(kim)).data.filter(({ read }: any) => !read).map(({ title }: any) => title);
    expect(unread).toEqual(["Idle"]);
    await done(at, oli, "POST", on("feed/read-all"), {});
    await done(at, oli, "POST", on("feed/read-all"), { before: hours(-9) });
    expect((await feed(oli)).meta.unread).toBe(0);
    expect((await as(at, oli)("POST", on("feed"), { title: "No" })).status).toBe(403);
  });

  it("pages as of one moment: what comes, or is read, in between moves nothing", async () => {
    for (let n = 0; n < 5; n++) await add(kim, `Item ${n}`, { severity: "medium" });
    const first = await feed(ann, "?limit=3");
    at.clock.advance(3_600_000);
    await add(kim, "Comes later", { severity: "critical" });
    for (const { id } of (await feed(ann, "?limit=100")).data) await done(at, ann, "PATCH", on(`feed/${id}/read`));
    const seen = first.data.map(({ id }: any) => id);
    for (let cursor = first.meta.next; cursor;) {
      const page = await feed(ann, `?limit=3&cursor=${cursor}`);
      seen.push(...page.data.map(({ id }: any) => id));
      cursor = page.meta.next;
    }
    // All of it in one page, as it was then.
    const beginning = cursorOf({ asOf: Date.parse(first.meta.asOf), score: 1_000, id: "" });
    const whole = (await feed(ann, `?limit=100&cursor=${beginning}`)).data;
    expect([seen, whole.every(({ read }: any) => !read)]).toEqual([whole.map(({ id }: any) => id), true]);
    expect(seen.length).toBeGreaterThan(7);
    expect((await as(at, ann)("GET", on("feed?cursor=nonsense"))).status).toBe(400);
  });

  it("orders any items the same in one page and in many", () => {
    const now = Date.parse("2026-01-10T00:00:00Z");
    const item = fc.record({
      id: fc.uuid(),
      severity: fc.constantFrom(...(Object.keys(FEED_SEVERITIES) as (keyof typeof FEED_SEVERITIES)[])),
      age: fc.nat(200),
      due: fc.option(fc.integer({ min: -100, max: 200 }), { nil: undefined }),
      isRead: fc.boolean(),
    });
    const hour = 3_600_000;
    fc.assert(
      fc.property(
        fc.uniqueArray(item, { selector: ({ id }) => id }),
        fc.integer({ min: 1, max: 7 }),
        (items, limit) => {
          const ranked = items.map(({ id, severity, age, due, isRead }) => ({
            id,
            rank: rankOf(
              {
                severity,
                createdAt: new Date(now - age * hour).toISOString(),
                ...(due !== undefined && { dueAt: new Date(now + due * hour).toISOString() }),
              },
              isRead,
              now,
            ),
          }));
          const all = pageOf(ranked, 1_000).rows;
          expect(all.every(({ rank: { score } }) => score >= 0 && score <= 100)).toBe(true);
          const seen: typeof all = [];
          for (let from = undefined as string | undefined; ;) {
            const { rows, more } = pageOf(ranked, limit, from === undefined ? undefined : cursorFrom(from));
            seen.push(...rows);
            if (!more) break;
            const { id, rank } = rows.at(-1)!;
            from = cursorOf({ asOf: now, score: rank.score, id });
          }
          expect(seen).toEqual(all);
        },
      ),
    );
  });
});

describe("a note", () => {
  it("is bound to a version and its words, goes its way, and is stale when its target moves on", async () => {
    const words = "Twelve tonnes since the flood. \u{1F6A7}";
    const document = await put(at, ben, words, "plan.txt", { problemSetId: set });
    const target = { targetType: "document", targetId: document.id };
    const propose = (who: Person, fields: object) => as(at, who)("POST", on("annotations"), { ...target, ...fields });
    expect((await propose(kim, { text: "?", span: { start: 0, end: 6, quote: "Eleven" } })).body.error.code).toBe(
      "SPAN",
    );
    expect((await propose(kim, { text: "?", version: 2 })).body.error.code).toBe("VERSION");
    expect((await propose(kim, { text: "?", targetType: "gate" })).body.error.code).toBe("TARGET");
    const note = (await propose(kim, { text: "Ten, by now", span: { start: 0, end: 6 } })).body.data;
    expect(note).toMatchObject({ version: 1, span: { quote: "Twelve" }, status: "proposed", stale: false });
    const half = { start: 0, end: words.length - 1 };
    expect((await propose(kim, { text: "?", span: half })).body.error).toMatchObject({ code: "SPAN" });
    const decide = (who: Person, status: string) => as(at, who)("PATCH", on(`annotations/${note.id}`), { status });
    expect((await decide(oli, "accepted")).status).toBe(403);
    expect((await decide(kim, "resolved")).body.error).toMatchObject({
      code: "INVALID_TRANSITION",
      message: expect.stringMatching(/^Cannot go to resolved from proposed/),
    });
    expect((await decide(kim, "accepted")).body.data).toMatchObject({ status: "accepted", decidedBy: kim.userId });
    expect((await decide(ben, "dismissed")).status).toBe(409);

    const form = new FormData();
    form.append("file", new File(["Ten tonnes."], "plan.txt"));
    await at.http("POST", `/api/documents/${document.id}/versions`, { as: ben.token, body: form });
    const [stale] = await done(at, oli, "GET", on(`annotations?targetId=${document.id}`));
    expect(stale).toMatchObject({ id: note.id, stale: true, version: 1 });
    expect((await decide(ben, "resolved")).body.data).toMatchObject({ status: "resolved", stale: true });
  });

  it("lies where its target lies; an agent proposes one by its tool, behind the gate", async () => {
    const hidden = await put(at, ben, "Quetzal.", "q.txt", { problemSetId: set, compartments: [red] });
    const fields = { targetType: "document", targetId: hidden.id, text: "Hm" };
    expect((await as(at, kim)("POST", on("annotations"), fields)).body.error.code).toBe("TARGET");
    expect(await done(at, ben, "POST", on("annotations"), fields)).toMatchObject({ compartments: [red] });
    expect(JSON.stringify(await done(at, kim, "GET", on("annotations")))).not.toContain(hidden.id);

    const agent = await enrol(at, ben, set, { tools: ["add_feed_item"], autonomy: 2 });
    await delegate(at, ben, agent.id, set, { tools: ["add_feed_item"], classes: [] });
    const turns = [answer({ act: "add_feed_item", arguments: { title: "Seen by Scout" } })];
    model.respond(() => turns.shift() ?? answer({ act: "finish", answer: "Over." }));
    const id = await execute(at, ben, agent.id, { task: "Put it on the feed", problemSetId: set });
    expect(await settled(at, ben, id)).toMatchObject({
      status: "completed",
      log: [{ status: "done", class: "annotate" }],
    });
    const found = (await done(at, kim, "GET", on("feed?limit=100"))).find(
      ({ title }: any) => title === "Seen by Scout",
    );
    expect(found).toMatchObject({ agentId: agent.id, createdBy: ben.userId });
  });
});

describe("the chat", () => {
  it("is answered by the agent of its tab, says who and why, and is for all who are read in", async () => {
    const agent = await enrol(at, ben, set, { name: "Planner", character: "You plan bridges." });
    const route = (tab: string, agentId: string | null, who = ben) =>
      as(at, who)("PUT", on(`routing/${tab}`), { agentId });
    expect((await route("plan", agent.id, kim)).status).toBe(403);
    const nowhere = await route("nowhere", agent.id);
    expect([nowhere.status, nowhere.body.error.message]).toEqual([
      404,
      expect.stringMatching(/there are overview, news/),
    ]);
    const elsewhere = await openSet(at, ben, { name: "Elsewhere" });
    const foreign = await enrol(at, ben, elsewhere);
    expect((await route("plan", foreign.id)).body.error.code).toBe("OTHER_SET");
    expect((await route("plan", agent.id)).body.data).toMatchObject({ tab: "plan", agentId: agent.id, rev: 1 });
    const rows = await done(at, oli, "GET", on("routing"));
    expect(rows.find(({ tab }: any) => tab === "plan")).toMatchObject({ agentName: "Planner" });
    expect(rows.find(({ tab }: any) => tab === "news")).toMatchObject({
      agentId: null,
      agentName: "Assistant",
      rev: 0,
    });

    model.respond(({ messages }) =>
      answer(messages[0]!.content.includes("You plan bridges.") ? "As planned [1]." : "As usual."),
    );
    const reply = await asked(at, set, { text: "What does the bridge carry, twelve tonnes?", tab: "plan" }, kim);
    expect(reply).toMatchObject({ text: "As planned [1].", agentId: agent.id, status: "completed", compartments: [] });
    expect(reply.who).toEqual({ agentId: agent.id, agentName: "Planner", why: "It serves the tab plan." });
    const over = await eventually(
      () =>
        sockets
          .get(ann)!
          .of("staff.reply.done")
          .map(({ data }) => data),
      ({ length }) => length > 0,
    );
    expect(over).toMatchObject([{ messageId: reply.id, text: reply.text }]);
    expect((await as(at, kim)("POST", on("chat"), { text: "Hm", tab: "nowhere" })).status).toBe(404);
    expect((await as(at, oli)("POST", on("chat"), { text: "Hm" })).status).toBe(403);
    await done(at, ann, "PUT", `/api/agents/${agent.id}/deactivate`, {});
    const other = await asked(at, set, { text: "And now?", tab: "plan" }, kim);
    expect([other.text, other.who.agentId, other.who.why]).toEqual([
      "As usual.",
      null,
      "The agent that serves the tab plan is switched off, or gone: the assistant answers.",
    ]);
  });

  it("rests on what its own compartments hold, and is heard there alone", async () => {
    await put(at, ben, "The axolotl convoy crosses at dawn.", "a.txt", { problemSetId: set, compartments: [red] });
    model.respond(({ messages }) => answer(messages.at(-1)!.content.includes("at dawn") ? "At dawn [1]." : "Unknown."));
    const question = { text: "When does the axolotl convoy cross?" };
    expect((await asked(at, set, question, ben)).text).toBe("Unknown.");
    const secret = await asked(at, set, { ...question, compartments: [red] }, ben);
    expect([secret.text, secret.compartments]).toEqual(["At dawn [1].", [red]]);
    expect(JSON.stringify(await done(at, kim, "GET", on("chat")))).not.toContain(secret.id);
    const heard = (who: Person): string => JSON.stringify(sockets.get(who)!.told);
    await eventually(
      () => heard(ben),
      (told) => told.includes(secret.id),
    );
    expect(heard(kim)).not.toContain(secret.id);
    expect((await as(at, kim)("POST", on("chat"), { ...question, compartments: [red] })).status).toBe(404);
  });
});
