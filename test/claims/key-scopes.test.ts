import { published, type PublishedEndpoint } from "../../core/contract/catalogue.ts";
import { commonsOf } from "../../mixins/domain.mixin.ts";
import { inFlight } from "../in-flight.ts";
import { world, type TestWorld } from "../mesh.ts";
import { articlesOf, item, source } from "../news/articles/articles-setup.ts";

// Claim 10 for keys: a key confined to domains reads nothing of another. Canaries are planted in every domain of the
// news, and everything that can be read is read with each key.

const NOUNS = ["sources", "lists", "articles", "search", "briefings", "verification", "escrow"] as const;
type Noun = (typeof NOUNS)[number];
const CANARY = { source: "canary-of-the-sources", list: "canary-of-the-lists", article: "canaryofthearticles" };
/** Where a canary may be seen: what is made of articles shows articles and who wrote them. */
const SEEN: Record<keyof typeof CANARY, readonly Noun[]> = {
  source: ["sources", "lists", "articles", "search", "verification", "briefings"],
  list: ["sources", "lists"],
  article: ["articles", "search", "verification", "briefings"],
};

let at: TestWorld;
let reads: PublishedEndpoint[];
const ids: Record<string, string> = {};

beforeAll(async () => {
  at = await world();
  reads = commonsOf(at.mesh.broker)
    .services.flatMap((service) => [...published(service)])
    .filter(({ method }) => method === "GET");
  const made = (
    await at.http("POST", "/api/sources", {
      body: { name: CANARY.source, url: "http://127.0.0.1:9/feed.xml", domain: "energy" },
    })
  ).body.data.id;
  const list = (await at.http("POST", "/api/sources/lists", { body: { name: CANARY.list, sourceIds: [made] } })).body
    .data.id;
  const text = `The ministry said on Monday that ${CANARY.article} employed 1417 workers in 2025.`;
  await articlesOf(at).store(source(made, { name: CANARY.source }), [
    item(1, { title: CANARY.article, text, html: `<p>${text}</p>` }),
  ]);
  const [article] = await articlesOf(at).whole();
  const { claims } = (await at.http("POST", `/api/verification/verify-claims/${article!.id}`)).body.data;
  await at.http("POST", `/api/verification/deep/${article!.id}`);
  const briefing = (await at.http("POST", "/api/briefings/generate", { body: {} })).body.data.id;
  Object.assign(ids, {
    contentId: article!.id,
    claimId: claims[0].id,
    sourceId: made,
    list,
    article: article!.id,
    briefing,
    source: made,
  });
});
afterAll(() => at.stop());

const idOf = (path: string, name: string): string =>
  String(
    name !== "id"
      ? (ids[name] ?? "1")
      : path.includes("/lists/")
        ? ids["list"]
        : path.includes("/articles/")
          ? ids["article"]
          : path.includes("/briefings/")
            ? ids["briefing"]
            : ids["source"],
  );
const addressOf = ({ path, contract }: PublishedEndpoint): string => {
  const filled = path.replace(/:(\w+)/g, (_whole, name: string) =>
    name === "domain" ? "energy" : encodeURIComponent(idOf(path, name)),
  );
  return contract.query && "q" in contract.query ? `${filled}?q=${CANARY.article}` : filled;
};

async function readAll(headers: Record<string, string>): Promise<Map<string, { status: number; text: string }>> {
  const said = new Map<string, { status: number; text: string }>();
  await inFlight(reads, async (read) => {
    const answer = await fetch(at.url + addressOf(read), { headers, redirect: "manual" });
    said.set(`${read.action} ${read.contract.permit}`, { status: answer.status, text: await answer.text() });
  });
  return said;
}

it("an unconfined reader sees every canary, so that not seeing one means something", async () => {
  const said = [...(await readAll({ authorization: `Bearer ${await at.tokenOf("system_admin")}` })).values()]
    .map(({ text }) => text)
    .join("\n");
  for (const canary of Object.values(CANARY)) expect(said).toContain(canary);
}, 120_000);

it.each(NOUNS)(
  "a key confined to %s reads nothing of another domain",
  async (noun) => {
    const made = await at.http("POST", "/api/keys", { as: "analyst", body: { name: noun, scopes: ["read", noun] } });
    if (made.status !== 201) throw new Error(`no key: ${made.text}`);
    const { key } = made.body.data;
    const leaks: string[] = [];
    for (const [read, { status, text }] of await readAll({ "x-api-key": key })) {
      const permit = read.split(" ")[1]!;
      const open = permit === "public" || permit === "self" || permit === "signed-in" || permit.startsWith(`${noun}:`);
      if (!open && status !== 403) leaks.push(`${read} answered ${status}`);
      for (const [name, canary] of Object.entries(CANARY)) {
        if (text.includes(canary) && !SEEN[name as keyof typeof CANARY].includes(noun))
          leaks.push(`${read} shows the canary of ${name}`);
        if (text.includes(canary) && (permit === "public" || permit === "self" || permit === "signed-in"))
          leaks.push(`${read} shows a canary to anybody`);
      }
      if (text.includes(key)) leaks.push(`${read} shows the key`);
    }
    expect(leaks).toEqual([]);
  },
  120_000,
);
