import { Ajv2020 } from "ajv/dist/2020.js";
import { encryptedOdt } from "../knowledge/files.ts";
import { put } from "../knowledge/documents.requests.ts";
import { lookNow } from "../knowledge/strategic-agents.requests.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { articlesOf, item, source } from "../news/articles/articles-setup.ts";
import { delegate, done, enrol } from "../staff/setup.ts";
import { admit, openCompartment, openSet, persons, type Person } from "../workspace/people.ts";
import { connect, type Client } from "./live-setup.ts";

// Each kind of live event of the AsyncAPI document: it comes when its thing happens, as described, and not to others.

const TELLS_WITHIN_MS = 15_000;
let at: TestWorld;
let ann: Person, ben: Person, cleo: Person;
let problemSetId: string;
let place: { problemSetId: string; compartments: string[] };
let inside: Client, outside: Client;
let described: Record<string, any>;
let document: object;
beforeAll(async () => {
  at = await world();
  [ann, ben, cleo] = await persons(at, "ann", "ben", "cleo");
  problemSetId = await openSet(at, ann, { name: "Dyke" });
  await admit(at, problemSetId, ben, "deputy");
  await admit(at, problemSetId, cleo, "deputy");
  // Nobody reads themselves in.
  const red = await openCompartment(at, problemSetId, ann, "Red", ben);
  await done(at, ben, "POST", `/api/problem-sets/${problemSetId}/compartments/${red}/members`, { did: ann.did });
  place = { problemSetId, compartments: [red] };
  document = (await at.http("GET", "/api/asyncapi.json", { as: null })).body;
  described = (document as any).channels.live.messages;
  inside = await connect(at.url, { auth: { token: ann.token } });
  outside = await connect(at.url, { auth: { token: cleo.token } });
  for (const client of [inside, outside])
    for (const wanted of [{ problemSetId }, { topic: "briefings" }])
      expect(await client.subscribe(wanted)).toEqual({ ok: true });
}, 60_000);
afterAll(async () => {
  for (const client of [inside, outside]) client?.socket.close();
  await at?.stop();
});

const post = (path: string, body: object = {}, who = ann): Promise<any> => done(at, who, "POST", path, body);
/** The data of the first event of a kind that is told of, in the order of what was done. */
const told = (event: string, is: (data: any) => boolean = () => true): Promise<any> =>
  eventually(
    () => inside.of(event).find(({ data }) => is(data))?.data,
    (data) => data !== undefined,
    TELLS_WITHIN_MS,
  );
const objective = (statement: string) => post("/api/strategic/objectives", { ...place, statement, kind: "objective" });
const enrolled = async () => {
  const agent = await enrol(at, ann, problemSetId, { compartments: place.compartments, tools: ["list_gates"] });
  await delegate(at, ann, agent.id, problemSetId);
  return agent;
};
const ordered = (name: string) => put(at, ann, `The dyke ${name} leaks. TBD: who pays.`, `${name}.txt`, place);
const resource = (name: string) => post("/api/resources", { ...place, name, kind: "equipment" });

