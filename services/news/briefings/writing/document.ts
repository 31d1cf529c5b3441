import { shortened } from "../../../../core/text/plain.ts";
import {
  byText,
  levelOf,
  SECTION_NAMES,
  type Disagreement,
  type Method,
  type Period,
  type Position,
  type BriefingSection,
  type CitedSentence,
  type StoryMemory,
  type SummaryStatement,
} from "../model.ts";
import type { BriefingArticle } from "../../articles/client.ts";
import { NEWS, type News } from "../topics/topics.ts";
import type { Progress } from "../stories/changes.ts";
import { asLabelled, commentOf } from "../stories/headlines.ts";
import { Citations, counted, day, escapeMarkdown, moment } from "../render/markdown.ts";
import type { Reliability } from "../stories/stories.ts";
import { isLoadedHeadline } from "./wording.ts";

/** A story as it is to be told. */
export interface BriefedStory {
  headline: string;
  /** The article whose title the headline is; absent where a model wrote it. */
  lead?: BriefingArticle;
  section: BriefingSection;
  news: News;
  /** The language of its headline, or its script, where it is not the briefing's. */
  foreign?: string;
  /** See `StoryTopic`. */
  softness: number;
  /** Its headline is of an outlet that takes sides. */
  partial: boolean;
  /** Oldest first. */
  articles: readonly BriefingArticle[];
  sourceIds: readonly number[];
  independent: number;
  confidence: number;
  /** Of what the headline says. */
  ofHeadline: { confidence: number; independent: number };
  disagreement: readonly Disagreement[];
  progress: Progress;
  statements: readonly CitedSentence[];
  /** Told in full, or as one line. */
  full: boolean;
}

export interface Outline {
  title: string;
  period: Period;
  method: Method;
  stats: { sources: number; articles: number; verified: number };
  /** More was published than was read. */
  isCut: boolean;
  /** When the briefing this one is compared with was made; absent for the first. */
  comparedWith?: string;
  summary: readonly SummaryStatement[];
  /** Most important first. */
  stories: readonly BriefedStory[];
  quiet: readonly StoryMemory[];
  articles: ReadonlyMap<number, BriefingArticle>;
  reliability: Reliability;
}

/** The heading below which the articles stand that are cited; views for small screens leave it out. */
export const CITED_HEADING = "Articles cited";

const METHOD_NOTES: Record<Method, string> = {
  heuristic: "Method: extraction without a language model. Every sentence is quoted from the article cited.",
  llm:
    "Method: written by a language model from the articles cited. Citations and figures were checked against " +
    "them; wording was not.",
};

const LEVELS = { high: "High confidence", medium: "Medium confidence", low: "Low confidence" } as const;
const CHANGES = { new: "New", developing: "Developing", unchanged: "Unchanged" } as const;
const ALSO_SHOWN = 5;
/** So many lines of a section at the most, however many events there were. */
const ALSO_NAMED = 30;
const CHANGES_SHOWN = 6;

const bullet = (text: string): string => `- ${text}`;
const block = (...lines: string[]): string => lines.join("\n");

/** Writes the briefing as Markdown; fixed words are ours, everything else is escaped. */
export function writeDocument(outline: Outline): { content: string; cited: number[] } {
  const citations = new Citations(outline.articles);
  const parts = [
    `# ${escapeMarkdown(outline.title)}`,
    scope(outline),
    ...summary(outline, citations),
    ...changes(outline, citations),
    ...(Object.keys(SECTION_NAMES) as BriefingSection[]).flatMap((each) => section(each, outline, citations)),
  ];
  const endnotes = citations.cited.length === 0 ? [] : [`## ${CITED_HEADING}`, citedArticles(outline, citations)];
  return { content: `${[...parts, ...endnotes].join("\n\n")}\n`, cited: citations.cited };
}

