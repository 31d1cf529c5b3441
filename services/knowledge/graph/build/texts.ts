import type { Host } from "../../../../core/contract/endpoint.ts";
import { sha256 } from "../../../../core/ids.ts";
import { Problem } from "../../../../core/problem.ts";
import { cite } from "../../../../core/text/citations.ts";
import { wholeEnd } from "../../../../core/text/cutting.ts";
import type { Span } from "../../../../core/text/words/words.ts";
import { contentsOf, contentsOfStory, reportOf, type Content } from "../../../news/articles/client.ts";
import { strangeLanguage } from "../../languages.ts";
import { demandPresent, documentRecord, wholeTextOf } from "../../documents/client.ts";
import type { OsintEvent } from "../osint/osint.ts";
import type { SourceKey } from "../statements/statements.ts";
import type { Text } from "./stating.ts";

/** A text to read, and where its words come from. */
export interface Readable {
  text: string;
  /** The name of its language, where the rules do not read it. */
  strange?: string | undefined;
  skipped: Span[];
  of: Text;
}
/** All that one build reads. */
export interface Readables {
  title: string;
  digest: string;
  source: SourceKey;
  version: number;
  texts: Readable[];
}

/** A longer text is read so far. */
const MOST_CHARACTERS = 2_000_000;
const MOST_ARTICLES = 50;

/** A version of a document. Throws what documents say of one that has no text, or is gone; 503 while it is being read. */
export async function documentToRead(host: Host, documentId: string, version: number): Promise<Readables> {
  const document = await documentRecord(host, documentId);
  demandPresent(document);
  const whole = await wholeTextOf(host, documentId, version);
  if (!whole) throw new Problem(503, "BEING_READ", "The document's text is still being read.", { away: true });
  const { problemSetId, compartments, title, versions } = document;
  const at = versions.find((one) => one.version === version)!;
  const source: SourceKey = `document:${documentId}`;
  const of: Text = {
    ...{ problemSetId, compartments, source, version, voice: source, observedAt: at.at },
    cited: (span) => ({ kind: "document", citation: cite(whole, span) }),
  };
  const strange = strangeLanguage(whole.text, at.language);
  const skipped = whole.blocks.filter(({ kind }) => kind === "running-head");
  return {
    title,
    digest: at.sha256,
    source,
    version,
    texts: [{ text: whole.text.slice(0, wholeEnd(whole.text, MOST_CHARACTERS)), skipped, strange, of }],
  };
}

/** The source that a story's statements are taken back with: a story may be in several places. */
const storySource = ({ storyId, id }: Pick<OsintEvent, "storyId" | "id">): SourceKey => `story:${storyId}@${id}`;
export const eventSource = ({ id }: Pick<OsintEvent, "id">): SourceKey => `event:${id}`;

/** The oldest of the copies of one report: an agency's text is one voice, however many print it. */
function reports(articles: readonly Content[]): Content[] {
  const byAge = articles.toSorted((one, other) => (one.publishedAt < other.publishedAt ? -1 : 1) || one.id - other.id);
  const told = new Set<string>();
  return byAge.filter((article) => {
    const report = reportOf(article);
    return told.has(report) ? false : told.add(report);
  });
}

function articleToRead(event: OsintEvent, source: SourceKey, article: Content): Readable {
  const { id: articleId, storyId, title, sourceName, url, publishedAt } = article;
  const inTitle = article.text === "";
  const text = inTitle ? title : article.text;
  const said = { kind: "article" as const, articleId, storyId, title, source: sourceName, url, publishedAt };
  return {
    text,
    strange: strangeLanguage(text),
    skipped: [],
    of: {
      ...{ problemSetId: event.problemSetId, compartments: event.compartments, version: 0 },
      source,
      voice: `report:${reportOf(article)}`,
      observedAt: publishedAt,
      articleId,
      cited: ({ start, end }) => ({
        ...{ ...said, start, end, quote: text.slice(start, end) },
        ...(inTitle && { inTitle: true }),
      }),
    },
  };
}

/** The text of an event, as its origins count it. */
const eventText = ({ title, description }: Pick<OsintEvent, "title" | "description">): string =>
  description ? `${title}\n\n${description}` : title;

/** Where what is said of an event itself comes from. */
export function textOfEvent(event: OsintEvent): Text {
  const { id: eventId, problemSetId, compartments, occurredAt: observedAt } = event;
  const words = eventText(event);
  return {
    ...{ problemSetId, compartments, source: eventSource(event), version: 0, voice: eventSource(event), observedAt },
    cited: ({ start, end }) => ({ kind: "event", eventId, start, end, quote: words.slice(start, end) }),
  };
}

/** What the articles of an event say, or its own words where it has none. */
export async function eventToRead(host: Host, event: OsintEvent): Promise<Readables> {
  const [ofStory, named] = await Promise.all([
    event.storyId ? contentsOfStory(host, event.storyId, MOST_ARTICLES) : [],
    event.articleIds.length ? contentsOf(host, event.articleIds) : [],
  ]);
  const articles = reports([...new Map([...ofStory, ...named].map((one) => [one.id, one])).values()]);
  const words = eventText(event);
  const own = { text: words, strange: strangeLanguage(words), skipped: [], of: textOfEvent(event) };
  const source = articles.length
    ? storySource({ id: event.id, storyId: event.storyId ?? articles[0]!.storyId })
    : eventSource(event);
  return {
    title: event.title,
    digest: sha256(JSON.stringify(articles.map(({ id, contentHash }) => [id, contentHash]))),
    source,
    version: 0,
    texts: articles.length ? articles.map((article) => articleToRead(event, source, article)) : [own],
  };
}
