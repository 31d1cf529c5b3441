import { lazily, lexicon } from "../../../../core/text/lexicon.ts";
import { phraseIndex, type Hit } from "../../../../core/text/words/phrases.ts";
import { words } from "../../../../core/text/words/words.ts";
import { cuesIn } from "./cues.ts";
import { isVerb } from "./directives/verbs.ts";

/** The kind of goal that a heading announces; `none` where nothing below it is an objective here. */
export type Heading = "end-state" | "goal" | "objective" | "task" | "none";

/** What the nearest meaningful heading announces, and how many other headings are in between. */
export interface HeadingAbove {
  means: Heading;
  distance: number;
}

const index = lazily(() => {
  const { goals, endStates, tasks, broad, notGoals, apart, columns, aimedColumns, measuredColumns } =
    lexicon.directives;
  return phraseIndex({ goals, endStates, tasks, broad, notGoals, apart, columns, aimedColumns, measuredColumns });
});

const LONGEST_HEADING = 90;
const MOST_HEADING_WORDS = 10;
/** A number, a letter or a bullet before a heading or an item; an item's is followed by white space. */
const NUMBER = /^\s*(?:(?:\d{1,3}|[a-z]|[ivx]{1,5})(?:\.\d{1,3}){0,4}[.)]?|\([a-z\d]{1,4}\)|§\s?\d+)\s+/i;
export const MARKER =
  /^\s*(?:[-–—•*▪●◦‣·o]\s+|\(?(?:\d{1,3}(?:\.\d{1,3}){0,4}|[a-z]|[ivx]{1,5})[.)]\s+|\d{1,3}(?:\.\d{1,3}){1,4}\s+|\[[ x]?\]\s*|\d{1,2}(?:\t| {2,4})(?=[a-z]))/i;

const BULLET = /^[-–—•*▪●◦‣·]\s/;
/** "O1.", "SO 2:", "Goal 3 –", "Strategic objective 1:": a goal by its number. */
const CODE =
  /^\s*(?:O|SO|OBJ|LOE|KR|(?:strategic |key |corporate |policy )?(?:goal|aim|objective|outcome|priority|ambition|pillar|commitment|deliverable))\s?[\dIVX]{1,3}(?:\.\d{1,2})?\b/i;
const OF_WHAT = new Set("the our a an more every all better fewer less their its new each both".split(" "));

/** "Stop the leak", "Make onboarding painless": a heading that orders itself. */
function isOrderly(plain: string): boolean {
  const [first, second, third] = words(plain);
  return (
    isVerb(first) &&
    second !== undefined &&
    (OF_WHAT.has(second.text) || (third !== undefined && first!.text === "make"))
  );
}

/** "By 2027 we will:", "A Company is to:": what follows is to be done. */
const LEAD =
  /(?:^|\s)(?:will|shall|must|is to|are to|has to|have to|want to|aim to|going to|intend to|resolved to|agreed to|decided to|agreed|resolved|tasked to|ordered to)\s*:$/i;
/** "By 2028:", "Within five years:": what follows is then so. */
const WHEN = /^(?:by|before|within|until) [^:]{2,50}:$/i;
const isDenied = (hits: readonly Hit[]): boolean => hits.some(({ label }) => label === "notGoals");

/** "Members were thanked. Agreed:": the words with which a paragraph leads to a list. */
export function leadOf(paragraph: string): string | undefined {
  const last = paragraph
    .slice(-200)
    .split(/[.!?]\s+/)
    .at(-1)!
    .trim();
  return LEAD.test(last) || WHEN.test(last) ? last : undefined;
}

const MOST_TITLE_WORDS = 5;
/** Whether an item is only the title of items below it: "Tasks.", "B Company". */
export function isItemTitle(item: string): boolean {
  const plain = item.trim();
  const spoken = words(plain);
  if (!spoken.length || spoken.length > MOST_TITLE_WORDS || plain.length > LONGEST_HEADING) return false;
  if (/[.:]$/.test(plain) && meaningOf(plain.slice(0, -1)) !== undefined && !isOrderly(plain)) return true;
  return (
    !/[.!?;,]$/.test(plain) &&
    spoken.every(({ capital, text }) => capital || /^\d/.test(text)) &&
    cuesIn(plain, spoken).some(({ label }) => label === "body")
  );
}

