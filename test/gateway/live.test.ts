import { ServiceBroker } from "moleculer";
import { z } from "zod";
import { published } from "../../core/contract/catalogue.ts";
import { JobChanged } from "../../core/work/job.ts";
import { LIVE_SENT, live, liveTogether, liveType, type LiveMessage } from "../../core/contract/live.ts";
import { commonsOf } from "../../mixins/domain.mixin.ts";
import { eventually, itInside, PASSWORD, world, type TestWorld } from "../mesh.ts";
import { admit, as, openSet, person, type Person, persons } from "../workspace/people.ts";
import { connect, type Client } from "./live-setup.ts";
import { secondGateway, WITHIN_REACH } from "./second-gateway.ts";

const Item = liveType("test.item", {
  domain: "tests",
  summary: "Something happened in a test",
  payload: z.object({ text: z.string() }),
});
const Orders = liveType("test.order", {
  domain: "tests",
  summary: "An order for whoever may read the log",
  payload: z.object({ text: z.string() }),
  may: "members:manage",
});
const Personal = liveType("test.personal", {
  domain: "articles",
  summary: "Something for one person",
  payload: z.object({ text: z.string() }),
});
const News = liveType("test.news", {
  domain: "tests",
  summary: "News for whoever curates sources",
  payload: z.object({ text: z.string() }),
  permit: "sources:curate",
  topics: ["messages"],
});

let at: TestWorld, second: ServiceBroker, urls: [string, string];
const clients: Client[] = [];
beforeAll(async () => {
  at = await world({}, { options: WITHIN_REACH });
  second = await secondGateway(at);
  const { server } = second.getLocalService("gateway") as unknown as { server: { address(): { port: number } } };
  urls = [at.url, `http://127.0.0.1:${server.address().port}`];
});
afterEach(() => {
  for (const { socket } of clients.splice(0)) socket.close();
});
afterAll(async () => {
  await second.stop();
  await at.stop();
});

const listen = async (token: string, gateway = 0, options: object = {}): Promise<Client> => {
  const client = await connect(urls[gateway]!, { auth: { token }, ...options });
  clients.push(client);
  return client;
};
let count = 0;
/** Sends to the whole mesh and waits for a mark that comes after it, so that what did not come will not come. */
async function after(marked: Client[]): Promise<void> {
  const text = `mark ${++count}`;
  for (const client of marked)
    await live(at.mesh, { event: Personal, to: { userId: client.of("live.ready")[0].userId }, data: { text } });
  // A socket that was ended meanwhile says why.
  await eventually(
    () =>
      marked
        .filter((client) => !client.of("test.personal").some((one) => one.data.text === text))
        .map(({ told }) => told),
    (without) => without.length === 0,
  );
}
const texts = (client: Client, event = "test.item"): string[] => client.of(event).map(({ data }) => data.text);

