import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { world, type TestWorld } from "../mesh.ts";
import { inChannel, type Heard } from "../picture/bus-setup.ts";
import { admit, as, openSet, person, type Person, persons } from "../workspace/people.ts";

// Claim 6, for the message bus: ten thousand messages while several publish, fifty disconnections, none missed, doubled
// or out of order, to one who stays, to one who is cut off, and to a subscriber who acknowledges; and each of them
// computes the server's hash.

const MESSAGES = 10_000,
  DISCONNECTIONS = 50,
  PUBLISHERS = 32;
/** Acknowledged together; fewer than may be in flight. */
const TOGETHER = 100;
let at: TestWorld;
let followers: Person[];
let publisher: Person;
let problemSetId: string;

beforeAll(async () => {
  at = await world();
  publisher = await person(at, "publisher");
  problemSetId = await openSet(at, publisher);
  followers = await persons(at, "stays", "is-cut-off", "acknowledges");
  for (const who of followers) await admit(at, problemSetId, who, "observer");
}, 120_000);
afterAll(() => at.stop());

/** A client of its own: keeps the last number, and the digest that it computes from what it heard. */
class Replica {
  digest = "0".repeat(64);
  readonly numbers: number[] = [];
  readonly strangers: string[] = [];

  hear({ event, id, data }: Heard): void {
    if (event !== "message.published") return void this.strangers.push(`${event} ${JSON.stringify(data)}`);
    this.numbers.push(Number(id));
    const {
      channelId,
      classification,
      correlationId,
      dedupeId,
      destination,
      expiresAt,
      payload,
      priority,
      publishedAt,
      sequence,
      source,
      type,
    } = data;
    const content = JSON.parse(
      JSON.stringify({
        channelId,
        classification,
        correlationId,
        dedupeId,
        destination,
        expiresAt,
        id: data.id,
        payload,
        priority,
        publishedAt,
        sequence,
        source,
        type,
      }),
    );
    this.digest = createHash("sha256")
      .update(this.digest + canonicalize(content))
      .digest("hex");
  }
}

it("ten thousand messages come whole, in order and once, over fifty disconnections, and everybody's hash is the server's", async () => {
  const line = inChannel(at, "claim-6", { problemSetId });
  const [stays, cutOff, acknowledges] = followers as [Person, Person, Person];
  // Observers follow a channel; it comes to be by those who may publish.
  await line.subscribe(publisher);
  await line.subscribe(acknowledges, { from: "first" });

  let published = 0;
  const publishing = Promise.all(
    Array.from({ length: PUBLISHERS }, async (_, one) => {
      while (published < MESSAGES) {
        const { status } = await line.publish(publisher, {
          payload: { one, n: ++published },
          ...(published % 7 === 0 && { correlationId: `thread ${published % 13}`, priority: "flash" }),
        });
        expect(status).toBe(201);
      }
    }),
  );

  /**
   * Reads on until it has everything, leaving the stream after as many events as `most` says, whatever is on its way.
   */
  const follow = async (
    who: Person,
    most: (cuts: number) => number,
    heard: (event: Heard) => Promise<unknown> | void = () => {},
  ) => {
    const replica = new Replica();
    let cuts = 0;
    for (; replica.numbers.length + replica.strangers.length < MESSAGES; cuts++) {
      const stream = line.stream(who, replica.numbers.at(-1) ?? 0);
      let left = most(cuts);
      for await (const event of stream) {
        replica.hear(event);
        await heard(event);
        if (--left === 0 || replica.numbers.length >= MESSAGES) break;
      }
    }
    return { replica, cuts };
  };
  const uneven = (cuts: number): number => 1 + ((cuts * 7_919) % (2 * (MESSAGES / DISCONNECTIONS) - 20));
  const acknowledge = ({ data }: Heard) =>
    data.sequence % TOGETHER === 0
      ? as(at, acknowledges)("POST", `/api/messages/${data.id}/acknowledge`, { cumulative: true })
      : undefined;
  const [whole, parts, taken] = await Promise.all([
    follow(stays, () => Infinity),
    follow(cutOff, uneven),
    follow(acknowledges, uneven, async (event) => {
      await acknowledge(event);
    }),
    publishing,
  ]);

  expect(Math.min(parts.cuts, taken.cuts)).toBeGreaterThanOrEqual(DISCONNECTIONS);
  expect(whole.cuts).toBe(1);
  const shown = await line.shown(acknowledges);
  expect(shown).toMatchObject({
    sequence: MESSAGES,
    mine: { acknowledgedThrough: MESSAGES, waiting: 0, deadLetters: 0 },
  });
  for (const { replica } of [whole, parts, taken]) {
    expect(replica.strangers).toEqual([]);
    expect(replica.numbers).toEqual(Array.from({ length: MESSAGES }, (_, n) => n + 1));
    expect(replica.digest).toBe(shown.digest);
  }
  expect((await as(at, stays)("GET", "/api/messages/stats")).body.data).toMatchObject({
    published: MESSAGES,
    byType: { "test.message.sent": MESSAGES },
  });
}, 300_000);
