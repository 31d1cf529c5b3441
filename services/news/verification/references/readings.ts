import type { Host } from "../../../../core/contract/endpoint.ts";
import { once } from "../../../../core/once.ts";
import {
  contentsOf,
  contentsOfStory,
  creditOf,
  reportOf,
  successions,
  type Content,
  type Succession,
} from "../../articles/client.ts";
import { Between } from "./pairs/between.ts";
import { scoresIn } from "../../../../core/text/statements/figures/matches.ts";
import { addressesMachines } from "../claims/check-worthiness.ts";
import { causesOf } from "../../../../core/text/statements/causes.ts";
import { fateOf } from "../../../../core/text/statements/figures/measures.ts";
import { retractions } from "../../../../core/text/statements/speech/errata.ts";
import { kindKeys } from "../../../../core/text/statements/kinds.ts";
import { conceptOf } from "../../../../core/text/statements/meaning.ts";
import { lazily, lexicon } from "../../../../core/text/lexicon.ts";
import { phraseIndex } from "../../../../core/text/words/phrases.ts";
import { names } from "../../../../core/text/statements/names.ts";
import { sentences, type Sentence } from "../../../../core/text/words/sentences.ts";
import { detailsOf, statementOf, type Statement } from "../../../../core/text/statements/statement.ts";
import { baseOf } from "../../../../core/text/words/stem.ts";

const anonymous = lazily(() => phraseIndex({ anonymous: lexicon.rhetoric.anonymous }));

/** "Hurt" and "injured", "shut" and "closed" are one concept. */
export const matterOf = (concept: string): string => fateOf(concept) ?? concept;

const keysOf = (found: readonly { key: string }[]): readonly string[] => found.map(({ key }) => key);

const READ_FOR_COUNTS = 12;

/** An article's text, parsed as far as needed and kept: everything that does not depend on the claim. */
export class ReadArticle {
  readonly sentences: readonly Sentence[];
  readonly #text: string;
  readonly #stems: ReadonlySet<string>[] = [];
  readonly #concepts: ReadonlySet<string>[] = [];
  readonly #names: (readonly string[])[] = [];
  readonly #namesInside: (readonly string[])[] = [];
  readonly #statements: Statement[] = [];
  readonly #addresses: boolean[] = [];
  readonly #anonymous: boolean[] = [];
  #counts: readonly number[] | undefined;
  #scores: ReadonlySet<string> | undefined;
  #sentencesOf: ReadonlyMap<string, readonly number[]> | undefined;
  #allNames: ReadonlySet<string> | undefined;

  constructor(text: string) {
    this.#text = text;
    this.sentences = sentences(text);
  }