describe("being let in", () => {
  it("takes the token, the key and the cookie that REST takes, by header or handshake, over either transport", async () => {
    const ada = await person(at, "ada");
    const { key } = (await at.http("POST", "/api/keys", { as: ada.token, body: { name: "live" } })).body.data;
    const login = await at.http("POST", "/api/auth/login", {
      as: null,
      body: { email: "admin@example.org", password: PASSWORD, session: true },
    });
    const cookie = login.headers.get("set-cookie")!.split(";")[0]!;
    const here = { origin: at.url };
    const ways: Parameters<typeof connect>[1][] = [
      { auth: { token: ada.token } },
      { auth: { apiKey: key } },
      { extraHeaders: { authorization: `Bearer ${ada.token}` } },
      { extraHeaders: { "x-api-key": key } },
      { extraHeaders: { cookie, ...here } },
      { auth: { token: ada.token }, transports: ["polling"] },
      { auth: { token: ada.token }, transports: ["polling", "websocket"] },
    ];
    for (const way of ways) {
      const client = await connect(at.url, way);
      expect(client.of("live.ready")).toEqual([{ userId: expect.any(String), mode: "operational" }]);
      client.socket.close();
    }
  });

  it("turns away strangers, wrong credentials, foreign pages under a cookie, and everything beside its namespace", async () => {
    const login = await at.http("POST", "/api/auth/login", {
      as: null,
      body: { email: "admin@example.org", password: PASSWORD, session: true },
    });
    const cookie = login.headers.get("set-cookie")!.split(";")[0]!;
    await expect(connect(at.url)).rejects.toMatchObject({ data: { code: "UNAUTHENTICATED" } });
    await expect(connect(at.url, { auth: { token: "nonsense" } })).rejects.toMatchObject({
      data: { code: "UNAUTHENTICATED" },
    });
    await expect(connect(at.url, { auth: { apiKey: `sm_${"0".repeat(32)}` } })).rejects.toMatchObject({
      data: { code: "UNAUTHENTICATED" },
    });
    for (const origin of ["https://evil.example", "null", `${at.url}.evil.example`])
      await expect(connect(at.url, { extraHeaders: { cookie, origin } })).rejects.toMatchObject({
        data: { code: "FORBIDDEN" },
      });
    await expect(connect(at.url, { extraHeaders: { cookie, "sec-fetch-site": "cross-site" } })).rejects.toMatchObject({
      data: { code: "FORBIDDEN" },
    });
    const { io } = await import("socket.io-client");
    const root = io(at.url, {
      transports: ["websocket"],
      reconnection: false,
      forceNew: true,
      auth: { token: await at.tokenOf("analyst") },
    });
    expect(await new Promise((resolve) => root.once("connect_error", (error) => resolve(error.message)))).toMatch(
      /only the namespace/,
    );
    root.close();
  });

  it("bounds the sockets of one person and the subscriptions of one socket", async () => {
    const greedy = await person(at, "greedy");
    const open = await Promise.all(Array.from({ length: 32 }, () => listen(greedy.token)));
    await expect(connect(at.url, { auth: { token: greedy.token } })).rejects.toMatchObject({
      data: { code: "TOO_MANY_SOCKETS" },
    });
    open[0]!.socket.close();
    await eventually(
      () =>
        connect(at.url, { auth: { token: greedy.token } })
          .then((client) => clients.push(client))
          .catch(() => 0),
      Boolean,
    );
    const sets = await Promise.all(Array.from({ length: 64 }, () => openSet(at, greedy)));
    for (const problemSetId of sets)
      await eventually(
        () => open[1]!.subscribe({ problemSetId }),
        ({ ok }) => ok,
      );
    expect(await open[1]!.subscribe({ topic: "messages" })).toMatchObject({
      ok: false,
      error: { code: "TOO_MANY_SUBSCRIPTIONS" },
    });
    expect(await open[2]!.subscribe({ nonsense: 1 })).toMatchObject({ ok: false, error: { code: "VALIDATION_ERROR" } });
    expect(await open[2]!.subscribe({ topic: "weather" })).toMatchObject({
      ok: false,
      error: {
        code: "VALIDATION_ERROR",
        details: [{ path: "topic", message: expect.stringMatching(/^There is no such topic; there is .*briefings/) }],
      },
    });
    expect(await open[2]!.subscribe({ topic: "\ud800" })).toMatchObject({
      ok: false,
      error: { code: "VALIDATION_ERROR", details: [{ path: "topic" }] },
    });
    await expect(connect(at.url, { auth: { token: "\ud800" } })).rejects.toMatchObject({
      data: { code: "VALIDATION_ERROR", details: [{ path: "auth.token" }] },
    });
    // What is too large ends the connection that sent it, and no other.
    open[2]!.socket.emit("subscribe", { topic: "x".repeat(100_000) });
    await eventually(
      () => open[2]!.of("disconnect"),
      ({ length }) => length === 1,
    );
    expect(open[3]!.socket.connected).toBe(true);
  });
});

