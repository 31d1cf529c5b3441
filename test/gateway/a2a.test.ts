import canonicalize from "canonicalize";
import { createLocalJWKSet, decodeProtectedHeader, flattenedVerify } from "jose";
import { answer, modelStandIn, type StandIn } from "../../adapters/llm/stand-in.ts";
import { CardSigner } from "../../services/gateway/a2a/signing.ts";
import { eventually, world, type Reply, type TestWorld } from "../mesh.ts";
import { delegate, done, enrol, run, settled } from "../staff/setup.ts";
import { admit, as, openSet, persons, type Person } from "../workspace/people.ts";

// Agent2Agent 1.0 over HTTP+JSON: a signed card, tasks that are runs of agents, and nothing that REST would refuse.

let at: TestWorld;
let model: StandIn;
let ann: Person, ben: Person, eve: Person;
let set: string;
let agent: { id: string; version: number };
beforeAll(async () => {
  model = await modelStandIn();
  at = await world({ LLM_BASE_URL: model.baseUrl, LLM_MAX_RETRIES: "0" });
  [ann, ben, eve] = await persons(at, "ann", "ben", "eve");
  set = await openSet(at, ann, { name: "Northern Bridge" });
  await admit(at, set, ben, "planner");
  agent = await enrol(at, ann, set, {
    name: "Bridge scout",
    description: "Knows the bridge.",
    tools: ["list_missions", "open_mission"],
    autonomy: 1,
  });
  await delegate(at, ann, agent.id, set, { classes: ["observe", "modify-shared"] });
});
afterAll(async () => {
  await at?.stop();
  await model.close();
});

const act = (tool: string, args: object) => answer({ act: tool, arguments: args });
const finish = (text: string) => answer({ act: "finish", answer: text, citations: [] });
/** What the model says from now on, in order; then it ends. */
function say(...turns: ReturnType<typeof act>[]): void {
  const left = [...turns];
  model.respond(() => left.shift() ?? finish("Over."));
}

const V1 = { "a2a-version": "1.0" };
/** A request of the protocol. */
const a2a = (who: Person | null, method: string, path: string, body?: unknown, headers: object = V1): Promise<Reply> =>
  at.http(method, `/a2a${path}`, {
    as: who && who.token,
    ...(body !== undefined && { body, type: "application/a2a+json" }),
    headers: headers as Record<string, string>,
  });
let sent = 0;
const messageOf = (text: string, fields: object = {}) => ({
  messageId: `m-${++sent}`,
  role: "ROLE_USER",
  parts: [{ text }],
  contextId: set,
  ...fields,
});
const send = (who: Person, message: object, more: object = {}): Promise<Reply> =>
  a2a(who, "POST", `/${agent.id}/message:send`, { message, ...more });
const NOW = { configuration: { returnImmediately: true } };
/** The task once it is in this state. */
const inState = (who: Person, id: string, state: string): Promise<any> =>
  eventually(
    async () => (await a2a(who, "GET", `/tasks/${id}`)).body,
    ({ status }) => status.state === state,
  );
const reasonOf = ({ body }: Reply) => body.error.details[0].reason;
const fieldsOf = ({ body }: Reply) =>
  body.error.details.flatMap((one: any) => one.fieldViolations ?? []).map(({ field }: any) => field);