/** What a heading announces; undefined where it is unclear. */
export function meaningOf(heading: string): Heading | undefined {
  const plain = heading.replace(NUMBER, "");
  const hits = index().find(plain, words(plain));
  const says = (label: string): boolean => hits.some((hit) => hit.label === label);
  if (WHEN.test(plain.trim())) return LEAD.test(plain.trim()) ? "objective" : "end-state";
  if (CODE.test(heading) || CODE.test(plain))
    return says("endStates") ? "end-state" : says("broad") ? "goal" : "objective";
  if (isDenied(hits)) return isOrderly(plain) && !says("goals") ? "objective" : "none";
  if (says("goals"))
    return says("endStates") ? "end-state" : says("tasks") ? "task" : says("broad") ? "goal" : "objective";
  return isOrderly(plain) || LEAD.test(plain.trim()) ? "objective" : undefined;
}

/** Whether nothing that a heading above announces holds below this one. */
export function standsApart(heading: string): boolean {
  const plain = heading.replace(NUMBER, "");
  return index()
    .find(plain, words(plain))
    .some(({ label }) => label === "apart");
}

/** What a column of a table tells by its head: objectives, or values to reach where no other column has them. */
export function columnOf(head: string): "objective" | "aimed" | undefined {
  const hits = index().find(head, words(head));
  const says = (label: string): boolean => hits.some((hit) => hit.label === label);
  if (says("measuredColumns")) return undefined;
  return says("columns") ? "objective" : says("aimedColumns") ? "aimed" : undefined;
}

/** Whether a line of running text is a heading: short, not a sentence, with the look or the words of one. */
export function isHeadingLine(line: string): boolean {
  const plain = line.trim();
  if (BULLET.test(plain)) return false;
  if (plain.length < 2 * LONGEST_HEADING && LEAD.test(plain) && !MARKER.test(plain)) return true;
  if (plain === "" || plain.length > LONGEST_HEADING || /[.!?;,]$/.test(plain)) return false;
  const bare = plain.replace(NUMBER, "").replace(/:$/, "");
  const spoken = words(bare);
  if (!spoken.length || spoken.length > MOST_HEADING_WORDS || /:\s/.test(bare)) return false;
  if (plain.endsWith(":") || (/\p{Lu}{2}/u.test(bare) && bare === bare.toUpperCase())) return true;
  if (isOrderly(bare)) return false;
  return !MARKER.test(plain) || /^\s*\d/.test(plain) ? spoken.length <= 5 && meaningOf(bare) !== undefined : false;
}

/** Headings in running text have no level: they are below all others, those with a colon last. */
const COLON_LEVEL = 8;
const RUN_IN_LEVEL = 7.5;
const lineLevel = (line: string): number => (line.trimEnd().endsWith(":") ? COLON_LEVEL : COLON_LEVEL - 1);

/** The headings above a place. */
export class Headings {
  readonly #stack: { level: number; means: Heading | undefined; apart?: boolean; items?: true; style?: string }[] = [];

  /** A heading; in running text its look tells its level. */
  enter(text: string, level = lineLevel(text), isTitle = false): void {
    while (this.#stack.length && this.#stack.at(-1)!.level >= level) this.#stack.pop();
    const means = meaningOf(text);
    this.#stack.push({
      level,
      means: isTitle && means === "none" ? undefined : means,
      ...(!means && !isTitle && standsApart(text) && { apart: true }),
    });
  }

  /** A title within the numbered items: it holds for items of another style, until the next of its own. */
  enterItem(style: string, title?: string): void {
    const same = this.#stack.findIndex((one) => one.style === style);
    if (same >= 0) this.#stack.length = same;
    if (title !== undefined) this.#stack.push({ level: RUN_IN_LEVEL, means: meaningOf(title), style });
  }

  /** A line with a colon announces the list below it, but not the prose after the list. */
  meet(kind: "item" | "prose" | "row"): void {
    const last = this.#stack.at(-1);
    if (last?.level !== COLON_LEVEL) return;
    if (kind !== "prose") last.items = true;
    else if (last.items) this.#stack.pop();
  }

  get now(): HeadingAbove | undefined {
    if (this.#stack.some(({ means }) => means === "none")) return { means: "none", distance: 0 };
    const at = this.#stack.findLastIndex(({ means, apart }) => means !== undefined || apart === true);
    const means = this.#stack[at]?.means;
    return means && { means, distance: this.#stack.length - 1 - at };
  }
}