describe("hearing", () => {
  let commander: Person, analyst: Person, stranger: Person, set: string, compartment: string;
  const url = (path: string): string => `/api/problem-sets/${set}${path}`;
  const send = (text: string, compartments: string[] = []) =>
    live(at.mesh, { event: Item, to: { problemSetId: set, compartments }, data: { text } });
  const readIn = (who: Person) =>
    as(at, commander)("POST", url(`/compartments/${compartment}/members`), { did: who.did });
  const readOut = (who: Person) =>
    as(at, commander)("DELETE", url(`/compartments/${compartment}/members/${encodeURIComponent(who.did)}`));
  beforeEach(async () => {
    [commander, analyst, stranger] = await persons(at, "commander", "analyst", "stranger");
    set = await openSet(at, commander);
    await admit(at, set, analyst, "analyst");
    compartment = (await as(at, commander)("POST", url("/compartments"), { name: "Sources" })).body.data.id;
  });

  it("is by subscription, for members, on every gateway; a stranger is told that there is no such set", async () => {
    const [here, there, deaf, other] = await Promise.all([
      listen(analyst.token, 0),
      listen(commander.token, 1),
      listen(analyst.token, 1),
      listen(stranger.token, 1),
    ]);
    expect(await here.subscribe({ problemSetId: set })).toEqual({ ok: true });
    expect(await there.subscribe({ problemSetId: set })).toEqual({ ok: true });
    const refusal = await other.subscribe({ problemSetId: set });
    expect(refusal).toMatchObject({ ok: false, error: { code: "NOT_FOUND" } });
    expect((await other.subscribe({ problemSetId: "no-such-set" })).error.message).toBe(
      refusal.error.message.replace(set, "no-such-set"),
    );
    await send("to all members");
    await live(at.mesh, { event: Orders, to: { problemSetId: set }, data: { text: "for those who manage" } });
    await after([here, there, deaf, other]);
    expect([here, there, deaf, other].map((client) => texts(client))).toEqual([
      ["to all members"],
      ["to all members"],
      [],
      [],
    ]);
    expect([here, there].map((client) => texts(client, "test.order"))).toEqual([[], ["for those who manage"]]);
    expect(here.of("test.item")[0]).toEqual({
      id: expect.any(String),
      time: expect.any(String),
      problemSetId: set,
      data: { text: "to all members" },
    });
    await here.unsubscribe({ problemSetId: set });
    await send("after leaving");
    await after([here]);
    expect(texts(here)).toEqual(["to all members"]);
  });

  it("holds the barrier, and follows it while the socket is open", async () => {
    const line = await listen(analyst.token, 1);
    const chief = await listen(commander.token, 0);
    await Promise.all([line.subscribe({ problemSetId: set }), chief.subscribe({ problemSetId: set })]);
    await send("closed 1", [compartment]);
    expect((await readIn(analyst)).status).toBe(200);
    await send("open 1", [compartment]);
    await send("open 2", [compartment, compartment]);
    // Delivered before the access ends: what still waits then is judged by how they stand afterwards, see below.
    await after([line]);
    expect((await readOut(analyst)).status).toBe(200);
    await send("closed 2", [compartment]);
    await send("plain");
    await after([line, chief]);
    expect(texts(line)).toEqual(["open 1", "open 2", "plain"]);
    // The commander set the compartment up and is in it no more than anybody.
    expect(texts(chief)).toEqual(["plain"]);
  });

  it("keeps back what still waits to be judged when access ends, however slowly the mesh says who they are", async () => {
    const line = await listen(analyst.token, 1);
    await line.subscribe({ problemSetId: set });
    const gateway = second.getLocalService("gateway") as unknown as { identify(...given: unknown[]): Promise<unknown> };
    const real = gateway.identify;
    let answer!: () => void;
    const slow = new Promise<void>((resolve) => {
      answer = resolve;
    });
    gateway.identify = async (...given) => {
      const actor = await real.apply(gateway, given);
      await slow;
      return actor;
    };
    try {
      expect((await readIn(analyst)).status).toBe(200);
      await send("open", [compartment]);
      await send("plain 1");
      expect((await readOut(analyst)).status).toBe(200);
      await send("closed", [compartment]);
      await send("plain 2");
      expect(texts(line)).toEqual([]);
    } finally {
      gateway.identify = real;
      answer();
    }
    await after([line]);
    expect(texts(line)).toEqual(["plain 1", "plain 2"]);
  });

  it("says that one's access has changed, read in and read out, to whom it concerns alone", async () => {
    const [line, other] = [await listen(analyst.token, 1), await listen(commander.token, 1)];
    for (const one of [line, other]) await one.subscribe({ problemSetId: set });
    const told = () => line.of("live.access");
    expect((await readIn(analyst)).status).toBe(200);
    await eventually(told, ({ length }) => length === 1);
    expect((await readOut(analyst)).status).toBe(200);
    expect(await eventually(told, ({ length }) => length === 2)).toMatchObject([
      { problemSetId: set },
      { problemSetId: set },
    ]);
    await after([line, other]);
    expect([told().length, other.of("live.access").length]).toEqual([2, 0]);
  });

  it("ends with the membership at once, and says so; the socket lives on", async () => {
    const line = await listen(analyst.token, 1);
    await line.subscribe({ problemSetId: set });
    await send("before");
    expect(
      (await as(at, commander)("POST", url(`/members/${encodeURIComponent(analyst.did)}/suspend`), {})).status,
    ).toBe(200);
    await send("after");
    await after([line]);
    expect(texts(line)).toEqual(["before"]);
    expect(line.of("live.unsubscribed")).toEqual([{ problemSetId: set, code: "NOT_FOUND" }]);
    expect(await line.subscribe({ problemSetId: set })).toMatchObject({ ok: false, error: { code: "NOT_FOUND" } });
    await as(at, commander)("POST", url(`/members/${encodeURIComponent(analyst.did)}/unsuspend`), {});
    await eventually(
      () => line.subscribe({ problemSetId: set }),
      ({ ok }) => ok,
    );
    await send("again");
    await after([line]);
    expect(texts(line)).toEqual(["before", "again"]);
  });

  it("changes with the mode: in training the operational set is silent", async () => {
    const line = await listen(analyst.token, 1);
    await line.subscribe({ problemSetId: set });
    await line.subscribe({ topic: "messages" });
    await at.http("PUT", "/api/user-mode", { as: analyst.token, body: { mode: "training" } });
    await send("operational");
    await live(at.mesh, { event: News, to: { topic: "messages" }, data: { text: "operational news" } });
    await live(at.mesh, { event: News, to: { topic: "messages", training: true }, data: { text: "practice" } });
    await after([line]);
    expect([texts(line), texts(line, "test.news")]).toEqual([[], ["practice"]]);
  });

  it("asks what a topic asks, of the roles and of the key", async () => {
    const { key } = (
      await at.http("POST", "/api/keys", { as: analyst.token, body: { name: "narrow", scopes: ["read"] } })
    ).body.data;
    const whole = await listen(analyst.token);
    const narrow = await connect(at.url, { auth: { apiKey: key } });
    const reader = await listen(await at.tokenOf("reader"));
    clients.push(narrow);
    for (const client of [whole, narrow, reader])
      expect(await client.subscribe({ topic: "messages" })).toEqual({ ok: true });
    await live(at.mesh, { event: News, to: { topic: "messages" }, data: { text: "curators" } });
    await after([whole, narrow, reader]);
    expect([whole, narrow, reader].map((client) => texts(client, "test.news"))).toEqual([["curators"], [], []]);
  });

  it("is of a key's own domains alone: one confined to articles hears nothing of activity, messages or jobs, by socket or stream", async () => {
    const hearing = async (...scopes: string[]): Promise<Client & { key: string }> => {
      const { key } = (await at.http("POST", "/api/keys", { as: analyst.token, body: { name: scopes.join(), scopes } }))
        .body.data;
      const client = await connect(at.url, { auth: { apiKey: key } });
      clients.push(client);
      for (const wanted of [{ problemSetId: set }, { topic: "messages" }])
        expect(await client.subscribe(wanted)).toEqual({ ok: true });
      return { ...client, key };
    };
    const [whole, messages, articles] = [
      await hearing("read"),
      await hearing("read", "messages"),
      await hearing("read", "articles"),
    ];
    const note = { type: "chat.note.sent", payload: {} };
    for (const where of [{ channel: "ops", problemSetId: set }, { destination: analyst.did }])
      expect((await as(at, commander)("POST", "/api/messages", { ...where, ...note })).status).toBe(201);
    expect((await as(at, commander)("PATCH", url(""), { name: "Great flood" })).status).toBe(200);
    await live(at.mesh, {
      event: JobChanged,
      to: { userId: analyst.userId },
      data: { id: "j1", kind: "test", status: "running" },
    });
    const told = ({ told: all }: Client): string[] =>
      [...new Set(all.map(({ event }) => event))]
        .filter((event) => !event.startsWith("live.") && event !== "test.personal")
        .sort();
    await eventually(
      () => told(whole),
      ({ length }) => length === 3,
    );
    await eventually(
      () => messages.of("message.published"),
      ({ length }) => length === 2,
    );
    await after([whole, articles]);
    expect([whole, messages, articles].map(told)).toEqual([
      ["activity.item", "job.changed", "message.published"],
      ["message.published"],
      [],
    ]);
    const streams = commonsOf(at.mesh.broker)
      .services.flatMap((service) => [...published(service)])
      .filter(({ contract }) => contract.returns.events);
    expect(streams.length).toBeGreaterThanOrEqual(2);
    for (const { path, contract } of streams) {
      const query = "problemSetId" in (contract.query ?? {}) ? `?problemSetId=${set}` : "";
      const { status } = await at.http("GET", path.replace(/:\w+/g, "ops") + query, {
        as: null,
        headers: { "x-api-key": articles.key },
      });
      expect([path, status]).toEqual([path, 403]);
    }
  });

  it("is for one person alone where it is addressed to one", async () => {
    const [mine, alsoMine, others] = await Promise.all([
      listen(analyst.token, 0),
      listen(analyst.token, 1),
      listen(stranger.token, 0),
    ]);
    await live(at.mesh, { event: Personal, to: { userId: analyst.userId }, data: { text: "yours" } });
    await live(at.mesh, {
      event: Personal,
      to: { userId: stranger.userId, problemSetId: set },
      data: { text: "not a member" },
    });
    await after([mine, alsoMine, others]);
    expect(
      [mine, alsoMine, others].map((client) =>
        texts(client, "test.personal").filter((text) => !text.startsWith("mark")),
      ),
    ).toEqual([["yours"], ["yours"], []]);
  });

  // The gateway of before stands on the transporter within the process.
  const itWithinReach = process.env["TRANSPORTER"] ? it.skip : itInside;
  itWithinReach("comes together in one event, but one by one while a gateway of before that runs", async () => {
    const { token, userId } = await person(at, "rolling");
    const line = await listen(token, 1);
    const tell = (...told: string[]) =>
      liveTogether(
        at.mesh,
        told.map((text) => ({ event: Personal, to: { userId }, data: { text } })),
      );
    await tell("one", "two");
    await eventually(
      () => texts(line, "test.personal"),
      (told) => told.length === 2,
    );
    const heard: string[] = [];
    const { namespace, serializer } = at.mesh.broker.options;
    const older = new ServiceBroker({
      nodeID: "older",
      transporter: WITHIN_REACH.transporter,
      ...(namespace && { namespace }),
      ...(serializer && { serializer }),
      logger: false,
      skipProcessEventRegistration: true,
    });
    older.createService({
      name: "gateway",
      events: {
        [LIVE_SENT]: {
          context: true,
          handler({ params }: { params: LiveMessage }) {
            heard.push((params.envelope.data as { text: string }).text);
          },
        },
      },
    });
    await older.start();
    const gateways = () =>
      (at.mesh.broker.registry.getServiceList({ onlyAvailable: true } as never) as { nodeID: string }[]).filter(
        ({ nodeID }) => nodeID === "older",
      ).length;
    await eventually(gateways, (count) => count > 0);
    await tell("three", "four");
    await eventually(
      () => heard,
      ({ length }) => length === 2,
    );
    await eventually(
      () => texts(line, "test.personal"),
      (told) => told.length === 4,
    );
    expect([heard, texts(line, "test.personal")]).toEqual([
      ["three", "four"],
      ["one", "two", "three", "four"],
    ]);
    await older.stop();
  });

  it("refuses an audience that says nothing", () => {
    expect(() => live(at.mesh, { event: Item, to: {}, data: { text: "x" } })).toThrow(/without an audience/);
    expect(() => live(at.mesh, { event: Item, to: { compartments: ["c"], topic: "t" }, data: { text: "x" } })).toThrow(
      /problem set/,
    );
    expect(() => live(at.mesh, { event: Item, to: { topic: "t", problemSetId: "s" }, data: { text: "x" } })).toThrow(
      /not both/,
    );
  });
});

