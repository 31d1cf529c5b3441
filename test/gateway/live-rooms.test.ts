import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { sees } from "../../core/access/barrier.ts";
import { type Actor, type Membership } from "../../core/access/access.ts";
import { mayReceive, type Audience, type LiveMessage } from "../../core/contract/live.ts";
import { frameOf } from "../../services/gateway/live/frames.ts";
import { Rooms, type Listener } from "../../services/gateway/live/rooms.ts";
import { Live } from "../../services/gateway/live/live.ts";
import { eventually } from "../mesh.ts";
import { connect, type Client } from "./live-setup.ts";

const SETS = ["s1", "s2"] as const,
  COMPARTMENTS = ["a", "b", "c"] as const,
  USERS = ["u1", "u2", "u3"] as const,
  TOPICS = ["t1", "t2"] as const;
const membership: fc.Arbitrary<Membership> = fc.record({
  role: fc.constant("analyst"),
  permits: fc.subarray(["*:read", "orders:see"]),
  compartments: fc.subarray([...COMPARTMENTS]),
});
const actorOf = (userId: string): fc.Arbitrary<Actor> =>
  fc
    .record({
      memberships: fc.dictionary(fc.constantFrom(...SETS), membership),
      permits: fc.subarray(["*:read", "sources:curate"]),
      limits: fc.option(fc.subarray(["*:read", "sources:*"]), { nil: undefined }),
      training: fc.boolean(),
    })
    .map(({ training, limits, ...rest }) => ({
      userId,
      roles: ["reader"],
      via: "jwt" as const,
      ...rest,
      ...(limits && { limits }),
      ...(training && { mode: "training" as const }),
    }));
const audience: fc.Arbitrary<Audience> = fc.oneof(
  fc.record(
    { problemSetId: fc.constantFrom(...SETS), compartments: fc.subarray([...COMPARTMENTS]) },
    { requiredKeys: ["problemSetId"] },
  ),
  fc.record({ userId: fc.constantFrom(...USERS), training: fc.boolean() }, { requiredKeys: ["userId"] }),
  fc.record({
    userId: fc.constantFrom(...USERS),
    problemSetId: fc.constantFrom(...SETS),
    compartments: fc.subarray([...COMPARTMENTS]),
  }),
  fc.record({ topic: fc.constantFrom(...TOPICS), training: fc.boolean() }),
);
type Given = Pick<LiveMessage, "permit" | "domain" | "may" | "to">;
const message: fc.Arbitrary<Given> = fc.record({
  domain: fc.constantFrom("sources", "articles"),
  permit: fc.constantFrom("signed-in" as const, "sources:curate" as const),
  may: fc.option(fc.constantFrom("orders:see"), { nil: undefined }),
  to: audience,
});
const asMessage = (given: Partial<Given> & Pick<Given, "to" | "permit">, text = ""): LiveMessage => ({
  event: "test.item",
  domain: "tests",
  ...given,
  envelope: { id: "m", time: "2026-01-01T00:00:00.000Z", data: { text } },
});

class Member implements Listener {
  actor: Actor;
  readonly sets: Set<string>;
  readonly topics: Set<string>;
  constructor(actor: Actor, sets: readonly string[], topics: readonly string[]) {
    this.actor = actor;
    this.sets = new Set(sets);
    this.topics = new Set(topics);
  }
}
const member = fc
  .constantFrom(...USERS)
  .chain((userId) => fc.tuple(actorOf(userId), fc.subarray([...SETS]), fc.subarray([...TOPICS])));
/** The rule said once more, listener by listener, without rooms. */
const meant = ({ actor, sets, topics }: Member, given: LiveMessage): boolean =>
  mayReceive(actor, given) &&
  (given.to.userId !== undefined ||
    (given.to.problemSetId !== undefined ? sets.has(given.to.problemSetId) : topics.has(given.to.topic!)));

it("rooms of equal standing reach exactly those whom the rule means one by one, each once, through any comings and goings", () => {
  fc.assert(
    fc.property(
      fc.array(member, { maxLength: 12 }),
      fc.array(fc.tuple(fc.nat(11), member), { maxLength: 12 }),
      fc.array(message, { minLength: 1, maxLength: 8 }),
      (first, changes, messages) => {
        const rooms = new Rooms<Member>();
        const members = first.map((given) => new Member(...given));
        for (const one of members) rooms.enter(one);
        const check = (): void => {
          for (const given of messages) {
            const reached = [...rooms.receivers(asMessage(given))];
            expect(new Set(reached).size).toBe(reached.length);
            expect(new Set(reached)).toEqual(new Set(members.filter((one) => meant(one, asMessage(given)))));
          }
        };
        check();
        for (const [at, [actor]] of changes) {
          const one = members[at % Math.max(1, members.length)];
          if (!one) continue;
          rooms.leave(one);
          one.actor = { ...actor, userId: one.actor.userId };
          if (at % 5) rooms.enter(one);
          else members.splice(members.indexOf(one), 1);
          check();
        }
        for (const one of members) rooms.leave(one);
        expect(rooms.size).toBe(0);
      },
    ),
    { numRuns: 500 },
  );
});

