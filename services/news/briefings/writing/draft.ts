import { z } from "zod";
import { otherSide } from "./compose.ts";
import { sectionOf, type PreparedBriefing, type PreparedStory } from "./prepared.ts";
import { publish } from "./publishing.ts";
import { bodyOf } from "../stories/texts.ts";
import { plain } from "../../../../core/text/plain.ts";
import { DOMAINS } from "../../sources/events.ts";
import type { Composed, CitedSentence, SummaryStatement } from "../model.ts";
import type { BriefingArticle } from "../../articles/client.ts";
import { isBeyondNumbers, numbersIn } from "../../../../core/text/statements/figures/numerals.ts";

const DraftStatement = z.object({
  text: z.string().trim().min(1).max(600).describe("One sentence of plain text, without links and without Markdown."),
  cites: z.array(z.int()).max(12).describe("Ids of the articles that say this."),
});

/** What a language model has to write. */
export const BriefingDraft = z.object({
  summary: z.array(DraftStatement).min(1).max(8).describe("Three to six sentences on what matters most."),
  sections: z
    .array(
      z.object({
        domain: z.enum(DOMAINS),
        stories: z
          .array(
            z.object({
              headline: z.string().trim().min(1).max(160),
              statements: z.array(DraftStatement).min(1).max(6),
            }),
          )
          .min(1)
          .max(12),
      }),
    )
    .min(1)
    .max(DOMAINS.length),
});
export type BriefingDraft = z.output<typeof BriefingDraft>;

export interface PromptMessage {
  role: "system" | "user";
  content: string;
}

/** Marks the text of strangers as data; the adapter of language models makes one for each prompt (`quoting`). */
export interface Quoting {
  rule: string;
  quote(text: string, label: string): string;
}

const PROMPT_STORIES = 12;
const PROMPT_VOICES = 4;
const PROMPT_CHARACTERS = 1_200;

const RULES = [
  "You are an intelligence analyst who writes a briefing for a reader with two minutes.",
  "Use only what the quoted articles say. Every sentence cites the ids of the articles that say it; a " +
    "sentence that no article supports is left out.",
  "Give figures as the articles give them. Where articles differ, say so in one sentence and cite each " +
    "side; never choose a side silently.",
  "Attribute what one source claims. Say how likely something is only in the words of an article. No " +
    "advice, no adjectives of your own.",
  "Plain text in the language of most articles: no links, no Markdown.",
].join("\n");

/** The voices that a model is shown: who contradicts whom, who spoke last, then those that are trusted most. */
function voicesFor({ story: { voices }, disagreement }: PreparedStory): BriefingArticle[] {
  const sides = new Set(
    disagreement.flatMap(({ positions }) => positions.flatMap(({ articleIds: [first] }) => first ?? [])),
  );
  const newest = voices.at(-1);
  const turn = (voice: BriefingArticle): number => (sides.has(voice.id) ? 0 : voice === newest ? 1 : 2);
  return voices
    .toSorted((a, b) => turn(a) - turn(b) || b.confidence - a.confidence || a.id - b.id)
    .slice(0, PROMPT_VOICES);
}

/**
 * The messages that ask a language model for a `BriefingDraft` of the most important stories; article text is in them
 * as quoted data only.
 */
export function groundedPrompt(prepared: PreparedBriefing, { rule, quote }: Quoting): PromptMessage[] {
  const stories = prepared.stories.slice(0, PROMPT_STORIES).map((each, index) => {
    const { change } = prepared.comparison.progress.get(each.story)!;
    const voices = voicesFor(each);
    const heading = `Story ${index + 1}, domain ${each.story.domain}, ${change}, confidence ${each.confidence.toFixed(2)}:`;
    return [
      heading,
      ...voices.map((article) =>
        quote(excerpt(article), `article ${article.id} of ${article.publishedAt.slice(0, 16)}`),
      ),
    ].join("\n");
  });
  const { from, to } = prepared.input.period;
  return [
    { role: "system", content: `${RULES}\n${rule}` },
    {
      role: "user",
      content: [`Articles from ${from} to ${to}, grouped by story, the most important first.`, ...stories].join("\n\n"),
    },
  ];
}

const excerpt = (article: BriefingArticle): string =>
  `${plain(article.title)}\n${plain(bodyOf(article).slice(0, PROMPT_CHARACTERS))}`;

export type Acceptance =
  | { composed: Composed; /** What was left out of the draft, and why. */ dropped: string[] }
  | { composed: null; dropped: string[] };

/** "One" is a pronoun more often than a figure. */
const OWN_NUMBERS = new Set([1]);