describe("the end", () => {
  it("comes with the token, the key, the session and the account, with a reason", async () => {
    const ada = await person(at, "leaver");
    const { id, key } = (await at.http("POST", "/api/keys", { as: ada.token, body: { name: "soon gone" } })).body.data;
    const [byToken, byKey] = await Promise.all([listen(ada.token, 1), connect(urls[1], { auth: { apiKey: key } })]);
    await at.http("DELETE", `/api/keys/${id}`, { as: ada.token });
    await eventually(
      () => byKey.of("disconnect"),
      ({ length }) => length === 1,
    );
    expect(byKey.of("live.ended")).toEqual([expect.objectContaining({ code: "UNAUTHENTICATED" })]);
    expect(byToken.socket.connected).toBe(true);
    await at.http("POST", "/api/auth/logout", { as: ada.token });
    await eventually(
      () => byToken.of("disconnect"),
      ({ length }) => length === 1,
    );
    expect(byToken.of("live.ended")).toEqual([expect.objectContaining({ code: "UNAUTHENTICATED" })]);
  });

  it("of a gateway is told to its sockets, and the others go on", async () => {
    const ada = await person(at, "wanderer");
    const line = await listen(ada.token, 0);
    const gateway = second.getLocalService("gateway")!;
    const there = await connect(urls[1], { auth: { token: ada.token } });
    await second.destroyService(gateway);
    await eventually(
      () => there.of("disconnect"),
      ({ length }) => length === 1,
    );
    expect(there.of("live.ended")).toEqual([expect.objectContaining({ code: "GOING_AWAY" })]);
    await after([line]);
    expect(LIVE_SENT).toBe("gateway.live.sent");
  });
});
