import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { digestAfter, ORIGIN } from "../../services/picture/messages/messages.ts";
import { eventually } from "../mesh.ts";
import { FeedServer, rss, stories } from "../news/feed-server.ts";
import { itOnStage, Nodes, startStage, type Reply, type Stage } from "../nodes.ts";
import { Dice } from "../simulation.ts";
import { Member, strike } from "./adversary.ts";

// What the other stories of outages bring about one by one, here in an order that a seed decides, under writers who
// only ever do what a careful client does: repeat under the same Idempotency-Key, write with If-Match, read what a lost
// answer left behind. Two nodes of each area, each side with a fate of its own, so that both may be struck at once.
// `CHAOS_SECONDS=600 SEED=7` makes a longer run, or another.

const SECONDS = Number(process.env["CHAOS_SECONDS"] ?? 40);
const SEED = Number(process.env["SEED"] ?? 1);
const WRITERS = 3;
const FEEDS = 3;
const MOST_ITEMS = 60;
const AREAS = ["gateway", "news", "identity,workspace,picture,platform"];
/** A repetition waits for a run that died until that is given up (a minute), and a lease or two. */
const PATIENCE_MS = 150_000;
const ANSWER_MS = 20_000;

let stage: Stage;
let nodes: Nodes;
let members: Member[] = [];
let publisher: FeedServer;
let hooks: Server;
/** Of each briefing that the receiver was told of, the webhook ids it came under. */
const hooked = new Map<number, Set<string>>();
const dice = new Dice(SEED);
let told: string[] = [];
/** What a client can make nothing of, with the moment it happened. */
const surprises: string[] = [];

