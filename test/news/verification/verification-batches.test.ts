import { asSystem } from "../../../core/access/caller.ts";
import { contentsOf, type Content } from "../../../services/news/articles/client.ts";
import { Claim } from "../../../services/news/verification/claims/claim.ts";
import { extract } from "../../../services/news/verification/claims/extraction.ts";
import { settle } from "../../../services/news/verification/claims/settlement.ts";
import { recordOf } from "../../../services/news/verification/content.ts";
import type { Verifier } from "../../../services/news/verification/host.ts";
import { appraisePatterns } from "../../../services/news/verification/model/appraisal.ts";
import { spending } from "../../../services/news/verification/model/spending.ts";
import { checkAll } from "../../../services/news/verification/references/corroboration.ts";
import { Piece } from "../../../services/news/verification/work/piece.ts";
import { itInside, TestClock, world, type TestWorld } from "../../mesh.ts";
import { articlesOf, HOUR_MS, item, source } from "../articles/articles-setup.ts";

const PLACES = ["Arden", "Belmora", "Castrel", "Dunmark", "Eskova", "Farrow", "Galdin", "Hestia"];
const THINGS = ["refinery", "shipyard", "hospital", "university", "airport", "brewery", "mine", "harbour"];
const worker = (n: number) => 1_100 + 317 * n;
/** Two outlets tell of each place, and a third has another figure of every other one. */
const TELLINGS = PLACES.flatMap((place, n) => [
  { by: 1, text: `The ${place} ${THINGS[n]} employed ${worker(n)} workers in March, the labour ministry said.` },
  { by: 2, text: `In March the ${place} ${THINGS[n]} employed ${worker(n)} workers, the statistics office said.` },
  ...(n % 2 ? [] : [{ by: 3, text: `The ${place} ${THINGS[n]} employed ${40 + n} workers in March, a union said.` }]),
]);
const caller = asSystem("verification");

/** Confidence has the age of an article in it, to the minute. */
class StillClock extends TestClock {
  override readonly stands = true;
  override now(): number {
    return Date.parse("2026-04-02T12:00:00Z");
  }
}

/** A world with all tellings, an hour apart, the newest last. */
async function told(): Promise<TestWorld> {
  const clock = new StillClock();
  const node = await world({}, { clock });
  const articles = articlesOf(node);
  for (const [n, { by, text }] of TELLINGS.entries())
    await articles.store(source(by), [
      item(n, {
        title: `Report ${n}`,
        text,
        html: `<p>${text}</p>`,
        publishedAt: new Date(clock.now() - (TELLINGS.length - n) * HOUR_MS).toISOString(),
      }),
    ]);
  while ((await articles.call<{ waiting: number }>("waiting")).waiting > 0) await new Promise(setImmediate);
  return node;
}

/** What readers are shown of all articles and sources, the moments left out. */
async function shown(node: TestWorld) {
  const get = async (path: string) => (await node.http("GET", `/api${path}`)).body.data;
  const articles = await articlesOf(node).whole();
  const timeless = (value: unknown) =>
    JSON.parse(JSON.stringify(value), (key, one) => (/(?:At|Id|^at|^id|asOf|since)$/.test(key) ? undefined : one));
  return timeless(
    await Promise.all([
      ...articles
        .toSorted((a, b) => (a.text < b.text ? -1 : 1))
        .map(async ({ id, text, confidence }) => ({
          text,
          confidence,
          claims: (await get(`/verification/claims/${id}`)).claims,
          steps: (await get(`/verification/trail/${id}`)).steps,
          sources: (await get(`/verification/summary/${id}`)).sources,
        })),
      ...[1, 2, 3].map((id) => get(`/verification/sources/${id}/reliability`)),
    ]),
  );
}

let node: TestWorld;
let host: Verifier;
const of = async (n: number): Promise<Content> => {
  const { id } = (await articlesOf(node).whole()).find(({ text }) => text === TELLINGS[n]!.text)!;
  return (await contentsOf(host, [id]))[0]!;
};
beforeAll(async () => {
  node = await told();
  host = node.service("verification") as unknown as Verifier;
});
afterAll(() => node.stop());

