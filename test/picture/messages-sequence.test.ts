import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import fc from "fast-check";
import type { Caller } from "../../core/access/caller.ts";
import { systemActor } from "../../core/access/access.ts";
import { Channel, channelStart } from "../../services/picture/messages/channels.ts";
import { Ledger } from "../../services/picture/messages/ledger.ts";
import { digestAfter, Message, ORIGIN, Payload, PRIORITIES } from "../../services/picture/messages/messages.ts";
import { Sequencer, type OutgoingMessage } from "../../services/picture/messages/sequencer.ts";
import {
  acknowledge,
  advance,
  extend,
  gather,
  refuseDelivery,
  retry,
  revive,
  settledThrough,
  startAt,
  waitingOf,
  type Delivered,
  type Progress,
} from "../../services/picture/messages/progress.ts";
import { isOfType, MOST_DEAD, MOST_IN_FLIGHT } from "../../services/picture/messages/subscriptions.ts";
import { world, type TestWorld } from "../mesh.ts";

const caller = (userId: string): Caller => ({ meta: { actor: { ...systemActor("test"), userId } }, locals: {} });
const given = (n: number, more: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  source: "did:example:1",
  payload: { n },
  type: "test.message.sent",
  classification: "unclassified",
  priority: "routine",
  ...more,
});

describe("the numbers of a channel", () => {
  let at: TestWorld;
  beforeAll(async () => {
    at = await world();
  });
  afterAll(() => at.stop());

  /** What a node has of the bus, over the one store. */
  const node = (): Sequencer => {
    const host = at.service("messages");
    const ledger = new Ledger(host, (error) => {
      throw error;
    });
    return new Sequencer({
      store: host.store(Message),
      clock: at.clock,
      head: (id) => ledger.head(id),
      stored: (channel, messages) => ledger.note(channel.id, messages),
    });
  };
  const channel = (name: string): Promise<Channel> =>
    at
      .service("messages")
      .store(Channel)
      .create(caller("test"), { id: name, compartments: [], audience: "operational", channel: name, ...channelStart });
  const all = (channelId: string): Promise<Message[]> =>
    at
      .service("messages")
      .store(Message)
      .find(caller("test"), { channelId }, { sort: ["sequence"] });

  it("have no gap when twenty publish at once over two nodes, and everybody is answered with their own", async () => {
    const nodes = [node(), node()];
    const line = await channel("crowded");
    const answered = await Promise.all(
      Array.from({ length: 20 }, async (_, publisher) => {
        const mine: Message[] = [];
        for (let n = 0; n < 25; n++)
          mine.push(await nodes[publisher % 2]!.publish(caller(`p${publisher}`), line, given(n)));
        return mine;
      }),
    );
    const stored = await all(line.id);
    expect(stored.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 500 }, (_, n) => n + 1));
    expect(
      answered
        .flat()
        .map(({ id, sequence }) => `${sequence} ${id}`)
        .sort(),
    ).toEqual(stored.map(({ id, sequence }) => `${sequence} ${id}`).sort());
    // Of one publisher, who waited for each answer, in their order.
    for (const mine of answered)
      expect(mine.map(({ sequence }) => sequence)).toEqual(
        mine.map(({ sequence }) => sequence).sort((one, other) => one - other),
      );
    let digest = ORIGIN;
    for (const message of stored) {
      digest = digestAfter(digest, message, JSON.parse(message.text));
      expect(message.digest).toBe(digest);
    }
    const host = at.service("messages");
    const [counted] = await new Ledger(host, () => {}).current([
      await host.store(Channel).get(caller("test"), line.id),
    ]);
    expect(counted).toMatchObject({
      head: { sequence: 500, digest },
      types: [{ of: "test.message.sent", count: 500 }],
      priorities: [{ of: "routine", count: 500 }],
    });
  });

  it("one dedupeId makes one message, twenty times at once over two nodes", async () => {
    const nodes = [node(), node()];
    const line = await channel("repeated");
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => nodes[n % 2]!.publish(caller("p"), line, given(1, { dedupeId: "once" }))),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect((await all(line.id)).map(({ sequence }) => sequence)).toEqual([1]);
  });

  it("go on after a head that was believed and is no longer true", async () => {
    const [one, other] = [node(), node()];
    const line = await channel("stale");
    await one.publish(caller("p"), line, given(1));
    for (let n = 2; n < 5; n++) await other.publish(caller("p"), line, given(n));
    expect((await one.publish(caller("p"), line, given(5))).sequence).toBe(5);
  });
});

