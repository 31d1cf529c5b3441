import type { Categorised } from "./categorising.ts";

/** A document as far as the ranking goes by it. */
export interface RankedDocument {
  documentId: string;
  /** Epoch milliseconds at which it was put in. */
  at: number;
  /** Of its text: those alike are one source. */
  sketch: string | undefined;
  found: Categorised;
}
export const STAKES = ["objective", "mission", "threat-alert", "validity-alert"] as const;
/** What there is to know something for: an objective, a mission's, or an alert that stands. */
export interface Stake {
  kind: (typeof STAKES)[number];
  id: string;
  found: Categorised;
}

export const WEIGHTS = { relevance: 0.4, gap: 0.3, change: 0.3 } as const;
const DAY_MS = 86_400_000;
/** After so many days half of what was known counts as old. */
const HALF_LIFE_DAYS = 30;
const ALIKE = 0.5;
/** Windows of the past that the last one is held against. */
const PAST_WINDOWS = 4;

export interface Ranked {
  domain: string;
  /** 0..100 */
  priority: number;
  parts: {
    relevance: { value: number; touches: { kind: Stake["kind"]; id: string; score: number }[] };
    gap: { value: number; ageDays: number | null; sources: number; documents: string[] };
    change: { value: number; recent: number; usual: number; documents: string[] };
  };
}

const scoreIn = ({ categories }: Categorised, domain: string): number =>
  categories.find(({ category }) => category === domain)?.score ?? 0;
const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

/** How many texts speak for themselves: copies of one are one. */
function independent(
  documents: readonly RankedDocument[],
  resemblance: (one: string, other: string) => number,
): number {
  const kept: RankedDocument[] = [];
  for (const one of documents)
    if (!kept.some(({ sketch }) => sketch && one.sketch && resemblance(sketch, one.sketch) >= ALIKE)) kept.push(one);
  return kept.length;
}

/**
 * Domains by what to look into first: .4 what is wanted of them, .3 how little and how old is what is known, .3 how
 * much more or less is told of them than usual. Each part 0..1.
 */
export function ranked(
  domains: readonly string[],
  {
    documents,
    stakes,
    now,
    windowDays,
    resemblance,
  }: {
    documents: readonly RankedDocument[];
    stakes: readonly Stake[];
    now: number;
    windowDays: number;
    resemblance: (one: string, other: string) => number;
  },
): Ranked[] {
  const rows = domains.map((domain): Ranked => {
    const touches = stakes
      .map(({ kind, id, found }) => ({ kind, id, score: scoreIn(found, domain) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score);
    const relevance = rounded(touches.reduce((sum, { score }) => sum + score, 0) / (100 * Math.max(1, stakes.length)));

    const known = documents.filter(({ found }) => scoreIn(found, domain) > 0);
    const newest = Math.max(...known.map(({ at }) => at));
    const ageDays = known.length ? Math.max(0, (now - newest) / DAY_MS) : null;
    const sources = independent(known, resemblance);
    const gap = rounded(ageDays === null ? 1 : (1 - 2 ** (-ageDays / HALF_LIFE_DAYS)) / 2 + 1 / (1 + sources) / 2);

    const windowOf = ({ at }: RankedDocument): number => Math.floor((now - at) / (windowDays * DAY_MS));
    const weighed = (inside: (nth: number) => boolean): RankedDocument[] =>
      known.filter((one) => inside(windowOf(one)));
    const recent = weighed((nth) => nth <= 0);
    const usual = weighed((nth) => nth >= 1 && nth <= PAST_WINDOWS).length / PAST_WINDOWS;
    // One document more or less than usual is hardly a change.
    const change = rounded(Math.abs(recent.length - usual) / (recent.length + usual + 1));

    const priority = WEIGHTS.relevance * relevance + WEIGHTS.gap * gap + WEIGHTS.change * change;
    return {
      domain,
      priority: Math.round(100 * priority),
      parts: {
        relevance: { value: relevance, touches },
        gap: {
          value: gap,
          ageDays: ageDays === null ? null : rounded(ageDays),
          sources,
          documents: known.map(({ documentId }) => documentId),
        },
        change: {
          value: change,
          recent: recent.length,
          usual: rounded(usual),
          documents: recent.map(({ documentId }) => documentId),
        },
      },
    };
  });
  return rows.sort((one, other) => other.priority - one.priority);
}