/** The frames of a stream, as they come, until it ends. */
async function frames(who: Person, method: string, path: string, body?: unknown, seen?: (frame: any) => void) {
  const response = await fetch(`${at.url}/a2a${path}`, {
    method,
    headers: { ...V1, authorization: `Bearer ${who.token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    expect.stringMatching(/^text\/event-stream/),
  ]);
  const all: any[] = [];
  let rest = "";
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + piece).split("\n\n");
    rest = parts.pop()!;
    for (const [, data] of parts.flatMap((one) => [/^data: (.*)/m.exec(one) ?? []])) {
      if (!data) continue;
      all.push(JSON.parse(data));
      seen?.(all.at(-1));
    }
  }
  return all;
}

describe("the card", () => {
  /** Verifies a card as a stranger would, by libraries of others alone. */
  async function verified(card: any): Promise<string> {
    const { signatures, ...content } = card;
    const { jku, kid, alg, typ } = decodeProtectedHeader(signatures[0]) as any;
    expect([alg, typ, typeof kid]).toEqual(["ES256", "JOSE", "string"]);
    const keys = createLocalJWKSet((await at.http("GET", new URL(jku).pathname, { as: null })).body);
    const payload = Buffer.from(canonicalize(content)!).toString("base64url");
    const { payload: said } = await flattenedVerify({ ...signatures[0], payload }, keys);
    return Buffer.from(said).toString();
  }

  it("is there for everybody, signed, and names no agent", async () => {
    const { status, body, headers } = await at.http("GET", "/.well-known/agent-card.json", { as: null });
    expect([status, headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    const origin = at.url.replace("127.0.0.1", "localhost");
    expect(body).toMatchObject({
      name: "Signalmesh",
      supportedInterfaces: [{ url: `${origin}/a2a`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" }],
      capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: true },
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } }, apiKey: expect.any(Object) },
    });
    expect(body.skills.map(({ id }: any) => id)).toEqual(["task"]);
    expect(JSON.stringify(body)).not.toContain("scout");
    expect(JSON.parse(await verified(body))).toMatchObject({ name: "Signalmesh" });
    await expect(verified({ ...body, name: "Signalmesh2" })).rejects.toThrow("signature verification failed");
    const elsewhere = [{ ...body.supportedInterfaces[0], url: "https://evil.example/a2a" }];
    await expect(verified({ ...body, supportedInterfaces: elsewhere })).rejects.toThrow(
      "signature verification failed",
    );
  });

  it("has the same signature on all nodes, and one of before the root secret was changed verifies still", async () => {
    const [before, now] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const content = { name: "Signalmesh", version: "1" };
    const jku = "https://mesh.example/a2a/jwks.json";
    const signed = new CardSigner(before).signed(content, jku);
    expect(new CardSigner(before).signed({ version: "1", name: "Signalmesh" }, jku)).toEqual(signed);
    expect(new CardSigner(now).signed(content, jku).signatures).not.toEqual(signed.signatures);
    const payload = Buffer.from(canonicalize(content)!).toString("base64url");
    const verifiedBy = ({ jwks }: CardSigner) =>
      flattenedVerify({ ...signed.signatures[0]!, payload }, createLocalJWKSet({ keys: [...jwks.keys] }));
    expect((await verifiedBy(new CardSigner(now, [before]))).protectedHeader).toMatchObject({ alg: "ES256", jku });
    await expect(verifiedBy(new CardSigner(now))).rejects.toThrow("no applicable key");
  });

  it("is not sent twice to whoever has it", async () => {
    const path = "/.well-known/agent-card.json";
    const { headers } = await at.http("GET", path, { as: null });
    const etag = headers.get("etag")!;
    expect([etag, headers.get("cache-control")]).toEqual([expect.stringMatching(/^"[^"]+"$/), "public, max-age=3600"]);
    expect((await at.http("GET", path, { as: null, headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await at.http("GET", path, { as: null, headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  it("shows whoever is signed in the agents that they see, and each agent's own", async () => {
    const { body } = await a2a(ann, "GET", "/extendedAgentCard");
    await verified(body);
    expect(body.skills).toContainEqual(expect.objectContaining({ id: agent.id, name: "Bridge scout" }));
    const strangers = await a2a(eve, "GET", "/extendedAgentCard");
    expect([strangers.status, strangers.text.includes(agent.id)]).toEqual([200, false]);
    const own = await a2a(ann, "GET", `/${agent.id}/extendedAgentCard`);
    await verified(own.body);
    expect(own.body).toMatchObject({ name: "Bridge scout", supportedInterfaces: [{ tenant: agent.id }] });
    expect((await a2a(eve, "GET", `/${agent.id}/extendedAgentCard`)).status).toBe(404);
    expect((await a2a(null, "GET", "/extendedAgentCard")).status).toBe(401);
    const again = await a2a(ann, "GET", "/extendedAgentCard", undefined, {
      ...V1,
      "if-none-match": (await a2a(ann, "GET", "/extendedAgentCard")).headers.get("etag")!,
    });
    expect(again.status).toBe(304);
  });
});

describe("a task", () => {
  it("goes from a message to its artifact, and is the run that REST shows", async () => {
    say(act("list_missions", {}), finish("Two missions are open."));
    const message = messageOf("Which missions are open?", {
      parts: [{ text: "Which missions are open?" }, { data: { since: "May" }, mediaType: "application/json" }],
    });
    const { status, body, headers } = await send(ann, message);
    expect([status, headers.get("content-type")]).toEqual([200, "application/a2a+json"]);
    const { task } = body;
    expect(task).toMatchObject({
      contextId: set,
      status: { state: "TASK_STATE_COMPLETED", timestamp: expect.stringMatching(/^\d{4}-.*Z$/) },
      artifacts: [
        { parts: [{ text: "Two missions are open.", mediaType: "text/plain" }, { data: { method: "llm" } }] },
      ],
      history: [{ messageId: message.messageId, role: "ROLE_USER", taskId: task.id, contextId: set }],
      metadata: { agentId: agent.id },
    });
    expect(task.history[0].parts).toEqual([
      { text: "Which missions are open?", mediaType: "text/plain" },
      { data: { since: "May" }, mediaType: "application/json" },
    ]);
    expect(await run(at, ann, task.id)).toMatchObject({ status: "completed", by: ann.userId, input: { since: "May" } });
    expect((await a2a(ann, "GET", `/tasks/${task.id}`)).body).toEqual(task);
    expect((await a2a(ann, "GET", `/tasks/${task.id}?historyLength=0`)).body.history).toBeUndefined();
    expect((await a2a(ann, "GET", `/${agent.id}/tasks/${task.id}`)).body).toEqual(task);
    const other = await enrol(at, ann, set, { name: "Other" });
    expect(reasonOf(await a2a(ann, "GET", `/${other.id}/tasks/${task.id}`))).toBe("TASK_NOT_FOUND");
    const late = await send(ann, messageOf("And now?", { taskId: task.id }));
    expect([late.status, reasonOf(late)]).toEqual([400, "UNSUPPORTED_OPERATION"]);
    const followed = await a2a(ann, "GET", `/tasks/${task.id}:subscribe`);
    expect([followed.status, reasonOf(followed)]).toEqual([400, "UNSUPPORTED_OPERATION"]);
  });

  it("waits in AUTH_REQUIRED for a person, whom no message replaces, and goes on when they approved", async () => {
    say(act("open_mission", { name: "Span" }), finish("Opened."));
    const { task } = (await send(ann, messageOf("Open a mission"))).body;
    const { waitingFor } = await run(at, ann, task.id);
    expect(task.status.state).toBe("TASK_STATE_AUTH_REQUIRED");
    const [words, data] = task.status.message.parts;
    const decide = `/api/agents/approvals/${waitingFor.id}/decide`;
    expect(task.status.message).toMatchObject({ role: "ROLE_AGENT", taskId: task.id, contextId: set });
    expect([words.text, data.data.decide]).toEqual([
      expect.stringContaining(decide),
      expect.stringMatching(`^http://.*${decide}$`),
    ]);

    const approving = messageOf("I approve it.", {
      taskId: task.id,
      parts: [{ text: "I approve it." }, { data: { decision: "approve", approvalId: waitingFor.id } }],
    });
    const said = await send(ann, approving);
    expect([said.status, said.body.task]).toEqual([200, undefined]);
    expect(said.body.message).toMatchObject({ role: "ROLE_AGENT", taskId: task.id, contextId: set });
    expect(said.body.message.parts[0].text).toContain("changed nothing");
    const mismatched = await send(ann, { ...approving, contextId: "elsewhere" });
    expect([mismatched.status, fieldsOf(mismatched)]).toEqual([400, ["message.contextId"]]);
    for (const contextId of [undefined, "elsewhere"]) {
      const misplaced = await send(ann, messageOf("Look around", { contextId }));
      expect([misplaced.status, fieldsOf(misplaced)]).toEqual([422, ["message.contextId"]]);
    }
    expect((await run(at, ann, task.id)).status).toBe("waiting");

    const listed = await a2a(ann, "GET", "/tasks?status=TASK_STATE_AUTH_REQUIRED");
    expect(listed.body.tasks.map(({ id }: any) => id)).toEqual([task.id]);
    const approvals = await done(at, ben, "GET", `/api/agents/approvals?problemSetId=${set}&limit=100`);
    const { hash } = approvals.find(({ id }: any) => id === waitingFor.id);
    expect((await as(at, ben)("POST", decide, { hash, decision: "approve" })).status).toBe(200);
    const over = await inState(ann, task.id, "TASK_STATE_COMPLETED");
    expect(over.artifacts[0].parts[0].text).toBe("Opened.");
    const missions = await done(at, ann, "GET", `/api/missions?problemSetId=${set}&limit=100`);
    expect(missions.filter(({ name }: any) => name === "Span")).toHaveLength(1);
  });

  it("is one, however often its message comes; another message of that id is refused", async () => {
    say();
    const message = messageOf("Look around");
    const replies = await Promise.all([1, 2, 3, 4].map(() => send(ann, message, NOW)));
    expect(new Set(replies.map(({ body }) => body.task.id)).size).toBe(1);
    const changed = await send(ann, { ...message, parts: [{ text: "Look elsewhere" }] });
    expect([changed.status, changed.body.error.status]).toEqual([409, "ABORTED"]);
    expect([changed.body.error.message, fieldsOf(changed)]).toEqual([
      "This messageId was used with another message.",
      ["message.messageId"],
    ]);
    const { id } = replies[0]!.body.task;
    await settled(at, ann, id);
    expect((await send(ann, message)).body.task.id).toBe(id);
  });

  it("is cancelled with what it waits for, once; what has ended otherwise is not", async () => {
    say(act("open_mission", { name: "Never" }));
    const { task } = (await send(ann, messageOf("Open a mission"))).body;
    const { waitingFor } = await run(at, ann, task.id);
    expect((await a2a(ben, "POST", `/tasks/${task.id}:cancel`, {})).status).toBe(403);
    for (const _twice of [1, 2]) {
      const cancelled = await a2a(ann, "POST", `/tasks/${task.id}:cancel`, {});
      expect([cancelled.status, cancelled.body.status.state]).toEqual([200, "TASK_STATE_CANCELED"]);
    }
    const approvals = await done(
      at,
      ann,
      "GET",
      `/api/agents/approvals?problemSetId=${set}&status=cancelled&limit=100`,
    );
    expect(approvals.map(({ id }: any) => id)).toContain(waitingFor.id);
    expect((await run(at, ann, task.id)).log).toMatchObject([{ status: "refused", code: "CANCELLED" }]);
    say();
    const ended = (await send(ann, messageOf("Look around"))).body.task;
    const late = await a2a(ann, "POST", `/tasks/${ended.id}:cancel`, {});
    expect([late.status, reasonOf(late)]).toEqual([400, "TASK_NOT_CANCELABLE"]);
    const listed = await a2a(ann, "GET", "/tasks?status=TASK_STATE_CANCELED");
    expect(listed.body.tasks.map(({ id }: any) => id)).toEqual([task.id]);
  });

  it("is nobody's but theirs who may see it, and no key begins one", async () => {
    say();
    const { task } = (await send(ann, messageOf("Look around"))).body;
    for (const [method, path] of [
      ["GET", `/tasks/${task.id}`],
      ["POST", `/tasks/${task.id}:cancel`],
      ["GET", `/tasks/${task.id}:subscribe`],
      ["POST", `/tasks/${task.id}:subscribe`],
    ] as const) {
      const reply = await a2a(eve, method, path, method === "POST" ? {} : undefined);
      expect([path, reply.status, reply.body.error.status, reasonOf(reply)]).toEqual([
        path,
        404,
        "NOT_FOUND",
        "TASK_NOT_FOUND",
      ]);
    }
    expect(reasonOf(await send(eve, messageOf("x", { taskId: task.id })))).toBe("TASK_NOT_FOUND");
    expect((await send(eve, messageOf("Look"))).status).toBe(404);
    for (const path of ["/tasks", `/tasks?contextId=${set}`])
      expect((await a2a(eve, "GET", path)).body).toMatchObject({ tasks: [], totalSize: 0, nextPageToken: "" });
    expect((await a2a(null, "GET", `/tasks/${task.id}`)).status).toBe(401);

    const { key } = (await as(at, ann)("POST", "/api/keys", { name: "k", scopes: ["read", "write"] })).body.data;
    const keyed = { ...V1, "x-api-key": key };
    expect((await a2a(null, "GET", `/tasks/${task.id}`, undefined, keyed)).status).toBe(200);
    const begun = await a2a(null, "POST", `/${agent.id}/message:send`, { message: messageOf("Look") }, keyed);
    expect([begun.status, begun.body.error.status]).toEqual([403, "PERMISSION_DENIED"]);
    say(act("open_mission", { name: "Kept" }));
    const open = (await send(ann, messageOf("Open a mission"))).body.task;
    expect((await a2a(null, "POST", `/tasks/${open.id}:cancel`, {}, keyed)).status).toBe(403);
    expect((await run(at, ann, open.id)).status).toBe("waiting");
  });

  it("outside all problem sets stands in a context of its own", async () => {
    const everywhere = (
      await at.http("POST", "/api/agents", { as: "system_admin", body: { name: "Wide", tools: ["list_missions"] } })
    ).body.data;
    say();
    const message = { ...messageOf("Look around"), contextId: undefined };
    const unset = { ...message, taskId: null, contextId: null };
    const { task } = (await a2a(ben, "POST", "/message:send", { tenant: everywhere.id, message: unset })).body;
    expect([task.contextId, task.status.state]).toEqual([task.id, "TASK_STATE_COMPLETED"]);
    expect((await a2a(ann, "GET", `/tasks/${task.id}`)).status).toBe(404);
    expect((await a2a(ben, "GET", `/tasks?contextId=${task.id}`)).body).toMatchObject({
      tasks: [{ id: task.id }],
      totalSize: 1,
    });
  });

  it("is waited for by 32 requests of a person at a time; one more is refused before it begins anything", async () => {
    model.respond(() => ({ kind: "slow", ms: 600_000, before: finish("Never.") }));
    const message = messageOf("Look at the bridge.");
    const { task } = (await send(ann, message, NOW)).body;
    const sending = Array.from({ length: 33 }, () => send(ann, message));
    expect((await Promise.race(sending)).status).toBe(429);
    const other = messageOf("Look at the other one.");
    const late = await send(ann, other);
    expect([late.status, late.body.error.message, late.headers.get("retry-after")]).toEqual([
      429,
      expect.stringContaining("returnImmediately"),
      "5",
    ]);
    const begun = (await a2a(ann, "GET", `/${agent.id}/tasks?status=TASK_STATE_WORKING`)).body.tasks;
    expect(begun.map(({ id }: any) => id)).toEqual([task.id]);
    await a2a(ann, "POST", `/tasks/${task.id}:cancel`, {});
    const answered = (await Promise.all(sending)).filter(({ status }) => status === 200);
    expect(answered.map(({ body }) => [body.task.id, body.task.status.state])).toEqual(
      Array.from({ length: 32 }, () => [task.id, "TASK_STATE_CANCELED"]),
    );
    say(finish("Seen."));
    expect((await send(ann, other)).body.task.status.state).toBe("TASK_STATE_COMPLETED");
  });
});