function numbersOf(articles: readonly BriefingArticle[]): ReadonlySet<number> {
  return new Set(articles.flatMap(({ title, summary, text }) => numbersIn(`${title}\n${summary}\n${text}`)));
}

/**
 * A statement with the citations that exist, or why it cannot stay: none exists, a figure is in none of the articles
 * cited, or it carries an address (the way an injected text would reach the reader). Whether the words are right is not
 * checked, and the briefing says so.
 */
function ground(
  statement: CitedSentence,
  articles: ReadonlyMap<number, BriefingArticle>,
): { kept?: CitedSentence; dropped: string[] } {
  const text = plain(statement.text);
  const quoted = `“${text.slice(0, 80)}”`;
  const unknown = statement.cites.filter((id) => !articles.has(id));
  const dropped = unknown.map((id) => `Citation #${id} of ${quoted}: there is no such article.`);
  const cites = [...new Set(statement.cites.filter((id) => articles.has(id)))];
  if (cites.length === 0) return { dropped: [...dropped, `${quoted}: no citation is left.`] };
  if (/:\/\/|\bwww\./i.test(text)) return { dropped: [...dropped, `${quoted}: it holds an address.`] };
  if (isBeyondNumbers(text)) return { dropped: [...dropped, `${quoted}: a figure in it is beyond all bounds.`] };
  const known = numbersOf(cites.map((id) => articles.get(id)!));
  const invented = numbersIn(text).find((number) => !known.has(number) && !OWN_NUMBERS.has(number));
  if (invented !== undefined)
    return { dropped: [...dropped, `${quoted}: the figure ${invented} is in none of the articles cited.`] };
  return { kept: { text, cites }, dropped };
}

/** The prepared story that most of the citations belong to. */
function storyOf(statements: readonly CitedSentence[], byArticle: ReadonlyMap<number, PreparedStory>): PreparedStory {
  const votes = new Map<PreparedStory, number>();
  for (const id of statements.flatMap(({ cites }) => cites))
    votes.set(byArticle.get(id)!, (votes.get(byArticle.get(id)!) ?? 0) + 1);
  return Array.from(votes).sort((a, b) => b[1] - a[1])[0]![0];
}

/**
 * Takes a language model's draft as a stranger's: validates its form, drops citations of articles that are not in the
 * input and statements left without one or with figures of their own, and composes the briefing from the rest, with
 * confidence, disagreement and changes as measured. Answers `composed: null` when the form is wrong or less than half
 * of the draft remains; the caller then falls back to `compose`.
 */
export function acceptDraft(draft: unknown, prepared: PreparedBriefing): Acceptance {
  const parsed = BriefingDraft.safeParse(draft);
  if (!parsed.success)
    return {
      composed: null,
      dropped: parsed.error.issues.map(({ path, message }) => `${path.join(".") || "draft"}: ${message}`),
    };
  const byArticle = new Map(
    prepared.stories.flatMap((story) => story.story.articles.map(({ id }) => [id, story] as const)),
  );
  const dropped: string[] = [];
  let offered = 0;
  const grounded = (statements: readonly CitedSentence[]): CitedSentence[] =>
    statements.flatMap((statement) => {
      offered++;
      const result = ground(statement, prepared.articles);
      dropped.push(...result.dropped);
      return result.kept ?? [];
    });

  const summary = grounded(parsed.data.summary).map((statement): SummaryStatement => {
    const story = storyOf([statement], byArticle);
    return { ...statement, section: sectionOf(story), contested: otherSide(statement.text, story) };
  });
  const told = new Map<PreparedStory, { headline?: string; statements: CitedSentence[] }>();
  for (const { headline, statements } of parsed.data.sections.flatMap(({ stories }) => stories)) {
    const kept = grounded(statements);
    if (kept.length === 0) continue;
    const story = storyOf(kept, byArticle);
    const earlier = told.get(story);
    // A headline has no citation of its own: it must hold against the articles of its story, else ours stands.
    const fits = ground({ text: headline, cites: story.story.articles.map(({ id }) => id) }, prepared.articles).kept;
    told.set(story, {
      headline: earlier?.headline ?? fits?.text,
      statements: [...(earlier?.statements ?? []), ...kept],
    });
  }
  const kept = summary.length + Array.from(told.values()).reduce((sum, { statements }) => sum + statements.length, 0);
  if (summary.length === 0 || told.size === 0 || kept * 2 < offered) {
    return { composed: null, dropped: [...dropped, `Too little remains: ${kept} of ${offered} statements.`] };
  }
  return { composed: publish(prepared, { method: "llm", summary, tell: (story) => told.get(story) ?? null }), dropped };
}
