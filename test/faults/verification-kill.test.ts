import { rm } from "node:fs/promises";
import { modelStandIn, type Received, type StandIn } from "../../adapters/llm/stand-in.ts";
import { eventually, world } from "../mesh.ts";
import { HOUR_MS, sameStores } from "../news/articles/articles-setup.ts";
import { AGREES, DENIES, question, replies, REPORT, tell } from "../news/verification/verification-setup.ts";
import { signIn, startNode, type NodeProcess } from "../process.ts";

const slowly = (ms: number) => (request: Received) => ({ kind: "slow" as const, ms, before: replies(request) });
const asksOf = ({ received }: StandIn) =>
  [...Map.groupBy(received.map(question), (one) => one).values()].map((same) => same.length);

it("kill -9 in the middle: the next start goes on, and pays nothing again that was answered", async () => {
  const model = await modelStandIn(slowly(5_000));
  const seed = await world();
  // The oldest: the batch takes the other two.
  const report = await tell(seed, 1, 1, REPORT, {
    publishedAt: new Date(seed.clock.now() - 5 * HOUR_MS).toISOString(),
  });
  const others = [await tell(seed, 3, 3, AGREES), await tell(seed, 4, 4, DENIES)];
  await seed.stop({ keep: true });
  const settings = {
    ...sameStores(seed),
    SECRET: seed.env.SECRET!,
    NAMESPACE: seed.env.NAMESPACE,
    ...(seed.env.ELASTICSEARCH_URL && { ELASTICSEARCH_URL: seed.env.ELASTICSEARCH_URL }),
    LLM_BASE_URL: model.baseUrl,
    LLM_MODEL: "stand-in-1",
    REQUEST_TIMEOUT_MS: "6000",
  };
  let node: NodeProcess = await startNode(settings);
  try {
    let token = await signIn(node.url);
    const ask = async (method: string, path: string) => {
      const answer = await fetch(`${node.url}/api/verification${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
      });
      return { status: answer.status, data: ((await answer.json()) as { data: any }).data };
    };
    const [deep, batch] = await Promise.all([ask("POST", `/deep/${report}`), ask("POST", "/bias/batch?limit=2")]);
    expect([deep.status, batch.status]).toEqual([202, 202]);
    await eventually(
      async () =>
        (await Promise.all([deep, batch].map(({ data }) => ask("GET", `/jobs/${data.job}`)))).map(
          ({ data }) => data.cost.llmCalls,
        ),
      ([first, second]) => first! >= 1 && second! >= 1,
    );
    await node.kill();
    const answered = model.received.length;

    node = await startNode(settings);
    token = await signIn(node.url);
    const [verified, analysed] = await Promise.all(
      [deep, batch].map(({ data }) =>
        eventually(
          () => ask("GET", `/jobs/${data.job}`),
          (now) => now.data.status === "completed",
          60_000,
        ),
      ),
    );
    expect(verified!.data).toMatchObject({
      attempts: 2,
      done: 5,
      total: 5,
      result: { contentId: report, method: "llm" },
    });
    expect(analysed!.data).toMatchObject({
      attempts: 2,
      result: { processed: 2, succeeded: 2, failed: 0, more: true },
    });
    expect(analysed!.data.result.results.map(({ contentId }: { contentId: number }) => contentId).toSorted()).toEqual(
      others.toSorted(),
    );
    // The questions on the wire at the kill, one of each job at the most, have no answer that could be kept.
    const asks = asksOf(model);
    expect(model.received.length).toBeGreaterThan(answered);
    expect(asks.reduce((twice, times) => twice + times - 1, 0)).toBeLessThanOrEqual(2);
    expect(verified!.data.cost.llmCalls + analysed!.data.cost.llmCalls).toBe(asks.length);
  } finally {
    await node.stop();
    await model.close();
    await rm(seed.dataDir, { recursive: true, force: true });
  }
}, 180_000);

const PLACES = [
  "Arden",
  "Belmora",
  "Castrel",
  "Dunmark",
  "Eskova",
  "Farrow",
  "Galdin",
  "Hestia",
  "Ilverton",
  "Joravia",
];
const telling = (place: string, by: number) =>
  [
    `The ${place} refinery employed ${1_100 + 317 * PLACES.indexOf(place)} workers in March, the labour ministry said.`,
    `In March the ${place} refinery employed ${1_100 + 317 * PLACES.indexOf(place)} workers, the statistics office said.`,
    `The ${place} refinery employed ${40 + PLACES.indexOf(place)} workers in March, a union count showed.`,
  ][by - 1]!;

it("kill -9 between two pieces of a batch, or in one: each article is verified once, and counts once", async () => {
  const seed = await world();
  const told = await Promise.all(
    PLACES.flatMap((place) => [1, 2, 3].map((by) => tell(seed, by, PLACES.indexOf(place), telling(place, by)))),
  );
  await seed.stop({ keep: true });
  const settings = {
    ...sameStores(seed),
    SECRET: seed.env.SECRET!,
    NAMESPACE: seed.env.NAMESPACE,
    ...(seed.env.ELASTICSEARCH_URL && { ELASTICSEARCH_URL: seed.env.ELASTICSEARCH_URL }),
  };
  let node: NodeProcess = await startNode(settings);
  try {
    let token = await signIn(node.url);
    const ask = async (method: string, path: string) => {
      const answer = await fetch(`${node.url}/api${path}`, { method, headers: { authorization: `Bearer ${token}` } });
      return ((await answer.json()) as { data: any }).data;
    };
    const asked = ask("POST", "/verification/cross-reference/batch?limit=50").catch(() => {});
    const [begun] = await eventually(
      () => ask("GET", "/jobs?kind=verification.batch"),
      ([job]) => job?.done >= 10,
      60_000,
    );
    await node.kill();
    await asked;
    node = await startNode(settings);
    token = await signIn(node.url);
    const { result } = await eventually(
      () => ask("GET", `/verification/jobs/${begun.id}`),
      ({ status }) => status === "completed",
      60_000,
    );
    expect(result).toMatchObject({ processed: told.length, succeeded: told.length, failed: 0, more: false });
    expect(result.results.map(({ contentId }: { contentId: number }) => contentId).toSorted()).toEqual(told.toSorted());
    const found = await Promise.all(told.map((id) => ask("GET", `/verification/claims/${id}`)));
    const outcomes = found.flatMap(({ claims }, n) => claims.map(({ status }: any) => ({ by: 1 + (n % 3), status })));
    expect(new Set(found.flatMap(({ claims }) => claims.map(({ text }: any) => text))).size).toBe(outcomes.length);
    for (const by of [1, 2, 3]) {
      const count = (wanted: string) => outcomes.filter((one) => one.by === by && one.status === wanted).length;
      const record = await ask("GET", `/verification/sources/${by}/reliability`);
      expect(record).toMatchObject({
        corroborated: count("corroborated"),
        contradicted: count("contradicted"),
      });
    }
    const { score } = (await ask("GET", `/articles/${told[0]}`)).verification;
    expect(100 * score).toBeCloseTo((await ask("GET", `/verification/trail/${told[0]}`)).finalConfidenceScore, 6);
  } finally {
    await node.stop();
    await rm(seed.dataDir, { recursive: true, force: true });
  }
}, 180_000);