it("lists tasks by their last change, in pages, with artifacts for whoever asks for them", async () => {
  const { body: all } = await a2a(ann, "GET", `/tasks?contextId=${set}&pageSize=100`);
  expect([all.nextPageToken, all.pageSize, all.totalSize]).toEqual(["", 100, all.tasks.length]);
  const times = all.tasks.map(({ status }: any) => status.timestamp);
  expect(times).toEqual([...times].sort().reverse());
  expect(all.tasks.some((task: any) => "artifacts" in task)).toBe(false);
  const paged: string[] = [];
  let pageToken = "";
  do {
    const { body } = await a2a(ann, "GET", `/tasks?contextId=${set}&pageSize=2&pageToken=${pageToken}`);
    expect(body.tasks.length).toBeLessThanOrEqual(2);
    paged.push(...body.tasks.map(({ id }: any) => id));
    pageToken = body.nextPageToken;
  } while (pageToken);
  expect(paged).toEqual(all.tasks.map(({ id }: any) => id));
  const done = await a2a(ann, "GET", "/tasks?status=TASK_STATE_COMPLETED&includeArtifacts=true&historyLength=0");
  for (const { artifacts, history, status } of done.body.tasks)
    expect([artifacts.length, history, status.state]).toEqual([1, undefined, "TASK_STATE_COMPLETED"]);
  const since = await a2a(ann, "GET", `/tasks?statusTimestampAfter=${times[1]}`);
  expect(since.body.tasks.every(({ status }: any) => status.timestamp >= times[1])).toBe(true);
  expect(since.body.tasks.length).toBeGreaterThan(1);
});

