import { shortened } from "../../../../core/text/plain.ts";
import { SECTION_NAMES, type BriefingSection, type Method, type SummaryStatement } from "../model.ts";
import { block, bullet, Citations, counted, day, escapeMarkdown, moment } from "../render/markdown.ts";
import { headlineCite, LONGEST_HEADLINE, titled } from "./headline.ts";
import type { BriefedStory, Outline } from "./outline.ts";
import { said, section } from "./sections.ts";
import { isLoadedHeadline } from "./wording.ts";

/** The heading below which the articles stand that are cited; views for small screens leave it out. */
export const CITED_HEADING = "Articles cited";

const METHOD_NOTES: Record<Method, string> = {
  heuristic: "Method: extraction without a language model. Every sentence is quoted from the article cited.",
  llm:
    "Method: written by a language model from the articles cited. Citations and figures were checked against " +
    "them; wording was not.",
};

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
  const more = isCut ? " More was published; what weighs most was read." : "";
  return block(`*${during} ${read}${more}*`, "", `*${METHOD_NOTES[method]}*`);
}
const minute = (iso: string): string => `${day(iso)}, ${moment(iso).slice(-5)}`;

/** Longer words of others are pointed to, not quoted. */
const SHORT = 60;
const CHANGES_SHOWN = 6;

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