  stemsOf(at: number): ReadonlySet<string> {
    return (this.#stems[at] ??= new Set(this.sentences[at]!.words.map(({ text }) => baseOf(text))));
  }

  /** How many of these stems each sentence has. */
  counted(stems: readonly string[]): Uint8Array {
    const counts = new Uint8Array(this.sentences.length);
    for (const stem of stems) for (const at of this.#bearing.get(stem) ?? []) counts[at]!++;
    return counts;
  }

  /** Indexes of the sentences that contain a stem. */
  get #bearing(): ReadonlyMap<string, readonly number[]> {
    if (this.#sentencesOf) return this.#sentencesOf;
    const found = new Map<string, number[]>();
    for (const at of this.sentences.keys())
      for (const stem of this.stemsOf(at)) {
        const known = found.get(stem);
        if (known) known.push(at);
        else found.set(stem, [at]);
      }
    return (this.#sentencesOf = found);
  }

  /** A sentence's concepts, with one word for each fate of people. */
  concepts(at: number): ReadonlySet<string> {
    return (this.#concepts[at] ??= new Set([
      ...[...this.stemsOf(at)].map((stem) => matterOf(conceptOf(stem))),
      ...kindKeys(this.sentences[at]!.words),
    ]));
  }

  isCaused(at: number): boolean {
    return causesOf(this.statement(at)).length > 0;
  }

  /** Indexes of its first sentences that give a figure and name its source. */
  get counts(): readonly number[] {
    return (this.#counts ??= [...this.sentences.keys()]
      .slice(0, READ_FOR_COUNTS)
      .filter(
        (at) => this.statement(at).quantities.length > 0 && !this.isAnonymous(at) && !this.addressesMachines(at),
      ));
  }

  /** Scores of a match. */
  get scores(): ReadonlySet<string> {
    return (this.#scores ??= scoresIn(this.#text));
  }

  has(stem: string): boolean {
    return this.#bearing.has(stem);
  }

  /** Keys of the names in a sentence, without names known from elsewhere. */
  names(at: number): readonly string[] {
    return (this.#names[at] ??= keysOf(names(this.#text, this.sentences[at]!.words)));
  }

  /** Keys of the names after its first word, where a capital letter identifies a name. */
  namesInside(at: number): readonly string[] {
    return (this.#namesInside[at] ??= keysOf(names(this.#text, this.sentences[at]!.words.slice(1))));
  }

  addressesMachines(at: number): boolean {
    return (this.#addresses[at] ??= addressesMachines(this.#text, this.sentences[at]!));
  }

  /** Whether a sentence relies on unnamed sources: it confirms nothing. */
  isAnonymous(at: number): boolean {
    return (this.#anonymous[at] ??= anonymous().find(this.#text, this.sentences[at]!.words).length > 0);
  }

  /** A parsed sentence; names are known from the whole text. */
  statement(at: number): Statement {
    return (this.#statements[at] ??= {
      ...detailsOf(this.#text, this.sentences[at]!),
      entities: names(this.#text, this.sentences[at]!.words, this.#known),
    });
  }

  get #known(): ReadonlySet<string> {
    return (this.#allNames ??= new Set(this.sentences.flatMap((_, at) => [...this.namesInside(at)])));
  }
}

const MOST_ASKED_AT_ONCE = 100;
/** Characters of text kept in parsed form, at some thirty bytes each. */
const MOST_KEPT = 1_000_000;

/**
 * Articles that many claims are compared with, each parsed once; the least recently used go first. Kept for one piece
 * of work; their records until `renew` is called.
 */
export class Readings {
  readonly #articles = new Map<string, ReadArticle>();
  readonly #betweens = new WeakMap<ReadArticle, WeakMap<ReadArticle, Between>>();
  readonly #titles = new Map<string, readonly string[]>();
  readonly #stories = new Map<string, readonly Content[]>();
  readonly #contents = new Map<number, Content>();
  readonly #most: number;
  #kept = 0;

  /** `most`: characters of text that are kept, for work that goes through all its texts again and again. */
  constructor(most = MOST_KEPT) {
    this.#most = most;
  }

  /** From now on articles are read again: they may have changed. */
  renew(): void {
    this.#stories.clear();
    this.#contents.clear();
  }

  /** The newest articles of a story, read once. */
  async ofStory(host: Host, storyId: string, most: number): Promise<readonly Content[]> {
    let story = this.#stories.get(storyId);
    if (!story) {
      story = await contentsOfStory(host, storyId, most);
      this.#stories.set(storyId, story);
      for (const article of story) this.#contents.set(article.id, article);
    }
    return story;
  }

  /** The articles of these ids, each read once. */
  async articles(host: Host, ids: readonly number[]): Promise<Content[]> {
    const missing = ids.filter((id) => !this.#contents.has(id));
    for (let from = 0; from < missing.length; from += MOST_ASKED_AT_ONCE)
      for (const article of await contentsOf(host, missing.slice(from, from + MOST_ASKED_AT_ONCE)))
        this.#contents.set(article.id, article);
    return ids.flatMap((id) => this.#contents.get(id) ?? []);
  }

  /** Found by its text: an edited article is another one. */
  of(text: string): ReadArticle {
    let article = this.#articles.get(text);
    if (article) this.#articles.delete(text);
    else {
      article = new ReadArticle(text);
      this.#kept += text.length;
    }
    this.#articles.set(text, article);
    if (this.#kept > this.#most) this.#forget();
    return article;
  }

  /** The comparison of two articles, made once for all claims of the first. */
  between(mine: ReadArticle, theirs: ReadArticle): Between {
    let known = this.#betweens.get(mine);
    if (!known) this.#betweens.set(mine, (known = new WeakMap()));
    let between = known.get(theirs);
    if (!between) known.set(theirs, (between = new Between(mine, theirs)));
    return between;
  }

  namesInTitle(title: string): readonly string[] {
    let names = this.#titles.get(title);
    if (!names) this.#titles.set(title, (names = namesInTitle(title)));
    return names;
  }

  #forget(): void {
    for (const text of this.#articles.keys()) {
      if (this.#kept <= this.#most) break;
      this.#articles.delete(text);
      this.#kept -= text.length;
    }
    this.#titles.clear();
  }
}

/** Keys of the names in a title. */
export const namesInTitle = (title: string): readonly string[] => keysOf(statementOf(title).entities);

/** One article is a candidate for many claims. */
export const creditIn = once(({ text }: Content): string | undefined => creditOf(text));

/**
 * Figures that articles of a story replaced by later ones. Several articles of a story are usually processed in a row.
 */
export const replacedIn = once((story: readonly Content[]): readonly Succession[] =>
  story.length < 2 ? [] : successions(story.map((one) => ({ ...one, reportId: reportOf(one) }))),
);

/** Articles of a story that their own outlet retracted, by id, with the retracting article. */
export const retractedIn = once(
  (story: readonly Content[]): ReadonlyMap<number, Content> =>
    new Map([...retractions(story)].map(([report, retraction]) => [report.id, retraction])),
);