it("a batch finds what each article by itself would have found, one after the other", async () => {
  const other = await told();
  try {
    const batch = await other.http("POST", "/api/verification/cross-reference/batch?limit=50");
    expect(batch.body.data).toMatchObject({ processed: TELLINGS.length, succeeded: TELLINGS.length, more: false });
    const inOrder = (await articlesOf(node).whole()).toSorted((a, b) => (a.publishedAt > b.publishedAt ? -1 : 1));
    for (const { id } of inOrder)
      expect((await node.http("POST", `/api/verification/cross-reference/content/${id}`)).status).toBe(200);
    const found = await shown(other);
    expect(found).toEqual(await shown(node));
    const claims = found.flatMap(({ claims = [] }: { claims?: { status: string }[] }) => claims);
    expect(new Set(claims.map(({ status }: { status: string }) => status)).size).toBeGreaterThan(1);
  } finally {
    await other.stop();
  }
});

itInside("what is found in a piece is there for its own articles at once, and for others once it is kept", async () => {
  const content = await of(0);
  const piece = await Piece.open(host, [content]);
  await settle(piece.host, caller, content, await appraisePatterns(piece.host, caller, content), {
    tells: true,
    compares: false,
  });
  expect(await recordOf(piece.host, content)).toHaveProperty("heuristic");
  expect(await recordOf(host, content)).not.toHaveProperty("heuristic");
  const before = (await articlesOf(node).whole()).find(({ id }) => id === content.id)!;
  expect(await piece.keep()).toEqual(new Set());
  const record = await recordOf(host, content);
  expect(record).toHaveProperty("heuristic");
  const after = (await articlesOf(node).whole()).find(({ id }) => id === content.id)!;
  expect(after.assessment!.score).toBeCloseTo(record!.score! / 100, 6);
  expect(after.rev).toBeGreaterThan(before.rev);
});

itInside("an article that somebody else verified meanwhile is named, and left as they made it", async () => {
  const [first, second] = await Promise.all([of(1), of(4)]);
  const piece = await Piece.open(host, [first, second]);
  for (const content of [first, second])
    await settle(piece.host, caller, content, await appraisePatterns(piece.host, caller, content), {
      tells: true,
      compares: false,
    });
  expect((await node.http("POST", `/api/verification/bias/${first.id}`)).status).toBe(200);
  const theirs = await recordOf(host, first);
  expect(await piece.keep()).toEqual(new Set([first.id]));
  expect(await recordOf(host, first)).toEqual(theirs);
  expect(await recordOf(host, second)).toHaveProperty("heuristic");
});

itInside("a source's record counts what a piece found and what others found meanwhile", async () => {
  const alone = await told();
  try {
    const verifier = alone.service("verification") as unknown as Verifier;
    const own = (await articlesOf(alone).whole()).filter(
      ({ sourceId, text }) => sourceId === 1 && /Belmora|Dunmark/.test(text),
    );
    const [first, second] = await contentsOf(
      verifier,
      own.map(({ id }) => id),
    );
    const piece = await Piece.open(verifier, [first!]);
    const spent = spending(verifier);
    const { claims } = await extract(piece.host, caller, first!, spent);
    await checkAll(piece.host, caller, first!, claims, null, spent);
    await alone.http("POST", `/api/verification/cross-reference/content/${second!.id}`);
    await piece.keep();
    const { collection } = verifier.store(Claim);
    const count = (status: string) => collection.count({ query: { sourceId: 1, status } });
    const { data } = (await alone.http("GET", "/api/verification/sources/1/reliability")).body;
    const [corroborated, contradicted] = await Promise.all([count("corroborated"), count("contradicted")]);
    expect(data).toMatchObject({ corroborated, contradicted });
    expect(corroborated + contradicted).toBe(2);
  } finally {
    await alone.stop();
  }
});