it("nobody receives without being a member, read into every compartment, in the right mode, or the person meant", () => {
  fc.assert(
    fc.property(actorOf("u1"), message, (actor, given) => {
      const { problemSetId, compartments = [], userId, topic, training } = given.to;
      if (!mayReceive(actor, given)) return;
      if (userId !== undefined) expect(actor.userId).toBe(userId);
      if (topic !== undefined || training !== undefined) expect(actor.mode === "training").toBe(training ?? false);
      if (problemSetId !== undefined) {
        const held = actor.memberships?.[problemSetId];
        expect(held).toBeDefined();
        // Read in through whichever set the compartment belongs to, as stores have it.
        expect(sees({ set: "problemSetId", compartments: "compartments" }, actor, { problemSetId, compartments })).toBe(
          true,
        );
        if (given.may) expect(held!.permits).toContain(given.may);
      }
    }),
    { numRuns: 2_000 },
  );
});

it("whoever may read a record in its set may hear of it: compartments held in another set open what lies in this one", () => {
  const member = (compartments: string[]): Membership => ({ role: "planner", permits: ["*:read"], compartments });
  const reader: Actor = {
    userId: "u1",
    roles: ["reader"],
    via: "jwt",
    permits: [],
    memberships: { s1: member([]), s2: member(["a"]) },
  };
  const blind: Actor = { ...reader, userId: "u2", memberships: { s1: member([]), s2: member([]) } };
  const inherited = asMessage({ permit: "signed-in", to: { problemSetId: "s1", compartments: ["a"] } });
  const rooms = new Rooms<Member>();
  const listeners = [reader, blind].map((actor) => new Member(actor, ["s1"], []));
  for (const one of listeners) rooms.enter(one);
  expect([...rooms.receivers(inherited)]).toEqual([listeners[0]]);
});

it.each([0, 100, 125, 126, 65_500, 65_535, 70_000])("frames are WebSocket's for a text of %i bytes", async (size) => {
  const { Sender } = await import("ws" as string);
  const envelope = { id: "m", time: "t", data: "ü".repeat(size / 2) };
  const { packet, wire } = frameOf("test.item", envelope);
  expect(JSON.parse(packet.slice("2/live,".length))).toEqual(["test.item", envelope]);
  expect(
    wire.equals(
      Buffer.concat(
        Sender.frame(Buffer.from(`4${packet}`), { readOnly: false, mask: false, rsv1: false, opcode: 1, fin: true }),
      ),
    ),
  ).toBe(true);
});

/**
 * The live end on a server of its own; who people are is a table that the test changes, and the mesh is slow to say.
 */