function scope({ period, stats, isCut, method, articles }: Outline): string {
  const during = `${minute(period.from)} to ${minute(period.to)} UTC.`;
  if (articles.size === 0) return `*${during} No article was published in this period that fits the selection.*`;
  const read = `${counted(stats.articles, "article")} from ${counted(stats.sources, "source")}, ${stats.verified} verified.`;
  const more = isCut ? " More was published; the best of it was read." : "";
  return block(`*${during} ${read}${more}*`, "", `*${METHOD_NOTES[method]}*`);
}
const minute = (iso: string): string => `${day(iso)}, ${moment(iso).slice(-5)}`;

/** Words that take a side are their outlet's, and shown so. */
const said = ({ text, spokenBy, later }: Pick<CitedSentence, "text" | "spokenBy" | "later">): string => {
  const told =
    spokenBy === undefined ? escapeMarkdown(text) : `“${escapeMarkdown(text)}” (${escapeMarkdown(spokenBy)})`;
  return later === undefined ? told : `${told} (later: ${later})`;
};

const statement = (each: CitedSentence, citations: Citations): string =>
  bullet(`${said(each)} ${citations.of(each.cites)}`);

const isQuoted = ({ headline, partial }: Pick<BriefedStory, "headline" | "partial">): boolean =>
  partial || isLoadedHeadline(headline);

/**
 * The headline that the briefing goes by: the first that several sources stand behind and no side is taken in; of fewer
 * sources where there is none, and none at all where all take sides or comment.
 */
export function leadingHeadline(stories: readonly BriefedStory[]): string | undefined {
  const plain = stories.filter((story) => !isQuoted(story) && !(story.lead && commentOf(story.lead)));
  return (plain.find(({ independent }) => independent > 1) ?? plain[0])?.headline;
}

/** A headline as it is shown: one that takes a side, or shouts, as the quotation of its outlet; a comment as one. */
function shownHeadline({ headline, lead, partial }: Pick<BriefedStory, "headline" | "lead" | "partial">): string {
  const short = shortened(headline, LONGEST_HEADLINE);
  if (!lead) return short;
  return asLabelled(lead, isQuoted({ headline, partial }) ? `“${short}” (${lead.sourceName})` : short);
}
const titled = (story: BriefedStory): string => escapeMarkdown(shownHeadline(story));

/** Longer headlines are texts. */
const LONGEST_HEADLINE = 200;

const SHORT = 60;

/** One line of the summary; where others say otherwise, their words, or a pointer where these are long. */
function summaryLine({ section, contested, ...each }: SummaryStatement, citations: Citations): string {
  const line = `**${SECTION_NAMES[section]}:** ${said(each)} ${citations.of(each.cites)}`;
  if (!contested) return bullet(line);
  if (contested.text.length > SHORT) return bullet(`${line} *Sources contradict each other, see below.*`);
  return bullet(
    `${line} *Sources differ:* “${escapeMarkdown(contested.text)}” ${citations.of(contested.articleIds.slice(0, 2))}`,
  );
}

const summary = ({ summary: statements }: Outline, citations: Citations): string[] =>
  statements.length === 0 ? [] : ["## In brief", block(...statements.map((each) => summaryLine(each, citations)))];

/** The article of a story that a headline is cited with: the one it is taken from, else the newest. */
function headlineCite({ lead, articles }: BriefedStory): number[] {
  const source = lead ?? articles.at(-1);
  return source ? [source.id] : [];
}

function changes(outline: Outline, citations: Citations): string[] {
  if (outline.comparedWith === undefined || (outline.articles.size === 0 && outline.quiet.length === 0)) return [];
  const told = (change: BriefedStory["progress"]["change"]) =>
    outline.stories.filter(({ progress }) => progress.change === change);
  const [fresh, developing, unchanged] = [told("new"), told("developing"), told("unchanged")];
  const lines = [
    ...listed("New", fresh, (story) => `${titled(story)} ${citations.of(headlineCite(story))}`),
    ...listed("Developing", developing, (story) => `${titled(story)} (${development(story)})`),
    ...listed("Unchanged", unchanged, titled),
    ...listed("Gone quiet", outline.quiet, ({ headline }) =>
      escapeMarkdown(isLoadedHeadline(headline) ? `“${headline}”` : headline),
    ),
  ];
  const heading = `## What changed since the last briefing (${moment(outline.comparedWith)} UTC)`;
  return [heading, lines.length > 0 ? block(...lines) : "Nothing: the same stories, without a new article."];
}