describe("the digest", () => {
  const content = fc.record({
    id: fc.uuid(),
    channelId: fc.uuid(),
    sequence: fc.integer({ min: 1 }),
    source: fc.string(),
    type: fc.string(),
    classification: fc.constantFrom("unclassified" as const, "secret" as const),
    priority: fc.constantFrom(...PRIORITIES),
    publishedAt: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    destination: fc.option(fc.string(), { nil: undefined }),
    correlationId: fc.option(fc.string(), { nil: undefined }),
    expiresAt: fc.option(fc.string(), { nil: undefined }),
    dedupeId: fc.option(fc.string(), { nil: undefined }),
  });
  const payload = fc.dictionary(fc.string(), fc.jsonValue());

  it("is what its description says, whatever the message, and another for any other message, order or past", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(content, payload), { minLength: 1, maxLength: 6 }), (messages) => {
        let digest = ORIGIN;
        for (const [one, said] of messages) {
          const by = createHash("sha256")
            .update(digest + canonicalize(JSON.parse(JSON.stringify({ ...one, payload: said }))))
            .digest("hex");
          const told = JSON.parse(JSON.stringify(said)) as unknown;
          expect(digestAfter(digest, one as Message, told)).toBe(by);
          expect(digestAfter(digest, { ...one, sequence: one.sequence + 1 } as Message, told)).not.toBe(by);
          expect(digestAfter(digest, one as Message, { ...said, "another one": 1 })).not.toBe(by);
          expect(digestAfter(`${digest.slice(1)}f`, one as Message, told)).not.toBe(by);
          digest = by;
        }
      }),
      { numRuns: 200 },
    );
  });
});

it("a payload that is far too long is looked at as far as its bound, and no further", () => {
  let looked = 0;
  const one = { enumerable: true, get: () => (looked++, "x".repeat(1_000)) };
  const members = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`m${n}`, one]));
  const { error } = Payload.safeParse(Object.defineProperties({}, members));
  expect(error!.issues).toMatchObject([{ message: "At most 65536 bytes of JSON." }]);
  expect(looked).toBeLessThan(70);
});

