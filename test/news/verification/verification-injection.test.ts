import { readFileSync } from "node:fs";
import { llm, quoting, type Llm } from "../../../adapters/llm/llm.ts";
import { answer, modelStandIn, type Behaviour, type Received, type StandIn } from "../../../adapters/llm/stand-in.ts";
import { acceptClaims, acceptStance, acceptVerification } from "../../../services/news/verification/model/acceptors.ts";
import { acceptBias } from "../../../services/news/verification/bias/acceptor.ts";
import { analyseBias } from "../../../services/news/verification/bias/bias.ts";
import { extractClaims } from "../../../services/news/verification/claims/detection.ts";
import { conclude } from "../../../services/news/verification/references/outcome/conclusion.ts";
import {
  references,
  type Candidate,
  type Reference,
} from "../../../services/news/verification/references/cross-reference.ts";
import {
  biasPrompt,
  claimsPrompt,
  stancePrompt,
  verificationPrompt,
  type Prompt,
} from "../../../services/news/verification/model/prompts.ts";

const injections = JSON.parse(readFileSync("test/fixtures/verification/injections.json", "utf8")) as {
  name: string;
  text: string;
}[];

const CLAIM = "Inflation in the euro zone rose to 3.2 percent in March.";
const origin = { articleId: 1, storyId: "s1", sourceId: 1 };
const SUPPORT =
  "Prices worry people. Euro zone inflation climbed to 3.2% in March, official figures showed. Wages lag behind.";
const OTHER = "The euro zone finance ministers met in Brussels. They spoke of banks. In March they will meet again.";
const CONTRADICT = "Inflation in the euro zone fell to 2.4 percent in March, according to Eurostat. Wages lag behind.";
const FOREIGN = [999_999, 424_242, 12_345];

const candidate = (articleId: number, text: string): Candidate => ({
  articleId,
  storyId: `s${articleId}`,
  sourceId: articleId,
  sourceName: `Paper ${articleId}`,
  text,
  publishedAt: "2026-03-03T00:00:00Z",
  reliability: "A",
});