async function receiver(): Promise<string> {
  hooks = createServer((req, res) => {
    let text = "";
    req
      .setEncoding("utf8")
      .on("data", (chunk: string) => {
        text += chunk;
      })
      .on("end", () => {
        const {
          data: { id },
        } = JSON.parse(text) as { data: { id: number } };
        hooked.set(id, (hooked.get(id) ?? new Set()).add(String(req.headers["webhook-id"])));
        res.end();
      });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => hooks.once("listening", resolve));
  return `http://127.0.0.1:${(hooks.address() as AddressInfo).port}/hook`;
}

beforeAll(async () => {
  stage = await startStage();
  publisher = await FeedServer.start("127.0.9.1");
  nodes = new Nodes(stage, { WEBHOOK_URL: await receiver(), WEBHOOK_SECRET: "a-secret-for-hooks" });
  members = [...AREAS, ...AREAS].map((areas) => new Member(stage, nodes, areas));
  await Promise.all(members.map((member) => member.start()));
  for (const { areas, node } of members)
    if (areas === "gateway") await nodes.knows(["/api/sources", "/api/problem-sets/me", "/api/messages/stats"], node);
}, 180_000);
afterAll(async () => {
  await Promise.all(members.map((member) => member.stop()));
  if (process.env["SHOW_LOG"])
    process.stderr.write([...told.sort(), ...members.map(({ node }) => `${node.id}:\n${node.log}`)].join("\n"));
  hooks?.closeAllConnections();
  hooks?.close();
  await publisher?.stop();
  await stage?.redis.stop();
}, 60_000);

interface Given {
  body?: unknown;
  headers?: Record<string, string>;
}
const NO_ANSWER: Reply = { status: 0, headers: new Headers(), body: undefined };

/** One try at one of the gateways; status 0 where no answer came. */
async function ask(method: string, path: string, given: Given = {}): Promise<Reply> {
  const there = members.filter(({ areas, isThere }) => areas === "gateway" && isThere);
  if (!there.length) return NO_ANSWER;
  const answer = nodes.http(method, `/api${path}`, { ...given, at: dice.pick(there).node });
  const reply =
    (await Promise.race([answer, pause(ANSWER_MS, undefined, { ref: false })]).catch(() => undefined)) ?? NO_ANSWER;
  const isPolite =
    [503, 504, 412].includes(reply.status) ||
    (reply.status === 409 && reply.body?.error?.code === "CONFLICT" && given.headers?.["idempotency-key"]);
  if (reply.status >= 400 && !isPolite)
    surprises.push(`${new Date().toISOString()} ${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply;
}

/** Until it is answered with what it wants. Throws when that takes longer than any outage here explains. */
async function insist(method: string, path: string, given: Given = {}): Promise<Reply> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const reply = await ask(method, path, given);
    if (reply.status >= 200 && reply.status < 300) return reply;
    if (surprises.length || performance.now() > until)
      throw new Error(surprises.join("\n") || `${method} ${path}: still ${reply.status} ${JSON.stringify(reply.body)}`);
    await pause(200 + dice.below(300));
  }
}
const post = async (path: string, body: unknown, key: string): Promise<any> =>
  (await insist("POST", path, { body, headers: { "idempotency-key": key } })).body.data;

/** A problem set as its writer knows it. */
interface Known {
  id: string;
  name: string;
  description: string;
  changes: number;
  gates: number;
}

/** Opens problem sets, changes them and has gates put up in them; remembers what was acknowledged. */
async function writing(writer: number, ends: () => boolean): Promise<Known[]> {
  const mine: Known[] = [];
  for (let n = 0; !ends(); n++) {
    const name = `chaos-${writer}.${n}`;
    const { id } = await post("/problem-sets", { name, description: "0" }, `${name}:set`);
    const known: Known = { id, name, description: "0", changes: 0, gates: 0 };
    mine.push(known);
    for (const description of ["1", "2"]) await describeAs(known, description);
    const gate = await post("/gates", { problemSetId: id, tab: "orders", name: `Gate of ${name}` }, `${name}:gate`);
    await post(`/gates/${gate.id}/submit`, {}, `${name}:submit`);
    known.gates++;
  }
  return mine;
}

/**
 * A change is made exactly once though its answer may be lost: on the revision that was read, after a look at what is
 * there.
 */
async function describeAs(known: Known, description: string): Promise<void> {
  for (;;) {
    const { body, headers } = await insist("GET", `/problem-sets/${known.id}`);
    if (body.data.description === description) break;
    if (body.data.description !== known.description)
      throw new Error(
        `${known.name} says "${body.data.description}", where "${known.description}" was acknowledged and "${description}" asked for.`,
      );
    const { status } = await ask("PATCH", `/problem-sets/${known.id}`, {
      body: { description },
      headers: { "if-match": headers.get("etag")! },
    });
    if (status === 200) break;
    await pause(200);
  }
  known.description = description;
  known.changes++;
}

interface Sent {
  id: string;
  sequence: number;
  payload: { of: string };
}

/** Publishes to one channel, as the others do; answers what was acknowledged. */
async function sending(sender: number, ends: () => boolean): Promise<Sent[]> {
  const sent: Sent[] = [];
  for (let n = 0; !ends(); n++) {
    const of = `${sender}.${n}`;
    sent.push(
      await post(
        "/messages",
        { channel: "chaos", type: "test.order.given", dedupeId: of, payload: { of } },
        `message-${of}`,
      ),
    );
    await pause(50);
  }
  return sent;
}

/** Brings more and more items, and has the feeds read now and then; answers the titles of all. */
async function publishing(ends: () => boolean): Promise<string[]> {
  const feeds = await Promise.all(
    Array.from({ length: FEEDS }, async (_, at) => {
      const feed = { name: `wire${at}`, count: 5, id: 0 };
      const url = publisher.on(
        `/${feed.name}`,
        (_req, res) =>
          void res.writeHead(200, { "content-type": "application/rss+xml" }).end(rss(stories(feed.name, feed.count))),
      );
      feed.id = (await post("/sources", { name: feed.name, url, domain: "science" }, feed.name)).id;
      return feed;
    }),
  );
  while (!ends()) {
    const feed = dice.pick(feeds);
    feed.count = Math.min(MOST_ITEMS, feed.count + 1 + dice.below(5));
    await ask("POST", `/sources/${feed.id}/refresh`);
    await pause(500);
  }
  for (const { id } of feeds) await insist("POST", `/sources/${id}/refresh`);
  return feeds.flatMap(({ name, count }) => stories(name, count).map(({ title }) => title!));
}

/** Orders a briefing every few seconds; answers their ids. */
async function briefing(ends: () => boolean): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; !ends(); n++) {
    ids.push((await post("/briefings/generate", { hours: 24 }, `briefing-${n}`)).id);
    await pause(4_000);
  }
  return ids;
}

/** All of a list, by cursor or page. */
async function everything(path: string, by: "cursor" | "page"): Promise<any[]> {
  const all: any[] = [];
  for (let next: string | number | null | undefined = by === "page" ? 1 : ""; next !== null && next !== undefined;) {
    const { body } = await insist("GET", `${path}?limit=100${next === "" ? "" : `&${by}=${encodeURIComponent(next)}`}`);
    all.push(...body.data);
    next =
      by === "cursor" ? body.meta.next : body.data.length && all.length < body.meta.total ? Number(next) + 1 : null;
  }
  return all;
}
const named = (all: readonly { name: string }[]): string[] => all.map(({ name }) => name).sort();

itOnStage(
  "whatever goes wrong in whatever order, what was acknowledged is there, once, and every answer is one that a client can act on",
  async () => {
    const until = performance.now() + 1_000 * SECONDS,
      ends = (): boolean => performance.now() > until;
    const striking = Promise.all(
      [members.slice(0, AREAS.length), members.slice(AREAS.length)].map((side, at) =>
        strike(stage, side, 2 * SEED + at, ends),
      ),
    );
    const writers = Array.from({ length: WRITERS }, (_, writer) => writer);
    const [sets, sent, titles, briefings] = await Promise.all([
      Promise.all(writers.map((writer) => writing(writer, ends))).then((all) => all.flat()),
      Promise.all(writers.map((writer) => sending(writer, ends))).then((all) => all.flat()),
      publishing(ends),
      briefing(ends),
    ]);
    told = (await striking).flat();
    process.stderr.write(
      `seed ${SEED}, ${SECONDS} s: ${told.length} faults, ${sets.length} problem sets, ${sent.length} messages, ${titles.length} articles, ${briefings.length} briefings\n`,
    );
    expect(surprises).toEqual([]);

    expect(named(await everything("/problem-sets/me", "page"))).toEqual(named(sets));
    for (const { id, description, changes, gates } of sets) {
      expect((await insist("GET", `/problem-sets/${id}`)).body.data).toMatchObject({ description });
      const wanted: Record<string, number> = {
        "problem-set.created": 1,
        "problem-set.changed": changes,
        "gate.created": gates,
        "gate.submitted": gates,
      };
      const counted = (items: readonly { kind: string }[]) =>
        Object.fromEntries(
          Object.keys(wanted).map((kind) => [kind, items.filter((item) => item.kind === kind).length]),
        );
      const isMissing = (counts: Record<string, number>): boolean =>
        Object.keys(wanted).some((kind) => counts[kind]! < wanted[kind]!);
      expect(
        await eventually(
          async () => counted(await everything(`/problem-sets/${id}/activity`, "cursor")),
          (counts) => !isMissing(counts),
          60_000,
        ),
      ).toEqual(wanted);
    }

    const heard = (await everything("/messages", "cursor")).sort((one, other) => one.sequence - other.sequence);
    const brief = (all: readonly Sent[]) =>
      all.map(({ id, sequence, payload: { of } }) => `${sequence} ${of} ${id}`).sort();
    expect(brief(heard)).toEqual(brief(sent));
    expect(heard.map(({ sequence }) => sequence)).toEqual(heard.map((_, at) => at + 1));
    const [channel] = (await insist("GET", "/messages/channels?channel=chaos")).body.data;
    expect(heard.reduce((digest, message) => digestAfter(digest, message, message.payload), ORIGIN)).toBe(
      channel.digest,
    );

    const found = async (): Promise<string[]> =>
      (await everything("/articles", "page")).map(({ title }: { title: string }) => title).sort();
    await eventually(found, (all) => all.length >= titles.length, 90_000);
    expect(await found()).toEqual(titles.sort());

    const ended = () => everything("/briefings", "page");
    await eventually(ended, (all) => all.every(({ status }: { status: string }) => status !== "generating"), 120_000);
    const completed = (await ended())
      .filter(({ status }: { status: string }) => status === "completed")
      .map(({ id }: { id: number }) => id);
    expect((await ended()).map(({ id }: { id: number }) => id).sort()).toEqual([...briefings].sort());
    expect(completed.length).toBeGreaterThan(0);
    await eventually(
      () => [...hooked.keys()].length,
      (count) => count >= completed.length,
      90_000,
    );
    expect([...hooked].map(([id, ids]) => [id, ids.size]).sort()).toEqual(completed.map((id) => [id, 1]).sort());

    expect((await insist("GET", "/audit/verify")).body.data).toMatchObject({ ok: true });
  },
  300_000 + 4 * 1_000 * SECONDS + 2 * PATIENCE_MS,
);
