import {
  byText,
  levelOf,
  SECTION_NAMES,
  type BriefingSection,
  type CitedSentence,
  type Disagreement,
  type Position,
} from "../model.ts";
import { erratumOf } from "../../../../core/text/statements/speech/errata.ts";
import type { BriefingArticle } from "../../articles/client.ts";
import { NEWS } from "../topics/topics.ts";
import { block, bullet, counted, escapeMarkdown, moment, type Citations } from "../render/markdown.ts";
import { headlineCite, titled } from "./headline.ts";
import type { BriefedStory, Outline } from "./outline.ts";

const LEVELS = { high: "High confidence", medium: "Medium confidence", low: "Low confidence" } as const;
const CHANGES = { new: "New", developing: "Developing", unchanged: "Unchanged" } as const;
const ALSO_SHOWN = 5;
/** So many lines of a section at the most, however many events there were. */
const ALSO_NAMED = 30;

/** Words that take a side are their outlet's, and shown so. */
export const said = ({ text, spokenBy, later }: Pick<CitedSentence, "text" | "spokenBy" | "later">): string => {
  const told =
    spokenBy === undefined ? escapeMarkdown(text) : `“${escapeMarkdown(text)}” (${escapeMarkdown(spokenBy)})`;
  return later === undefined ? told : `${told} (later: ${later})`;
};

const statement = (each: CitedSentence, citations: Citations): string =>
  bullet(`${said(each)} ${citations.of(each.cites)}`);

export function section(
  name: BriefingSection,
  { stories, articles, comparedWith }: Outline,
  citations: Citations,
): string[] {
  const here = stories
    .filter((story) => story.section === name)
    .sort((a, b) => NEWS.indexOf(a.news) - NEWS.indexOf(b.news) || a.softness - b.softness);
  if (here.length === 0) return [];
  const full = here.filter((story) => story.full);
  // Whoever used the report must see that it was taken back, however little hangs on it.
  const brief = here.filter((story) => !story.full).sort((a, b) => Number(isTakenBack(b)) - Number(isTakenBack(a)));
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
  nl: "Dutch",
  sv: "Swedish",
  slavic: "a Slavic language",
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

/** Whether it is told by an outlet's retraction or correction of its own report. */
const isTakenBack = ({ lead }: BriefedStory): boolean => lead !== undefined && erratumOf(lead) !== undefined;

/** What must not vanish in a count: hard news that more than a rumour stands behind. */
const hasWeight = (story: BriefedStory): boolean =>
  isTakenBack(story) || (story.news !== "soft" && (story.independent > 1 || story.confidence >= 0.3));

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