function development({ progress, confidence }: BriefedStory): string {
  const parts = [counted(progress.newArticles, "new article")];
  if (progress.newSources > 0) parts.push(counted(progress.newSources, "new source"));
  if (progress.returned) parts.push("back after a silence");
  const { before = confidence } = progress;
  if (Math.abs(before - confidence) >= 0.05) parts.push(`confidence ${before.toFixed(2)} → ${confidence.toFixed(2)}`);
  return parts.join(", ");
}

/** "**New (3):** one; two; three" as a list item; nothing where there is nothing, and only what is shown is cited. */
function listed<T>(label: string, items: readonly T[], write: (item: T) => string): string[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, CHANGES_SHOWN).map(write);
  if (items.length > CHANGES_SHOWN) shown.push(`and ${items.length - CHANGES_SHOWN} more`);
  return [bullet(`**${label} (${items.length}):** ${shown.join("; ")}`)];
}

function section(name: BriefingSection, { stories, articles, comparedWith }: Outline, citations: Citations): string[] {
  const here = stories
    .filter((story) => story.section === name)
    .sort((a, b) => NEWS.indexOf(a.news) - NEWS.indexOf(b.news) || a.softness - b.softness);
  if (here.length === 0) return [];
  const [full, brief] = [here.filter((story) => story.full), here.filter((story) => !story.full)];
  const oneLine = (story: BriefedStory) => {
    const line = `${titled(story)} ${citations.of(headlineCite(story))} (${inLanguage(story)}${inWords(story.ofHeadline.confidence)})`;
    // What is told in a line is told with what others say against it: the reader must not take it for settled.
    return block(
      bullet(line),
      ...story.disagreement.map((each) => `  ${bullet(difference(each, articles, citations))}`),
    );
  };
  const named = brief.filter((story, at) => at < ALSO_SHOWN || hasWeight(story)).slice(0, ALSO_NAMED);
  const also = named.map(oneLine);
  if (brief.length > named.length)
    also.push(bullet(`and ${counted(brief.length - named.length, "further story", "further stories")}`));
  return [
    `## ${SECTION_NAMES[name]}`,
    ...full.flatMap((story) => storyParts(story, articles, citations, comparedWith !== undefined)),
    ...(also.length > 0 ? ["**Also reported**", block(...also)] : []),
  ];
}

const LANGUAGE_NAMES: Record<string, string> = {
  en: "English",
  de: "German",
  fr: "French",
  es: "Spanish",
  it: "Italian",
  pt: "Portuguese",
  cyrillic: "Cyrillic script",
  arabic: "Arabic script",
  greek: "Greek",
  hebrew: "Hebrew",
  han: "Chinese or Japanese",
  hangul: "Korean",
};

/** Said of a headline that not everybody who reads the briefing can read. */
const inLanguage = ({ foreign }: BriefedStory): string =>
  foreign !== undefined && LANGUAGE_NAMES[foreign] ? `in ${LANGUAGE_NAMES[foreign]}; ` : "";

/** What must not vanish in a count: hard news that more than a rumour stands behind. */
const hasWeight = ({ news, independent, confidence }: BriefedStory): boolean =>
  news !== "soft" && (independent > 1 || confidence >= 0.3);

const inWords = (confidence: number): string =>
  `${LEVELS[levelOf(confidence)].toLowerCase()}, ${confidence.toFixed(2)}`;

/**
 * "New · High confidence (0.82), 4 independent sources"; what is new is said only where there is something to compare
 * with.
 */
function standing(story: BriefedStory, compared: boolean): string {
  const outlets = story.sourceIds.length;
  const sources =
    counted(story.independent, "independent source") + (outlets > story.independent ? ` (${outlets} outlets)` : "");
  const change = compared ? `${CHANGES[story.progress.change]} · ` : "";
  const language = story.foreign && LANGUAGE_NAMES[story.foreign];
  const told = language ? `Told in ${language} · ` : "";
  return (
    `*${change}${told}${LEVELS[levelOf(story.confidence)]} (${story.confidence.toFixed(2)}), ` +
    `${sources}${verification(story.articles)}${ownClaim(story)}*`
  );
}

