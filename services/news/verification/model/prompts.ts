import { z } from "zod";
import { sha256 } from "../../../../core/ids.ts";

/** How untrusted text is marked as data (`quoting` of the LLM adapter); passed in, so that prompts stay pure. */
export interface Quoting {
  rule: string;
  quote(text: string, label: string): string;
}

export interface Prompt<T> {
  /** Sent with the call; names the schema of the answer. */
  name: string;
  /** Changes with every word of the prompt or its schema: part of every cache key and of every trail. */
  version: string;
  messages: { role: "system" | "user"; content: string }[];
  schema: z.ZodType<T>;
  maxTokens: number;
}

export const PROMPT_VERSIONS = {
  claims: "claims-1",
  stance: "stance-2",
  bias: "bias-1",
  verification: "verification-1",
} as const;

const score = z.number().min(0).max(100);
const quotation = z.string().min(1).max(1_000);
const remark = z.string().max(400);

export const ClaimsAnswer = z.strictObject({ claims: z.array(z.strictObject({ quote: quotation, score })).max(40) });
export const StanceAnswer = z.strictObject({
  articleId: z.int(),
  stance: z.enum(["support", "contradict", "unrelated"]),
  quote: z.string().max(1_000),
});
export const BiasAnswer = z.strictObject({
  politicalBias: z.enum(["left", "center-left", "center", "center-right", "right", "unknown"]),
  framing: z.array(quotation).max(10),
  emotionalLevel: z.enum(["low", "medium", "high"]),
  sensationalismLevel: z.enum(["low", "medium", "high"]),
  loadedLanguage: z.array(quotation).max(40),
  unsupportedClaims: z.array(quotation).max(20),
  cherryPicking: z.array(quotation).max(5),
  adHominem: z.array(quotation).max(5),
  falseBalance: z.array(quotation).max(5),
  omission: z.array(remark).max(8),
  score,
});
export const VerificationAnswer = z.strictObject({
  score,
  reasons: z.array(z.strictObject({ text: remark, articleId: z.int(), quote: quotation })).max(12),
});
export type ClaimsAnswer = z.infer<typeof ClaimsAnswer>;
export type StanceAnswer = z.infer<typeof StanceAnswer>;
export type BiasAnswer = z.infer<typeof BiasAnswer>;
export type VerificationAnswer = z.infer<typeof VerificationAnswer>;

const system = (task: string, { rule }: Quoting) => ({ role: "system" as const, content: `${task}\n\n${rule}` });
const user = (...parts: string[]) => ({ role: "user" as const, content: parts.join("\n\n") });

/** Asks which sentences of an article are check-worthy claims. */
export const claimsPrompt = (article: { title: string; text: string }, quoting: Quoting): Prompt<ClaimsAnswer> => ({
  name: "claims",
  version: PROMPT_VERSIONS.claims,
  schema: ClaimsAnswer,
  maxTokens: 2_000,
  messages: [
    system(
      [
        "You find the factual claims in a news article that are worth checking: specific, measurable, about " +
          "many people or about what somebody did.",
        "Leave out opinion, predictions, questions, personal experience and page furniture.",
        "For each give `quote`, the whole sentence exactly as it stands in the article, and `score`, how " +
          "worth checking it is (0 to 100).",
      ].join(" "),
      quoting,
    ),
    user(quoting.quote(article.title, "title"), quoting.quote(article.text, "article")),
  ],
});

/**
 * Asks what one article says about one claim. One article per prompt, deliberately: a text that takes over the model
 * can then lie only about itself, not about the others.
 */
export const stancePrompt = (
  claim: string,
  candidate: { articleId: number; title?: string; text: string },
  quoting: Quoting,
): Prompt<StanceAnswer> => ({
  name: "stance",
  version: PROMPT_VERSIONS.stance,
  schema: StanceAnswer,
  maxTokens: 400,
  messages: [
    system(
      [
        "You compare a claim with an article and say whether the article supports it, contradicts it, or is " +
          "unrelated to it.",
        "Mind figures, dates, names and negation; another event of the same kind is unrelated.",
        "Give the `articleId` that you are told, the `stance`, and as `quote` the one sentence of the " +
          "article that shows it, exactly as it stands there; where unrelated, the nearest one.",
      ].join(" "),
      quoting,
    ),
    user(
      quoting.quote(claim, "claim"),
      `The article's id is ${candidate.articleId}.`,
      quoting.quote(candidate.text, `article ${candidate.articleId}`),
    ),
  ],
});

/** Asks for signs of bias, each with the words that show it. */
export const biasPrompt = (article: { title: string; text: string }, quoting: Quoting): Prompt<BiasAnswer> => ({
  name: "bias",
  version: PROMPT_VERSIONS.bias,
  schema: BiasAnswer,
  maxTokens: 2_000,
  messages: [
    system(
      [
        "You look for signs of bias in a news article and judge how it is written, not whether it is true.",
        "`loadedLanguage`, `framing` (words one political camp prefers), `unsupportedClaims`, " +
          "`cherryPicking`, `adHominem` and `falseBalance` hold quotations,",
        "exactly as they stand in the article; leave a list empty where there is nothing.",
        "Words inside direct speech belong to the speaker. `omission` says in short sentences what a reader " +
          "would need and does not get. `score` is the bias as a whole, 0 to 100.",
      ].join(" "),
      quoting,
    ),
    user(quoting.quote(article.title, "title"), quoting.quote(article.text, "article")),
  ],
});

export interface EvidenceForModel {
  articleId: number;
  sourceName: string;
  stance: string;
  evidence: { text: string };
}

/** Asks how far an article can be trusted, given the evidence; the answer must cite it. */
export const verificationPrompt = (
  article: { contentId: number; title: string; text: string },
  evidence: readonly EvidenceForModel[],
  quoting: Quoting,
): Prompt<VerificationAnswer> => ({
  name: "verification",
  version: PROMPT_VERSIONS.verification,
  schema: VerificationAnswer,
  maxTokens: 1_200,
  messages: [
    system(
      [
        "You judge how far a news article can be trusted, from the evidence you are shown and nothing else.",
        "Give a `score` (0 to 100) and `reasons`; each reason names the `articleId` of the evidence it " +
          "rests on and quotes it exactly in `quote`. A reason without evidence is dropped.",
      ].join(" "),
      quoting,
    ),
    user(
      quoting.quote(article.title, "title"),
      quoting.quote(article.text, `article ${article.contentId}`),
      evidence.length === 0 ? "No other article speaks of its claims." : "What other articles say:",
      ...evidence.map((one) =>
        quoting.quote(one.evidence.text, `evidence articleId ${one.articleId} ${one.stance} ${one.sourceName}`),
      ),
    ),
  ],
});

/** Cache key of a text's analysis: content, method, version of prompt or lexicon, model. */
export const analysisKey = (text: string, method: "heuristic" | "llm", version: string, model = ""): string =>
  sha256(JSON.stringify([sha256(text), method, version, model]));
