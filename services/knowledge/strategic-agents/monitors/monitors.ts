import { z } from "zod";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { derivedId } from "../../../../core/ids.ts";
import { conflict, isProblem } from "../../../../core/problem.ts";
import { entity, Figure, Instant, NumberId, TextId, type Item } from "../../../../core/records/entity.ts";
import {
  analyseQuery,
  treeMatches,
  nameTokens,
  tokens,
  type Analysed,
  type Leaf,
} from "../../../../core/text/words/analysis.ts";
import { LONGEST_QUERY, parseQuery } from "../../../../core/text/searching/query-language.ts";
import type { Content } from "../../../news/articles/client.ts";

const MONITOR_KINDS = ["keyword", "rate", "rule"] as const;
const MINUTE_MS = 60_000;
/** Articles that an alert counts: a story has no more of them. */
export const MOST_COUNTED = 1_000;
/** Text of an article that a monitor reads. */
const MOST_READ = 50_000;

/** A watch over the news until its end. */
export const Monitor = entity("strategic-agents.monitors", {
  title: "monitor",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    name: z.string().trim().min(1).max(200),
    kind: z
      .enum(MONITOR_KINDS)
      .describe(
        "`keyword`: each matching story; `rule`: each matching story that meets the conditions; `rate`: " +
          "more matching articles than usual.",
      ),
    q: z.string().trim().min(1).max(LONGEST_QUERY).describe("What fits, in the query language of `GET /api/search`."),
    windowMinutes: z
      .int()
      .min(1)
      .max(10_080)
      .default(1_440)
      .describe("A story raises one alert in each window; a rate is counted by windows."),
    rule: z
      .strictObject({
        minReports: z.int().min(1).max(50).optional().describe("Reports of the story that are no copies."),
        minConfidence: z.number().min(0).max(1).optional(),
        domains: z.array(z.string().min(1).max(40)).min(1).max(10).optional(),
        verified: z.literal(true).optional(),
      })
      .optional()
      .describe("For `rule`: all that is named must hold."),
    rate: z
      .strictObject({
        factor: z.number().min(1).max(20).default(3).describe("Standard deviations over the usual that open an alert."),
        clear: z.number().min(0).max(19).default(1).describe("Below so many it closes; less than `factor`."),
        least: z.int().min(1).max(10_000).default(5).describe("Fewer than this in a window are never unusual."),
      })
      .optional()
      .describe("For `rate`."),
    endsAt: Instant.describe("When it ends by itself; at most a year ahead."),
    status: z.enum(["active", "ended"]),
  },
  readonly: ["status"],
  immutable: ["problemSetId", "compartments"],
  filter: ["problemSetId", "kind", "status"],
  sort: ["endsAt"],
  barrier,
  most: {
    count: 1_000,
    per: ["problemSetId"],
    refusal: (count) => conflict(`A problem set has at most ${count} monitors in the same compartments.`),
  },
  lists: [{ by: ["problemSetId"] }],
  indexes: [
    { fields: ["status", "endsAt"] },
    { fields: ["status", "createdAt"] },
    { fields: ["status", "kind"] },
    { fields: ["createdBy"] },
  ],
});
export type Monitor = Item<typeof Monitor>;

export const ALERT_STATES = ["open", "acknowledged", "closed"] as const;

/** What a monitor found: one for each monitor, story and window, counted up. */
export const Alert = entity("strategic-agents.alerts", {
  title: "threat alert",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    monitorId: TextId,
    monitor: z.string().describe("What the monitor is called."),
    kind: z.enum(MONITOR_KINDS),
    storyId: z.string().optional().describe("Absent where a rate is too high."),
    title: z.string(),
    window: Instant.describe("When its window began."),
    until: Instant.describe("When its window ends."),
    count: z.int().describe(`Articles, ${MOST_COUNTED} at most.`),
    articles: z.array(NumberId).describe("Those that were counted."),
    firstAt: Instant,
    lastAt: Instant,
    rate: z
      .object({ usual: Figure, opens: Figure, clears: Figure })
      .optional()
      .describe("Of a rate: what is usual in a window, from where an alert opens and below where it closes."),
    status: z.enum(ALERT_STATES),
    acknowledgedBy: PersonId.optional(),
    acknowledgedAt: Instant.optional(),
    note: z.string().optional(),
    closedAt: Instant.optional(),
  },
  immutable: ["problemSetId", "compartments", "monitorId"],
  filter: ["problemSetId", "monitorId", "status", "kind"],
  sort: ["lastAt"],
  barrier,
  lists: [{ by: ["problemSetId"] }],
  indexes: [
    { fields: ["status", "until"] },
    { fields: ["monitorId", "status"] },
    { fields: ["acknowledgedBy"], sparse: true },
  ],
});
export type Alert = Item<typeof Alert>;