describe("a stream", () => {
  it("begins with the task, tells what becomes of it, stays through an approval, and ends with it", async () => {
    say(act("open_mission", { name: "Stream" }), finish("Streamed."));
    const states: string[] = [];
    const all = await frames(
      ann,
      "POST",
      `/${agent.id}/message:stream`,
      { message: messageOf("Open a mission") },
      ({ task, statusUpdate }) => {
        const { state, message } = (task ?? statusUpdate ?? {}).status ?? {};
        if (state) states.push(state);
        if (state !== "TASK_STATE_AUTH_REQUIRED") return;
        const { approvalId } = message.parts[1].data;
        void done(at, ben, "GET", `/api/agents/approvals?problemSetId=${set}&limit=100`).then((approvals) =>
          as(at, ben)("POST", `/api/agents/approvals/${approvalId}/decide`, {
            hash: approvals.find(({ id }: any) => id === approvalId).hash,
            decision: "approve",
          }),
        );
      },
    );
    expect(Object.keys(all[0])).toEqual(["task"]);
    expect(states.at(-1)).toBe("TASK_STATE_COMPLETED");
    expect(states).toContain("TASK_STATE_AUTH_REQUIRED");
    const { id, contextId } = all[0].task;
    const [artifact, last] = all.slice(-2);
    expect(artifact.artifactUpdate).toMatchObject({
      taskId: id,
      contextId,
      artifact: { parts: [{ text: "Streamed." }, {}] },
    });
    expect(last.statusUpdate).toMatchObject({ taskId: id, contextId });
  });

  it("ends with the right to see its task", async () => {
    const [mia] = await persons(at, "mia");
    await admit(at, set, mia, "planner");
    say(act("open_mission", { name: "Seen" }));
    const { task } = (await send(ann, messageOf("Open a mission"))).body;
    const broken: any[] = [];
    const all = await frames(mia, "GET", `/tasks/${task.id}:subscribe`, undefined, (frame) => {
      if (!frame.task) return void broken.push(frame);
      void as(at, ann)("DELETE", `/api/problem-sets/${set}/members/${encodeURIComponent(mia.did)}`);
    });
    expect([all.length, all[0].task.id]).toEqual([2, task.id]);
    expect(broken[0].error).toMatchObject({ code: 404, status: "NOT_FOUND" });
    expect((await a2a(ann, "POST", `/tasks/${task.id}:cancel`)).status).toBe(200);
  });

  it("of a task that waits is followed by whoever may see it, and ends when it is cancelled", async () => {
    say(act("open_mission", { name: "Watched" }));
    const { task } = (await send(ann, messageOf("Open a mission"))).body;
    const watching = frames(ben, "GET", `/tasks/${task.id}:subscribe`, undefined, (frame) => {
      if (frame.task) void a2a(ann, "POST", `/tasks/${task.id}:cancel`, {});
    });
    const all = await watching;
    expect(all[0].task.status.state).toBe("TASK_STATE_AUTH_REQUIRED");
    expect(all.at(-1).statusUpdate.status.state).toBe("TASK_STATE_CANCELED");
    say(act("open_mission", { name: "Asked" }));
    const waiting = (await send(ann, messageOf("Open a mission"))).body.task;
    const [only, ...more] = await frames(ann, "POST", `/${agent.id}/message:stream`, {
      message: messageOf("Yes", { taskId: waiting.id }),
    });
    expect([only.message.taskId, more]).toEqual([waiting.id, []]);
  });
});