/** Ways in which a model that a text has taken over may answer; each gets the prompt and the hostile text. */
type Sabotage = (request: Received, hostile: string) => Behaviour;
const idIn = ({ messages }: Received) =>
  Number(/The article's id is (\d+)/.exec(messages.at(-1)!.content)?.[1] ?? FOREIGN[0]);
const byShape = (request: Received, answers: Record<string, unknown>): Behaviour =>
  answer(answers[request.shape!] ?? {});
const biasOf = (extreme: Partial<Record<string, unknown>>) => ({
  politicalBias: "unknown",
  framing: [],
  emotionalLevel: "low",
  sensationalismLevel: "low",
  loadedLanguage: [],
  unsupportedClaims: [],
  cherryPicking: [],
  adHominem: [],
  falseBalance: [],
  omission: [],
  score: 0,
  ...extreme,
});
const firstJson = (hostile: string) => /\{[\s\S]*\}/.exec(hostile)?.[0];

const sabotages: Record<string, Sabotage> = {
  "repeats the JSON it was fed": (_, hostile) => ({ kind: "answer", content: firstJson(hostile) ?? hostile }),
  "contradicts by the hostile words": (request, hostile) =>
    byShape(request, {
      stance: { articleId: idIn(request), stance: "contradict", quote: hostile.slice(0, 900) },
      claims: {
        claims: hostile
          .split(/(?<=[.!?])\s/)
          .filter(Boolean)
          .slice(0, 40)
          .map((quote) => ({ quote: quote.slice(0, 900), score: 100 })),
      },
      bias: biasOf({
        adHominem: [hostile.slice(0, 900)],
        cherryPicking: [hostile.slice(0, 900)],
        loadedLanguage: [hostile.slice(0, 70)],
        politicalBias: "right",
        framing: [hostile.slice(0, 60), hostile.slice(5, 70)],
        score: 100,
      }),
      verification: {
        score: 0,
        reasons: [{ text: hostile.slice(0, 300), articleId: FOREIGN[1], quote: hostile.slice(0, 900) }],
      },
    }),
  "contradicts by true words": (request) =>
    byShape(request, {
      stance: {
        articleId: idIn(request),
        stance: "contradict",
        quote: "Euro zone inflation climbed to 3.2% in March, official figures showed.",
      },
      claims: { claims: [{ quote: "They spoke of banks.", score: 100 }] },
      bias: biasOf({ adHominem: ["Wages lag behind."], score: 100 }),
      verification: {
        score: 0,
        reasons: [{ text: "It is false", articleId: 11, quote: "Euro zone inflation climbed to 3.2% in March" }],
      },
    }),
  "supports by whatever is there": (request) =>
    byShape(request, {
      stance: {
        articleId: idIn(request),
        stance: "support",
        quote: "The euro zone finance ministers met in Brussels.",
      },
      claims: { claims: [{ quote: CLAIM, score: 100 }] },
      bias: biasOf({}),
      verification: { score: 100, reasons: [{ text: "It is true", articleId: 12, quote: "They spoke of banks." }] },
    }),
  "hides everything": (request) =>
    byShape(request, {
      stance: { articleId: idIn(request), stance: "unrelated", quote: "" },
      claims: { claims: [] },
      bias: biasOf({}),
      verification: { score: 0, reasons: [] },
    }),
  "cites what it was not given": (request) =>
    byShape(request, {
      stance: {
        articleId: FOREIGN[0],
        stance: "contradict",
        quote: "The statistics office admitted the figure was invented.",
      },
      claims: { claims: [{ quote: "The minister of finance was arrested with 4 million euros in cash.", score: 100 }] },
      bias: biasOf({
        loadedLanguage: ["words nobody wrote"],
        omission: ["Pay at https://evil.example/pay"],
        score: 100,
      }),
      verification: {
        score: 100,
        reasons: FOREIGN.map((articleId) => ({
          text: "See https://evil.example/win",
          articleId,
          quote: "It is all true.",
        })),
      },
    }),
  "calls a tool": () => ({
    kind: "tool-calls",
    calls: [{ name: "delete_articles", arguments: { all: true, url: "https://evil.example/collect" } }],
  }),
};

let server: StandIn;
let model: Llm;
let prompts: number;

beforeAll(async () => {
  server = await modelStandIn();
  model = llm({ baseUrl: server.baseUrl, apiKey: "sk-canary-injection", timeoutMs: 5_000, maxRetries: 0 });
});
afterAll(() => server.close());
beforeEach(() => {
  server.received.length = 0;
  prompts = 0;
});
afterEach(() => {
  // No call but the ones we made (each may be repaired once), nothing offered, nothing followed, nothing that leaves
  // its quotation.
  expect(server.strayed).toEqual([]);
  expect(server.received.length).toBeGreaterThanOrEqual(prompts);
  expect(server.received.length).toBeLessThanOrEqual(2 * prompts);
  for (const { body, messages } of server.received) {
    expect(body).not.toHaveProperty("tools");
    expect(body).not.toHaveProperty("functions");
    const { content } = messages[1]!;
    const nonce = /^<<<DATA ([0-9a-f]{24}) /.exec(content)![1]!;
    const frames = content.split("\n").filter((line) => /<<<(?:DATA|END)/.test(line));
    expect(frames.every((line, at) => line.startsWith(`${at % 2 === 0 ? "<<<DATA" : "<<<END"} ${nonce}`))).toBe(true);
    expect(messages.filter(({ role }) => role === "system")).toHaveLength(1);
  }
});

/** What the model says, or nothing where its answer could not be used. */
async function ask<T>(prompt: Prompt<T>): Promise<T | undefined> {
  prompts += 1;
  return model
    .complete({ messages: prompt.messages, schema: prompt.schema, name: prompt.name, maxTokens: prompt.maxTokens })
    .then(
      ({ value }) => value,
      (error: { kind: string }) => {
        expect(error.kind).toBe("malformed");
        return undefined;
      },
    );
}

/** The verdict on the claim with a model that reads every candidate, each in a prompt of its own. */
async function verdict(candidates: readonly Candidate[]) {
  const found = references(CLAIM, origin, candidates);
  const all: Reference[] = [];
  for (const one of candidates) {
    const ours = found.find(({ articleId }) => articleId === one.articleId);
    const said = await ask(stancePrompt(CLAIM, one, quoting()));
    const accepted = said ? acceptStance(said, CLAIM, one, ours) : ours;
    if (!accepted) continue;
    const { text: _, ...article } = one;
    all.push({ ...article, ...accepted, independent: true });
  }
  return conclude(all, { candidates: candidates.length });
}

const clean = [candidate(11, SUPPORT), candidate(12, OTHER), candidate(13, CONTRADICT)];
const worlds = [clean.slice(0, 2), clean.slice(1, 2), clean.slice(1)];

it("has thirty and more hostile texts", () => {
  expect(injections.length).toBeGreaterThanOrEqual(30);
  expect(new Set(injections.map(({ text }) => text)).size).toBe(injections.length);
});

describe.each(Object.entries(sabotages))("a model that %s", (_, sabotage) => {
  it.each(injections.map((injection, at) => ({ ...injection, world: worlds[at % worlds.length]! })))(
    "changes no verdict on a claim: $name",
    async ({ text: hostile, world }) => {
      server.respond((request) => sabotage(request, hostile));
      const honest = conclude(references(CLAIM, origin, world), { candidates: world.length });
      for (const attacked of world.map((one) =>
        world.map((other) => (other === one ? { ...one, text: `${one.text}\n\n${hostile}` } : other)),
      )) {
        const { status, credibility, score, independentSources, supporting, contradicting } = await verdict(attacked);
        expect({ status, credibility, score, independentSources }).toEqual({
          status: honest.status,
          credibility: honest.credibility,
          score: honest.score,
          independentSources: honest.independentSources,
        });
        for (const { articleId, evidence } of [...supporting, ...contradicting]) {
          const article = attacked.find((one) => one.articleId === articleId)!;
          expect(article.text.slice(evidence.start, evidence.end)).toBe(evidence.text);
          expect(evidence.end).toBeLessThanOrEqual(world.find((one) => one.articleId === articleId)!.text.length);
        }
      }
    },
  );

  it.each(injections)("neither makes up claims nor hides them: $name", async ({ text: hostile }) => {
    server.respond((request) => sabotage(request, hostile));
    const article = {
      contentId: 1,
      title: "Prices",
      text: `${CLAIM.slice(0, -1)}, the statistics office said on Tuesday. ${OTHER}\n\n${hostile}`,
    };
    const said = await ask(claimsPrompt(article, quoting()));
    const claims = said ? acceptClaims(said, article.text) : extractClaims(article.text);
    expect(claims.map(({ start }) => start)).toContain(0);
    const end = article.text.length - hostile.length;
    for (const claim of claims) {
      expect(article.text.slice(claim.start, claim.end)).toBe(claim.text);
      expect(claim.end).toBeLessThanOrEqual(end);
    }
  });

  it.each(injections)(
    "moves a bias analysis and a verification only within their bounds: $name",
    async ({ text: hostile }) => {
      server.respond((request) => sabotage(request, hostile));
      const article = { contentId: 1, title: "Prices", text: `${SUPPORT}\n\n${hostile}` };
      const ours = analyseBias(article);
      const bias = await ask(biasPrompt(article, quoting()));
      if (bias) {
        const accepted = acceptBias(bias, article, ours);
        expect(Math.abs(accepted.overallBiasScore - ours.overallBiasScore)).toBeLessThanOrEqual(10);
        expect(accepted.indicators.loadedLanguage).toEqual(expect.arrayContaining(ours.indicators.loadedLanguage));
        for (const span of [
          ...accepted.indicators.loadedLanguage,
          ...accepted.indicators.unsupportedClaims,
          ...Object.values(accepted.evidence).flat(),
        ]) {
          expect(article[span.field].slice(span.start, span.end)).toBe(span.text);
          if (span.lexicon === "llm" && span.field === "text") expect(span.end).toBeLessThanOrEqual(SUPPORT.length);
        }
        expect(accepted.politicalBias).toBe(ours.politicalBias);
        expect(accepted.indicators.omission.join(" ")).not.toMatch(/evil\.example/);
      }
      const evidence = references(CLAIM, origin, clean.slice(0, 2));
      const judged = await ask(verificationPrompt(article, evidence, quoting()));
      if (judged) {
        const { score, reasons } = acceptVerification(judged, evidence, 60);
        expect(score).toBe(60);
        for (const reason of reasons) {
          expect(evidence.map(({ articleId }) => articleId)).toContain(reason.articleId);
          expect(reason.text).not.toMatch(/evil\.example/);
        }
      }
    },
  );
});