/** Said where what the headline says is carried by fewer than tell the story. */
function ownClaim({ confidence, ofHeadline, independent }: BriefedStory): string {
  if (ofHeadline.independent >= independent || confidence - ofHeadline.confidence < 0.05) return "";
  return `; the headline: ${inWords(ofHeadline.confidence)}, ${counted(ofHeadline.independent, "source")}`;
}

function verification(articles: readonly BriefingArticle[]): string {
  const verified = articles.filter((article) => article.verified).length;
  if (verified === 0) return "";
  return verified === articles.length
    ? ", verified"
    : `, ${verified} of ${counted(articles.length, "article")} verified`;
}

function storyParts(
  story: BriefedStory,
  articles: ReadonlyMap<number, BriefingArticle>,
  citations: Citations,
  compared: boolean,
): string[] {
  const lines = [
    ...story.statements.map((each) => statement(each, citations)),
    ...story.disagreement.map((each) => bullet(difference(each, articles, citations))),
  ];
  if (lines.length === 0) lines.push(bullet(`*Only the headline is known.* ${citations.of(headlineCite(story))}`));
  return [`### ${titled(story)}`, standing(story, compared), block(...lines)];
}

function difference(
  { kind, about, positions }: Disagreement,
  articles: ReadonlyMap<number, BriefingArticle>,
  citations: Citations,
): string {
  const sides = positions.map(
    (position) =>
      `“${escapeMarkdown(position.text)}” ${attribution(position, articles)} ` +
      `${citations.of(position.articleIds.slice(0, 3))}`,
  );
  if (kind === "claim")
    return (
      `**${about === "claim contradicted" ? "Claim contradicted by other reports" : "Claim in dispute"}:** ` +
      `${sides.join("; ")}`
    );
  const lead = kind === "figures" ? `Figures differ on ${escapeMarkdown(about)}` : "Sources contradict each other";
  return `**${lead}**, latest first: ${sides.join("; ")}`;
}

/** "(Coastal Wire, 3 Mar, 14:05)": who says it, and when first, since figures grow in the course of a day. */
function attribution({ articleIds }: Position, articles: ReadonlyMap<number, BriefingArticle>): string {
  const said = articleIds
    .flatMap((id) => articles.get(id) ?? [])
    .sort((a, b) => byText(b.publishedAt, a.publishedAt) || a.id - b.id);
  const names = [...new Set(said.map(({ sourceName }) => escapeMarkdown(sourceName)))];
  const shown = names.length > 2 ? `${names.slice(0, 2).join(", ")} and ${names.length - 2} more` : names.join(", ");
  return `(${[shown, ...said.slice(0, 1).map(({ publishedAt }) => moment(publishedAt))].filter(Boolean).join(", ")})`;
}

/**
 * A source's track record as a rating of the NATO reliability scale (AJP-2.1): A completely reliable ... E unreliable.
 */
function rating(reliability: number | undefined): string {
  if (reliability === undefined) return "";
  return `, reliability ${"EDCBA"[Math.max(0, Math.min(4, Math.round(reliability * 4)))]}`;
}

/** With a full stop, where it has no end of its own. */
const ended = (title: string): string => (/[.!?…]["”’')\]]*\s*$/.test(title) ? title : `${title}.`);

function citedArticles({ articles, reliability }: Outline, citations: Citations): string {
  return block(
    ...citations.cited
      .sort((a, b) => a - b)
      .map((id) => {
        const article = articles.get(id)!;
        const outlet = escapeMarkdown(article.sourceName) + rating(reliability(article.sourceId));
        const facts = `${outlet}, ${moment(article.publishedAt)} UTC${article.verified ? ", verified" : ""}`;
        return bullet(
          `${citations.of([id])} ${escapeMarkdown(ended(shortened(article.title || article.summary, LONGEST_HEADLINE)))} *${facts}*`,
        );
      }),
  );
}