/** Those of records that pages show, and conflicts of edge nodes, have their own suites. */
const ELSEWHERE = [
  ...["agent.changed", "credential.changed", "credential.noticed", "network.changed", "network.noticed"],
  ...["team.changed", "tool.changed", "compartment.changed", "encryption-key.changed", "register.changed"],
  ...["personnel.changed", "edge-conflict.changed"],
];
/** What is done for a kind of event, and what it says then. */
const KINDS: Readonly<Record<string, () => Promise<void>>> = {
  async "activity.item"() {
    const { id } = await post("/api/missions", { ...place, name: "Watch" });
    expect(await told("activity.item", ({ subject }) => subject?.id === id)).toMatchObject({ kind: "mission.created" });
  },
  async "agent.execution.changed"() {
    const agent = await enrolled();
    const { executionId } = await post(`/api/agents/${agent.id}/execute`, { task: "List the gates", ...place });
    await told("agent.execution.changed", ({ id, status }) => id === executionId && status === "completed");
  },
  async "alarm.changed"() {
    const thresholds = [{ id: "high", key: "level", when: "above", raise: 5 }];
    const { id: resourceId } = await post("/api/resources", { ...place, name: "Gauge", thresholds });
    const report = (value: number) => post("/api/resources/telemetry", { resourceId, key: "level", value });
    const changed = (state: string, acknowledged: boolean) =>
      told("alarm.changed", (data) => data.state === state && data.acknowledged === acknowledged);
    await report(6);
    const { alarmId } = await changed("open", false);
    await post(`/api/resources/${resourceId}/alarms/${alarmId}/acknowledge`);
    expect(await changed("open", true)).toMatchObject({ resourceId, alarmId, severity: "warning" });
    at.clock.advance(1_000);
    await report(4);
    expect(await changed("cleared", true)).toMatchObject({ resourceId, alarmId });
  },
  async "articles.arrived"() {
    const client = await connect(at.url, { auth: { token: ann.token } });
    expect(await client.subscribe({ topic: "articles" })).toEqual({ ok: true });
    const { key } = await post("/api/keys", { name: "sources", scopes: ["read", "sources"] });
    const narrow = await connect(at.url, { auth: { apiKey: key } });
    expect(await narrow.subscribe({ topic: "articles" })).toEqual({ ok: true });
    // A round of feeds is one hint, which counts what is new alone.
    const articles = articlesOf(at);
    await articles.store(source(7), [item(71), item(72)]);
    await articles.store(source(8, { domain: "health" }), [item(81)]);
    await articles.store(source(7), [item(71), item(72), item(73)]);
    const arrived = () => client.of("articles.arrived").flatMap(({ data }) => data.sources);
    const sum = (id: number) =>
      arrived().reduce((all: number, one: any) => all + (one.sourceId === id ? one.created : 0), 0);
    await eventually(
      () => [sum(7), sum(8)],
      (sums) => sums.join() === "3,1",
    );
    expect(client.of("articles.arrived").length).toBeLessThan(3);
    expect(arrived()).toContainEqual({ sourceId: 8, domain: "health", created: 1 });
    expect(narrow.of("articles.arrived")).toEqual([]);
    inside.told.push(...client.told.filter(({ event }) => event === "articles.arrived"));
    for (const { socket } of [client, narrow]) socket.close();
  },
  async "assignment.told"() {
    const { id } = await objective("Close the northern dyke");
    const given = { ...place, subjectKind: "objective", subjectId: id, title: "Look at it", assigneeId: ann.userId };
    await post("/api/strategic/assignments", given, ben);
    expect(await told("assignment.told")).toMatchObject({ what: "given", assignment: { subjectId: id } });
  },
  async "assistant.action.changed"() {
    const { messageId } = await post(`/api/assistant/${problemSetId}/message`, {
      text: "Open a mission",
      input: { name: "By hand", compartments: place.compartments },
    });
    const { action } = await told("assistant.reply.done", (data) => data.messageId === messageId);
    const { id: actionId, argumentsHash } = action;
    await post(`/api/assistant/${problemSetId}/confirm`, { actionId, argumentsHash, answer: "no" });
    await told("assistant.action.changed", ({ id, status }) => id === actionId && status === "refused");
  },
  async "assistant.reply.delta"() {
    const { messageId } = await post("/api/assistant/global/message", { text: "What is there?" });
    await told("assistant.reply.delta", (data) => data.messageId === messageId);
  },
  async "assistant.reply.done"() {
    const { messageId } = await post("/api/assistant/global/message", { text: "And what else?" });
    const { status } = await told("assistant.reply.done", (data) => data.messageId === messageId);
    expect(status).toBe("completed");
  },
  async "briefing.completed"() {
    const { id } = await post("/api/briefings/generate");
    await told("briefing.completed", (data) => data.id === id);
  },
  async "briefing.failed"() {
    const ordered = await post("/api/briefings/generate");
    const { id, jobId } = ordered;
    await told("briefing.completed", (data) => data.id === id);
    expect((await done(at, ann, "GET", `/api/jobs/${jobId}`)).status).toBe("completed");
    // Its work waits again, and an operator stops it.
    const briefings = await at.mesh.world.documents.collection("briefings");
    await briefings.updateMany({ _id: id }, { $set: { status: "generating" } });
    const later = { by: "system:test", key: String(id), runAt: Date.now() + 3_600_000 };
    await at.commons("briefings").jobs.add("briefings.generate", { briefingId: id }, later);
    expect((await done(at, ann, "GET", `/api/briefings/${id}`)).jobId).toBe(jobId);
    await at.http("POST", `/api/jobs/${jobId}/cancel`);
    const { error } = await told("briefing.failed", (data) => data.id === id);
    expect(await done(at, ann, "GET", `/api/briefings/${id}`)).toMatchObject({ status: "failed", error });
  },
  async "cop.conflict.changed"() {
    const ago = (ms: number) => new Date(at.clock.now() - ms).toISOString();
    // What is stale contradicts that it is on the COP.
    const properties = { name: "Boat", at: ago(120_000), staleAt: ago(60_000) };
    const geometry = { type: "Point", coordinates: [10, 50] };
    const features = [{ type: "Feature", id: "boat", geometry, properties }];
    const layer = { ...place, name: "Boats", type: "custom", kind: "drawn" };
    const spec = { type: "FeatureCollection", features };
    const { id } = await post("/api/cop/layers", { ...layer, spec });
    const move = `/api/cop/layers/${id}/transition`;
    await post(move, { to: "review" });
    for (const moved of [{ to: "published", version: 1 }, { to: "cop" }]) await post(move, moved, ben);
    await post("/api/cop/agents/trigger", { problemSetId });
    await told("cop.conflict.changed", ({ opened }) => opened.length > 0);
  },
  async "cop.layer.changed"() {
    const spec = { type: "FeatureCollection", features: [] };
    const { id } = await post("/api/cop/layers", { ...place, name: "Leaks", type: "custom", kind: "drawn", spec });
    await told("cop.layer.changed", ({ layerId }) => layerId === id);
  },
  async "cycle.changed"() {
    const direction = { question: "Does it hold?", hypothesis: "It holds", queries: ["dyke"], documentIds: [] };
    const given = { ...place, direction: { ...direction, hours: 24, stories: 5, excluded: [] } };
    const { id } = await post("/api/strategic-agents/cycle", given);
    await told("cycle.changed", (data) => data.id === id);
  },
  async "design.changed"() {
    await done(at, ann, "PATCH", `/api/design/${problemSetId}/environment`, { currentState: "The dyke leaks." });
    expect(await told("design.changed")).toMatchObject({ section: "environment", by: ann.userId });
  },
  async "device.changed"() {
    await post("/api/discovery/observations", { ...place, devices: [{ mac: "00:11:22:33:44:55", name: "Router" }] });
    expect(await told("device.changed")).toMatchObject({ kind: "found", count: 1 });
  },
  async "device.noticed"() {
    const admin = await connect(at.url, { auth: { token: await at.tokenOf("system_admin") } });
    expect(await admin.subscribe({ topic: "discovery" })).toEqual({ ok: true });
    const devices = [{ mac: "00:11:22:33:44:66", name: "Printer" }];
    await at.http("POST", "/api/discovery/observations", { body: { devices } });
    const [{ data }] = await eventually(
      () => admin.of("device.noticed"),
      (all) => all.length > 0,
    );
    expect(data).toMatchObject({ kind: "found", count: 1 });
    inside.told.push(...admin.told.filter(({ event }) => event === "device.noticed"));
    admin.socket.close();
  },
  async "document.changed"() {
    const { id } = await put(at, ann, encryptedOdt("", "sesame"), "sealed.odt", place);
    const data = await told("document.changed", (one) => one.id === id && one.status === "unreadable");
    expect(data.reason).toBe("encrypted");
  },
  async "environment.changed"() {
    const given = { name: "Water", compartments: place.compartments };
    const { id } = await post(`/api/strategic/environments/${problemSetId}/categories`, given);
    expect(await told("environment.changed")).toMatchObject({ what: "category", id });
  },
  async "graph.changed"() {
    const { id } = await post("/api/graph/workspaces", { ...place, name: "Dykes" });
    await told("graph.changed", (data) => data.what === "workspace" && data.id === id);
  },
  async "invitation.changed"() {
    const elsewhere = await openSet(at, ben, { name: "Elsewhere" });
    await post(`/api/problem-sets/${elsewhere}/invite`, { role: "planner", did: ann.did }, ben);
    await told("invitation.changed", ({ name, status }) => name === "Elsewhere" && status === "open");
  },
  async "job.changed"() {
    const document = await ordered("south");
    const { jobId } = await post(`/api/strategic/documents/${document.id}/extract`);
    await told("job.changed", ({ id, status }) => id === jobId && status === "completed");
  },
  async "message.published"() {
    const { id } = await post("/api/messages", { ...place, channel: "ops", type: "dyke.leak.seen", payload: {} });
    await told("message.published", (data) => data.id === id);
  },
  async "notification.new"() {
    await post(`/api/problem-sets/${problemSetId}/subscriptions`, { kinds: ["gate.created"] });
    const { id } = await post("/api/gates", { ...place, tab: "overview", name: "Pumps first" }, ben);
    expect(await told("notification.new", ({ subject }) => subject?.id === id)).toMatchObject({ status: "told" });
  },
  async "objective.changed"() {
    const { id } = await objective("Close the southern dyke");
    await told("objective.changed", (data) => data.id === id && data.status === "draft");
  },
  async "product.changed"() {
    const { id: documentId } = await ordered("east");
    const given = { ...place, hypothesis: "The dyke leaks", documentIds: [documentId] };
    const [{ id }] = (await post("/api/strategic-agents/fuse", given)).products;
    await told("product.changed", (data) => data.id === id && data.status === "draft");
  },
  async "review.changed"() {
    const { id } = await ordered("west");
    const { reviewId } = await post(`/api/strategic/documents/${id}/review`);
    await told("review.changed", (data) => data.id === reviewId && data.status === "open");
  },
  async "sensor.changed"() {
    const { id } = await post("/api/sensors", { ...place, name: "Gauge" });
    await done(at, ann, "PATCH", `/api/sensors/${id}/status`, { status: "degraded" });
    await told("sensor.changed", ({ sensorId, status }) => sensorId === id && status === "degraded");
  },
  async "staff.feed.changed"() {
    const given = { compartments: place.compartments, title: "Look at the dyke" };
    const { id } = await post(`/api/ai-staff/${problemSetId}/feed`, given);
    await told("staff.feed.changed", (data) => data.id === id);
  },
  async "staff.reply.delta"() {
    const given = { text: "Which gates are there?", compartments: place.compartments };
    const { messageId } = await post(`/api/ai-staff/${problemSetId}/chat`, given);
    await told("staff.reply.delta", (data) => data.messageId === messageId);
  },
  async "staff.reply.done"() {
    const given = { text: "Which missions are there?", compartments: place.compartments };
    const { messageId } = await post(`/api/ai-staff/${problemSetId}/chat`, given);
    await told("staff.reply.done", (data) => data.messageId === messageId && data.status === "completed");
  },
  async "telemetry.update"() {
    const { id: resourceId } = await resource("Pump");
    await post("/api/resources/telemetry", { resourceId, key: "level", value: 3 });
    const { readings } = await told("telemetry.update", (data) => data.readings[0]?.resourceId === resourceId);
    expect(readings).toMatchObject([{ resourceId, key: "level", value: 3 }]);
  },
  async "threat.alerted"() {
    const { id } = await post("/api/strategic-agents/threats/monitor", {
      ...place,
      name: "Dykes",
      kind: "keyword",
      q: "dyke",
    });
    await articlesOf(at).store(source(1), [item(1, { title: "Dyke at Arden leaks", text: "The dyke leaks." })]);
    await eventually(
      async () => {
        await lookNow(at);
        return inside.of("threat.alerted").some(({ data }) => data.monitorId === id && data.status === "open");
      },
      (isTold) => isTold,
    );
  },
  async "validity.changed"() {
    const { id } = await objective("Reduce leaks");
    await post(`/api/graph/validity/${id}/calculate`);
    await told("validity.changed", ({ objectiveId }) => objectiveId === id);
  },
  async "workflow.execution.changed"() {
    const { id: agent } = await enrolled();
    const steps = [{ id: "a", kind: "tool", agent, tool: "list_gates", arguments: { problemSetId } }];
    const given = { ...place, definition: { name: "Gates", steps } };
    const { executionId } = await post("/api/orchestration/execute", given);
    await told("workflow.execution.changed", ({ id, status }) => id === executionId && status === "completed");
  },
};

it("are all of those that the document lists", () => {
  const listed = Object.keys(described).filter((name) => described[name]["x-permit"]);
  expect([...Object.keys(KINDS), ...ELSEWHERE].sort()).toEqual(listed.sort());
});

it.each(Object.keys(KINDS))("%s comes when it happens", (kind) => KINDS[kind]!());

it("are as described, and those behind a barrier come to nobody outside of it", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "async", ...document });
  const misfits = inside.told.flatMap(({ event, body }) => {
    const fits = ajv.compile({ $ref: `async#/channels/live/messages/${event}/payload` });
    return fits(body) ? [] : [[event, ajv.errorsText(fits.errors), body]];
  });
  expect(misfits).toEqual([]);
  // A design is of the whole set, and that compartments changed is told to who manages them, read in or not.
  const overheard = outside.told.filter((one) => one.body.problemSetId === problemSetId);
  const mine = new Set(["design.changed", "compartment.changed"]);
  expect(overheard.filter(({ event, body }) => !mine.has(event) && body.data.kind !== "design.edited")).toEqual([]);
  expect([outside.of("briefing.completed").length, outside.of("design.changed").length]).toEqual([2, 1]);
});