/** What a rate monitor has learnt, and whom it counted: beside the monitor, whose revision it would raise with each. */
export const RateState = entity("strategic-agents.rates", {
  title: "rate",
  fields: {
    problemSetId: TextId,
    compartments: Compartments,
    window: Instant,
    counted: z.array(NumberId),
    /** Articles of the window before: what is told again after a kill is not counted again. */
    before: z.array(NumberId),
    usual: z.object({ windows: z.int(), mean: z.number(), variance: z.number(), high: z.int() }),
    /** The alert that is open while it is high. */
    alertId: z.string().optional(),
  },
  immutable: ["problemSetId", "compartments"],
  barrier,
});
export type RateState = Item<typeof RateState>;

/** How far the news were read, for all monitors. */
export const Cursor = entity("strategic-agents.cursors", {
  title: "cursor",
  fields: {
    at: Instant.describe("When the last one that was read was stored, and under which id."),
    last: z.int(),
    /** Articles that were read near that moment: nodes store late. */
    seen: z.array(z.object({ id: NumberId, at: Instant })),
  },
});
export type Cursor = Item<typeof Cursor>;

const reading = new Map<string, Analysed | null>();
const MOST_QUERIES = 5_000;

/** A query taken apart, once. */
function treeOf(q: string): Analysed | null {
  const known = reading.get(q);
  if (known !== undefined) return known;
  const { tree } = parseQuery(q);
  const analysed = tree ? analyseQuery(tree) : null;
  if (reading.size >= MOST_QUERIES) reading.clear();
  reading.set(q, analysed);
  return analysed;
}

/** Whether something could fit a query: one of exclusions alone is no search. */
export function isUsable(q: string): boolean {
  try {
    return treeOf(q) !== null;
  } catch (error) {
    if (isProblem(error)) return false;
    throw error;
  }
}

/** An article as queries see it. */
export interface WatchedArticle {
  article: Content;
  has(leaf: Leaf): boolean;
}

/** Where each token stands: a monitor asks for few of very many. */
type Positions = ReadonlyMap<string, readonly number[]>;
function positionsOf(all: readonly string[]): Positions {
  const positions = new Map<string, number[]>();
  for (const [at, token] of all.entries()) {
    const known = positions.get(token);
    if (known) known.push(at);
    else positions.set(token, [at]);
  }
  return positions;
}

function stands(positions: Positions, [first, ...others]: readonly string[], prefix: boolean): boolean {
  if (first === undefined) return false;
  if (prefix) return positions.keys().some((token) => token.startsWith(first));
  const next = others.map((token) => positions.get(token));
  return (positions.get(first) ?? []).some((at) => next.every((found, n) => found?.includes(at + n + 1)));
}

/** Takes a report apart, for any number of queries. */
export function hasOf(
  report: Pick<Content, "title" | "sourceName" | "summary" | "text"> & { domain: string },
): WatchedArticle["has"] {
  const title = tokens(report.title);
  const fields: Record<string, Positions> = {
    title: positionsOf(title),
    source: positionsOf(nameTokens(report.sourceName)),
    domain: positionsOf(nameTokens(report.domain)),
  };
  // The end of the title is no neighbour of the beginning of the text.
  const whole = positionsOf([...title, "", ...tokens(`${report.summary}\n${report.text}`.slice(0, MOST_READ))]);
  return ({ field, tokens: wanted, prefix }) => stands(field ? fields[field]! : whole, wanted, prefix);
}

/** Takes an article apart for all monitors. */
export const watchedArticle = (article: Content): WatchedArticle => ({ article, has: hasOf(article) });

/** Whether an article fits what is searched, or watched for. */
export function fits({ q }: Pick<Monitor, "q">, { has }: Pick<WatchedArticle, "has">): boolean {
  const tree = treeOf(q);
  return tree !== null && treeMatches(tree, has);
}

/** Whether a story meets what a rule names, given its reports that are no copies. */
export const meets = (
  { rule = {} }: Pick<Monitor, "rule">,
  { confidence, domain, verified }: Pick<Content, "confidence" | "domain" | "verified">,
  reports: number,
): boolean =>
  (rule.minReports === undefined || reports >= rule.minReports) &&
  (rule.minConfidence === undefined || confidence >= rule.minConfidence) &&
  (rule.domains === undefined || rule.domains.includes(domain)) &&
  (rule.verified === undefined || verified);

/** The window that a moment lies in. */
export function windowOf({ windowMinutes }: Pick<Monitor, "windowMinutes">, at: number): [from: number, to: number] {
  const length = windowMinutes * MINUTE_MS;
  const from = Math.floor(at / length) * length;
  return [from, from + length];
}

export const alertId = (monitorId: string, storyId: string | undefined, window: number): string =>
  derivedId(`alert of ${monitorId} on ${storyId ?? "its rate"} in ${window}`);