describe("over real sockets", () => {
  const people = new Map<string, Actor | null>();
  let server: Server,
    end: Live,
    url: string,
    slowMs = 0,
    failures = 0;
  beforeAll(async () => {
    server = createServer((_req, res) => res.writeHead(404).end());
    end = new Live({
      server,
      logger: { error: () => {} },
      fromHere: () => true,
      isRefused: () => false,
      topics: new Set(TOPICS),
      async identify({ headers }) {
        const known = people.get(headers.authorization!.slice("Bearer ".length)) ?? undefined;
        await new Promise((resolve) => setTimeout(resolve, slowMs * Math.random()));
        if (failures-- > 0) throw Object.assign(new Error("away"), { name: "RequestTimeoutError" });
        return known;
      },
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    end.close();
    await new Promise((resolve) => server.close(resolve));
  });
  const actor = (userId: string, memberships: Actor["memberships"] = {}): Actor => ({
    userId,
    roles: ["reader"],
    via: "jwt",
    permits: [],
    memberships,
  });
  const reading = (...compartments: string[]): Membership => ({ role: "analyst", permits: ["*:read"], compartments });
  const mark = async (client: Client, userId: string, text: string): Promise<void> => {
    end.deliver(asMessage({ permit: "signed-in", to: { userId } }, text));
    await eventually(() => client.of("test.item").some(({ data }) => data.text === text), Boolean);
  };

  it("no canary reaches a socket whose person may not read it at that moment, over random memberships, changes and messages", async () => {
    slowMs = 8;
    const clients = new Map<string, Client>();
    for (const user of USERS) {
      people.set(user, actor(user, Object.fromEntries(SETS.map((set) => [set, reading(...COMPARTMENTS)]))));
      const client = await connect(url, {
        auth: { token: user },
        transports: user === "u3" ? ["polling"] : ["websocket"],
      });
      for (const set of SETS) expect(await client.subscribe({ problemSetId: set })).toEqual({ ok: true });
      clients.set(user, client);
    }
    const step = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant("send" as const),
          set: fc.constantFrom(...SETS),
          compartments: fc.subarray([...COMPARTMENTS]),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant("change" as const),
          user: fc.constantFrom(...USERS),
          held: fc.subarray([...COMPARTMENTS]),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.nat(6) }) },
    );
    let sent = 0;
    /**
     * What each person was read into, from the beginning; and of each canary, what it lies in and where everybody's
     * history stood when it was sent.
     */
    const history = new Map<string, string[][]>(USERS.map((user) => [user, [[...COMPARTMENTS]]]));
    const canaries = new Map<string, { compartments: string[]; since: Map<string, number> }>();
    const reads = (held: readonly string[], compartments: readonly string[]): boolean =>
      compartments.every((id) => held.includes(id));
    const send = (set: string, compartments: string[]): string => {
      const text = `canary-${++sent}`;
      canaries.set(text, { compartments, since: new Map(USERS.map((user) => [user, history.get(user)!.length - 1])) });
      end.deliver(asMessage({ permit: "signed-in", to: { problemSetId: set, compartments } }, text));
      return text;
    };
    const got = (user: string): string[] =>
      clients
        .get(user)!
        .of("test.item")
        .map(({ data }) => data.text as string);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        for (const one of steps) {
          if (one.kind === "wait") await new Promise((resolve) => setTimeout(resolve, one.ms));
          else if (one.kind === "send") send(one.set, one.compartments);
          else {
            history.get(one.user)!.push(one.held);
            people.set(one.user, actor(one.user, Object.fromEntries(SETS.map((set) => [set, reading(...one.held)]))));
            end.changed(one.user);
          }
        }
        // Once all is quiet, everybody gets exactly what they may.
        for (const user of USERS) await mark(clients.get(user)!, user, `settled-${++sent}`);
        const quiet = (["a", "b", "c"] as const).map((id) => [id, send("s1", [id])] as const);
        for (const user of USERS) await mark(clients.get(user)!, user, `settled-${++sent}`);
        for (const user of USERS) {
          const texts = got(user);
          expect(new Set(texts).size).toBe(texts.length);
          for (const [id, text] of quiet) expect(texts.includes(text)).toBe(history.get(user)!.at(-1)!.includes(id));
          // Nothing is given by what somebody was read into before it was sent.
          for (const text of texts) {
            const canary = canaries.get(text);
            if (canary)
              expect(
                history
                  .get(user)!
                  .slice(canary.since.get(user)!)
                  .some((held) => reads(held, canary.compartments)),
              ).toBe(true);
          }
        }
      }),
      { numRuns: 40 },
    );
    expect(canaries.size).toBeGreaterThan(300);
    for (const { socket } of clients.values()) socket.close();
  }, 120_000);

  it("holds back what comes while it is asked who somebody is, and then gives it in order, or not at all", async () => {
    slowMs = 0;
    people.set("u9", actor("u9", { s1: reading("a") }));
    const client = await connect(url, { auth: { token: "u9" } });
    await client.subscribe({ problemSetId: "s1" });
    const send = (text: string, ...compartments: string[]) =>
      end.deliver(asMessage({ permit: "signed-in", to: { problemSetId: "s1", compartments } }, text));
    slowMs = 40;
    people.set("u9", actor("u9", { s1: reading("b") }));
    end.changed("u9");
    for (const [text, ...compartments] of [["1"], ["no longer", "a"], ["2", "b"], ["never", "a", "b"], ["3"]] as [
      string,
      ...string[],
    ][])
      expect(send(text, ...compartments)).toBe(0);
    await mark(client, "u9", "end");
    expect(client.of("test.item").map(({ data }) => data.text)).toEqual(["1", "2", "3", "end"]);
    client.socket.close();
  });

  it("asks again while the mesh is away, and lets go of whom it cannot vouch for", async () => {
    slowMs = 0;
    people.set("u8", actor("u8", { s1: reading() }));
    const client = await connect(url, { auth: { token: "u8" } });
    failures = 2;
    end.changed("u8");
    await mark(client, "u8", "back");
    failures = 100;
    end.changed();
    await eventually(
      () => client.of("disconnect"),
      ({ length }) => length === 1,
    );
    expect(client.of("live.ended")).toEqual([expect.objectContaining({ code: "TEMPORARILY_UNAVAILABLE" })]);
    failures = 0;
  });

  it("lets go of whoever does not read, and of nobody else", async () => {
    slowMs = 0;
    for (const user of ["slow", "quick"]) people.set(user, actor(user, { s1: reading() }));
    const [slow, quick] = [
      await connect(url, { auth: { token: "slow" } }),
      await connect(url, { auth: { token: "quick" } }),
    ];
    for (const client of [slow, quick]) await client.subscribe({ problemSetId: "s1" });
    (slow.socket.io.engine.transport as any).ws._socket.pause();
    const text = "x".repeat(200_000);
    for (let n = 0; end.size > 1 && n < 500; n++) {
      end.deliver(asMessage({ permit: "signed-in", to: { problemSetId: "s1" } }, text));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(end.size).toBe(1);
    await mark(quick, "quick", "still here");
    (slow.socket.io.engine.transport as any).ws._socket.resume();
    await eventually(
      () => slow.of("disconnect"),
      ({ length }) => length === 1,
    );
    quick.socket.close();
  });

  it("does not send what is too large to push", () => {
    expect(end.deliver(asMessage({ permit: "signed-in", to: { topic: "t" } }, "x".repeat(300_000)))).toBe(0);
  });
});