describe("what does not fit", () => {
  const bad = (fields: object, more: object = {}) => send(ann, messageOf("Look", fields), more);

  it("is named by its field, as google.rpc.Status has it", async () => {
    const cases: [Promise<Reply>, string[]][] = [
      [bad({ messageId: undefined }), ["message.messageId"]],
      [bad({ role: "ROLE_AGENT" }), ["message.role"]],
      [bad({ parts: [] }), ["message.parts"]],
      [bad({ parts: [{ text: "a", url: "https://x.example" }] }), ["message.parts.0"]],
      [bad({ parts: [{ data: { a: 1 } }] }), ["message.parts"]],
      [bad({ parts: [{ text: "a" }, { data: [1] }] }), ["message.parts.1.data"]],
      [bad({ parts: [{ text: "x".repeat(20_001) }] }), ["message.parts"]],
      [bad({}, { configuration: { historyLength: -1 } }), ["configuration.historyLength"]],
      [bad({}, { metadata: { signalmesh: { tools: 7 } } }), ["metadata.signalmesh.tools"]],
      [bad({}, { metadata: { signalmesh: { task: "Another" } } }), ["metadata.signalmesh.task"]],
      [bad({}, { tenant: "another" }), ["tenant"]],
      [a2a(ann, "POST", "/message:send", { message: messageOf("Look") }), ["tenant"]],
      [
        a2a(ann, "GET", "/tasks?pageSize=150&historyLength=-5&status=TASK_STATE_RUNNING"),
        ["pageSize", "historyLength", "status"],
      ],
      [a2a(ann, "GET", "/tasks?pageToken=nonsense"), ["pageToken"]],
    ];
    for (const [at, [asked, fields]] of cases.entries()) {
      const reply = await asked;
      expect([at, reply.status, reply.body.error.status, fieldsOf(reply).sort()]).toEqual([
        at,
        400,
        "INVALID_ARGUMENT",
        fields.sort(),
      ]);
      expect([reply.headers.get("content-type"), reply.body.error.code]).toEqual(["application/a2a+json", 400]);
    }
  });

  it("has the protocol's own errors: other versions, media, push notifications, addresses", async () => {
    const path = "/tasks";
    const hook = { url: "https://hook.example" };
    const cases: [string, number, Promise<Reply>][] = [
      ["VERSION_NOT_SUPPORTED", 400, a2a(ann, "GET", path, undefined, {})],
      ["VERSION_NOT_SUPPORTED", 400, a2a(ann, "GET", path, undefined, { "a2a-version": "0.3" })],
      ["VERSION_NOT_SUPPORTED", 400, a2a(ann, "GET", path, undefined, { "a2a-version": "2.0" })],
      ["PUSH_NOTIFICATION_NOT_SUPPORTED", 400, a2a(ann, "POST", `${path}/x/pushNotificationConfigs`, hook)],
      ["PUSH_NOTIFICATION_NOT_SUPPORTED", 400, a2a(ann, "GET", `${path}/x/pushNotificationConfigs`)],
      ["PUSH_NOTIFICATION_NOT_SUPPORTED", 400, a2a(ann, "DELETE", `${path}/x/pushNotificationConfigs/y`)],
      ["PUSH_NOTIFICATION_NOT_SUPPORTED", 400, bad({}, { configuration: { taskPushNotificationConfig: hook } })],
      ["CONTENT_TYPE_NOT_SUPPORTED", 400, bad({ parts: [{ url: "https://x.example/a.pdf" }] })],
      ["CONTENT_TYPE_NOT_SUPPORTED", 400, bad({}, { configuration: { acceptedOutputModes: ["image/png"] } })],
      ["TASK_NOT_FOUND", 404, a2a(ann, "GET", `${path}/x`)],
      ["TASK_NOT_FOUND", 404, a2a(ann, "GET", `${path}/${"x".repeat(300)}`)],
      ["ROUTE_NOT_FOUND", 404, a2a(ann, "GET", "/agent/x/y/z/nothing")],
      ["ROUTE_NOT_FOUND", 404, a2a(ann, "POST", `${path}/x:approve`, {})],
      ["METHOD_NOT_ALLOWED", 405, a2a(ann, "DELETE", `${path}/x`)],
      ["FORBIDDEN", 403, a2a(ann, "GET", path, undefined, { ...V1, origin: "https://evil.example" })],
    ];
    for (const [at, [reason, status, asked]] of cases.entries()) {
      const reply = await asked;
      expect([at, reply.status, reasonOf(reply)]).toEqual([at, status, reason]);
    }
    for (const ok of ["?A2A-Version=1.0", ""])
      expect((await a2a(ann, "GET", path + ok, undefined, ok ? {} : { "a2a-version": "1.0.1" })).status).toBe(200);
    const text = await at.http("POST", `/a2a/${agent.id}/message:send`, {
      as: ann.token,
      raw: "x",
      type: "text/plain",
      headers: V1,
    });
    expect([text.status, text.body.error.status]).toEqual([415, "INVALID_ARGUMENT"]);
  });
});