describe("a subscription, whatever happens to it", () => {
  const RULES = {
    ackWaitSeconds: 10,
    mostDeliveries: 3,
    leastPriority: "routine" as const,
    order: "sequence" as "sequence" | "precedence",
  };
  const TYPES = ["fuel.truck.left", "fuel.truck.came", "water.tank.low"] as const;
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant("take" as const), most: fc.integer({ min: 1, max: 40 }) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("ack" as const), at: fc.nat(400), cumulative: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("settle" as const), at: fc.nat(60) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("gather" as const), most: fc.integer({ min: 1, max: 80 }) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("refuse" as const),
        at: fc.nat(60),
        delaySeconds: fc.nat(40),
        final: fc.boolean(),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("extend" as const),
        at: fc.nat(60),
        seconds: fc.integer({ min: 1, max: 60 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 25 }) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("retry" as const), most: fc.integer({ min: 1, max: 60 }) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("revive" as const), at: fc.nat(10) }) },
  );
  const channelOf = fc.array(
    fc.record({
      priority: fc.constantFrom(...PRIORITIES),
      type: fc.constantFrom(...TYPES),
      lives: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 400 },
  );

  it("hands on every message once and in order, forgets none, and delivers again only what nobody acknowledged", () => {
    fc.assert(
      fc.property(
        channelOf,
        fc.array(step, { maxLength: 60 }),
        fc.record({
          leastPriority: fc.constantFrom(...PRIORITIES),
          order: fc.constantFrom("sequence" as const, "precedence" as const),
          types: fc.constantFrom<string[] | undefined>(undefined, ["fuel.>"], ["*.tank.low", "fuel.truck.came"]),
          backOffSeconds: fc.constantFrom<number[] | undefined>(undefined, [3, 20]),
        }),
        (kinds, steps, how) => {
          const rules = { ...RULES, ...how };
          const messages = kinds.map(({ priority, type, lives }, n) => ({
            sequence: n + 1,
            priority,
            type,
            ...(lives !== undefined && { expiresAt: new Date(lives * 1_000).toISOString() }),
          }));
          let progress: Progress = startAt(0);
          let now = 0;
          // What a client saw and did.
          const handed: number[] = [],
            receipts = new Map<number, number[]>(),
            seen = new Map<number, number>(),
            acked = new Set<number>(),
            passed = new Set<number>();
          let last = 0;
          const hear = ({ sequence, deliveries, receipt }: Delivered): void => {
            seen.set(sequence, deliveries);
            expect(receipt).toBeGreaterThan(last);
            last = receipt;
            receipts.set(sequence, [...(receipts.get(sequence) ?? []), receipt]);
          };
          for (const one of steps) {
            const before = progress;
            if (one.do === "wait") now += one.seconds * 1_000;
            if (one.do === "take") {
              const outcome = advance(
                progress,
                messages.slice(progress.position, progress.position + one.most),
                rules,
                now,
              );
              progress = outcome.progress;
              for (const told of outcome.told) {
                handed.push(told.sequence);
                if ("skipped" in told) passed.add(told.sequence);
                else hear(told);
              }
            }
            if (one.do === "gather") {
              const next = messages.slice(progress.position, progress.position + one.most);
              const outcome = gather(progress, next, rules, now);
              for (const { sequence } of outcome.skipped) passed.add(sequence);
              progress = outcome.progress;
              handed.push(...next.map(({ sequence }) => sequence).filter((sequence) => sequence <= progress.position));
            }
            if (one.do === "retry") {
              const outcome = retry(progress, rules, now, one.most);
              progress = outcome.progress;
              for (const told of outcome.again) {
                const { sequence, deliveries } = told;
                expect([sequence, acked.has(sequence)]).toEqual([sequence, false]);
                // What was not heard of before was gathered.
                expect([sequence, seen.has(sequence) || deliveries === 1]).toEqual([sequence, true]);
                expect(deliveries).toBeLessThanOrEqual(rules.mostDeliveries);
                hear(told);
              }
              const ranks = outcome.again.map(({ sequence }) => PRIORITIES.indexOf(messages[sequence - 1]!.priority));
              if (rules.order === "precedence") expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
              else expect(outcome.again).toEqual(outcome.again.toSorted((a, b) => a.sequence - b.sequence));
            }
            const flies = progress.inFlight[(one as { at?: number }).at ?? -1];
            if (one.do === "settle" && flies) {
              // An older receipt settles nothing; that of the last delivery does.
              for (const receipt of receipts.get(flies.sequence)?.slice(0, -1) ?? [])
                expect(acknowledge(progress, flies.sequence, { receipt })).toBe("again");
              const next = acknowledge(progress, flies.sequence, { receipt: flies.receipt });
              const neverCame = flies.deliveries === 0 && flies.receipt === undefined;
              expect(next === "early").toBe(neverCame);
              if (!neverCame) {
                acked.add(flies.sequence);
                progress = next as Progress;
              }
            }
            if ((one.do === "refuse" || one.do === "extend") && flies) {
              const receipt = flies.receipt ?? 0;
              const move = (its: number) =>
                one.do === "refuse"
                  ? refuseDelivery(progress, flies.sequence, { ...one, receipt: its }, now)
                  : extend(progress, flies.sequence, { ...one, receipt: its }, now);
              expect(move(receipt + 1)).toBeNull();
              const next = move(receipt);
              expect(next === null).toBe(flies.receipt === undefined);
              progress = next ?? progress;
              if (next && one.do === "extend")
                expect(
                  retry(progress, rules, now + one.seconds * 1_000 - 1, 500).again.map(({ sequence }) => sequence),
                ).not.toContain(flies.sequence);
            }
            if (one.do === "ack") {
              const next = acknowledge(progress, one.at, one);
              const its = progress.inFlight.find(({ sequence }) => sequence === one.at);
              const neverCame = its?.deliveries === 0 && its.receipt === undefined;
              expect(next === "early").toBe(one.at > progress.position || neverCame);
              if (next !== "early")
                for (const sequence of seen.keys())
                  if (one.cumulative ? sequence <= one.at : sequence === one.at) acked.add(sequence);
              if (typeof next === "object") progress = next ?? progress;
              if (next !== "early") expect(acknowledge(progress, one.at, one)).toBeNull();
            }
            if (one.do === "revive") {
              const dead = progress.dead[one.at];
              if (dead) acked.delete(dead.sequence);
              progress = (dead && revive(progress, messages[dead.sequence - 1]!, now)) ?? progress;
            }
            const flying = new Set(progress.inFlight.map(({ sequence }) => sequence)),
              dead = new Set(progress.dead.map(({ sequence }) => sequence));
            // Nothing is forgotten: what was handed on is in flight, dead, acknowledged, passed over or expired.
            for (const { sequence, expiresAt } of messages.slice(0, progress.position)) {
              const expired = expiresAt !== undefined && Date.parse(expiresAt) <= now;
              expect([
                sequence,
                flying.has(sequence) || dead.has(sequence) || acked.has(sequence) || passed.has(sequence) || expired,
              ]).toEqual([sequence, true]);
              expect([sequence, acked.has(sequence) && (flying.has(sequence) || dead.has(sequence))]).toEqual([
                sequence,
                false,
              ]);
            }
            expect(progress.inFlight.length).toBeLessThanOrEqual(
              MOST_IN_FLIGHT + progress.dead.length + before.dead.length,
            );
            expect(progress.dead.length).toBeLessThanOrEqual(MOST_DEAD);
            expect(progress.inFlight.map(({ sequence }) => sequence)).toEqual([...flying].sort((a, b) => a - b));
            expect(settledThrough(progress)).toBeLessThanOrEqual(progress.position);
            expect(progress.position).toBeGreaterThanOrEqual(before.position);
            expect(waitingOf(progress, messages.length)).toBe(messages.length - progress.position + flying.size);
          }
          expect(handed).toEqual(handed.map((_, n) => n + 1));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("stands still when as much is in flight as may be, and goes on when something is acknowledged", () => {
    const messages = Array.from({ length: MOST_IN_FLIGHT + 10 }, (_, n) => ({
      sequence: n + 1,
      priority: "routine" as const,
      type: TYPES[0],
    }));
    const full = advance(startAt(0), messages, RULES, 0).progress;
    expect([full.position, full.inFlight.length]).toEqual([MOST_IN_FLIGHT, MOST_IN_FLIGHT]);
    expect(advance(full, messages.slice(MOST_IN_FLIGHT), RULES, 0).told).toEqual([]);
    const freed = acknowledge(full, 3) as Progress;
    expect(advance(freed, messages.slice(MOST_IN_FLIGHT), RULES, 0).told).toEqual([
      { sequence: MOST_IN_FLIGHT + 1, deliveries: 1, receipt: MOST_IN_FLIGHT + 1 },
    ]);
  });

  it("keeps delivering what it has no room to give up", () => {
    const messages = Array.from({ length: MOST_IN_FLIGHT }, (_, n) => ({
      sequence: n + 1,
      priority: "routine" as const,
      type: TYPES[0],
    }));
    const rules = { ...RULES, mostDeliveries: 1 };
    const died = retry(advance(startAt(0), messages, rules, 0).progress, rules, 11_000, 1_000).progress;
    expect([died.dead.length, died.inFlight.length]).toEqual([MOST_DEAD, 0]);
    const more = advance(
      died,
      [{ sequence: MOST_IN_FLIGHT + 1, priority: "routine", type: TYPES[0] }],
      rules,
      11_000,
    ).progress;
    expect(retry(more, rules, 22_000, 1_000).again).toMatchObject([{ sequence: MOST_IN_FLIGHT + 1, deliveries: 2 }]);
  });

  it("waits longer for each delivery that is not acknowledged, where it names times to wait", () => {
    const rules = { ...RULES, mostDeliveries: 9, backOffSeconds: [2, 5] };
    let now = 0,
      progress = advance(startAt(0), [{ sequence: 1, priority: "routine", type: TYPES[0] }], rules, now).progress;
    const waits: number[] = [];
    for (let second = 1; second <= 20; second++) {
      const outcome = retry(progress, rules, second * 1_000, 10);
      if (outcome.again.length) waits.push(second - now);
      if (outcome.again.length) now = second;
      progress = outcome.progress;
    }
    expect(waits).toEqual([2, 5, 5, 5]);
  });
});

test.each([
  ["fuel.truck.left", "fuel.truck.left", true],
  ["fuel.truck.left", "fuel.truck", false],
  ["fuel.truck.left", "fuel.*.left", true],
  ["fuel.truck.left", "fuel.*", false],
  ["fuel.truck.left", "fuel.>", true],
  ["fuel.truck.left", "fuel.truck.left.>", false],
  ["fuel.truck.left", "*.>", true],
  ["Fuel.truck.left", "fuel.>", false],
])("%s is of the type %s: %s", (type, pattern, is) => {
  expect(isOfType(type, pattern)).toBe(is);
});
