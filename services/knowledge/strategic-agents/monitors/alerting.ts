import { z } from "zod";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { live, liveType } from "../../../../core/contract/live.ts";
import { shortened, ThreatAlerted } from "../events.ts";
import { Alert, ALERT_STATES, alertId, MOST_COUNTED, RateState, windowOf, type Monitor } from "./monitors.ts";
import { ended, isHigh, limitsOf, UNKNOWN, type RateSettings, type Usual } from "./rate.ts";

const MESH = asSystem("strategic-agents");
const RATE: RateSettings = { factor: 3, clear: 1, least: 5 };
/** Empty windows that are learnt from one by one; what was quiet for longer is quiet. */
const MOST_EMPTY = 200;
/** As many as the largest `least` of a rate. */
const MOST_IN_WINDOW = 10_000;

export const AlertRaised = liveType("threat.alerted", {
  domain: "strategic-agents",
  summary: "A monitor raised an alert, counted one up, or one moved on",
  payload: z.object({ id: z.string(), monitorId: z.string(), status: z.enum(ALERT_STATES), count: z.int() }),
  may: "intelligence:read",
});

export const tellAlert = (
  host: Host,
  { id, problemSetId, compartments, monitorId, status, count }: Alert,
): Promise<unknown> =>
  live(host, {
    event: AlertRaised,
    to: { problemSetId, compartments },
    data: { id, monitorId, status, count },
  });

/** An article, as far as an alert tells of it. */
export interface Sighting {
  id: number;
  storyId: string;
  title: string;
  at: string;
}

interface Raised {
  id: string;
  storyId?: string;
  title: string;
  window: number;
  until: number;
  rate?: Alert["rate"];
}

/** Raises an alert, or counts one up by what it has not counted: done again after a kill it comes to the same. */
export async function raise(
  host: Host,
  monitor: Monitor,
  raised: Raised,
  sightings: readonly Sighting[],
): Promise<Alert> {
  const { id: monitorId, problemSetId, compartments, kind, name } = monitor;
  const { window, until, ...said } = raised;
  const ats = sightings.map(({ at }) => at).sort();
  const ids = [...new Set(sightings.map(({ id }) => id))].slice(0, MOST_COUNTED);
  const store = host.store(Alert);
  const { record, made } = await store.createOnce(
    MESH,
    {
      ...said,
      ...{ problemSetId, compartments, monitorId, monitor: name, kind, status: "open" },
      ...{ window: iso(window), until: iso(until), count: ids.length, articles: ids },
      ...{ firstAt: ats[0], lastAt: ats.at(-1) },
    },
    {
      facts: (alert: Alert) => [
        ThreatAlerted.fact(alert.id, {
          ...{ id: alert.id, problemSetId, compartments, monitorId, by: monitor.createdBy },
          title: shortened(alert.title),
          ...(alert.storyId !== undefined && { storyId: alert.storyId }),
        }),
      ],
    },
  );
  const counted = made
    ? null
    : await store.amend(MESH, record.id, (alert) => {
        const articles = [...new Set([...alert.articles, ...ids])].slice(0, MOST_COUNTED);
        if (articles.length === alert.articles.length) return null;
        const [firstAt, lastAt] = [alert.firstAt, alert.lastAt, ...ats]
          .sort()
          .filter((_, at, all) => at === 0 || at === all.length - 1);
        return { articles, count: articles.length, firstAt, lastAt };
      });
  if (made || counted) await tellAlert(host, counted ?? record);
  return counted ?? record;
}

/** Stories that fit: an alert each, in the window in which each of their articles came. */
export async function raiseStories(host: Host, monitor: Monitor, sightings: readonly Sighting[]): Promise<void> {
  const groups = Map.groupBy(sightings, ({ storyId, at }) => `${windowOf(monitor, Date.parse(at))[0]} ${storyId}`);
  for (const same of groups.values()) {
    const { storyId, title, at } = same[0]!;
    const [window, until] = windowOf(monitor, Date.parse(at));
    await raise(host, monitor, { id: alertId(monitor.id, storyId, window), storyId, title, window, until }, same);
  }
}

/** Closes what is open of an alert; answers whether it was. */
async function close(host: Host, id: string): Promise<void> {
  const now = iso(host.world.clock.now());
  const closed = await host
    .store(Alert)
    .amend(MESH, id, ({ status }) => (status === "closed" ? null : { status: "closed", closedAt: now }));
  if (closed) await tellAlert(host, closed);
}

type State = Pick<RateState, "window" | "counted" | "before" | "usual" | "alertId">;

/** The windows that ended before `to`, learnt from; an alert closes with the first that is no longer high. */
async function roll(host: Host, monitor: Monitor, state: State, to: number): Promise<State> {
  const settings = { ...RATE, ...monitor.rate };
  const from = Date.parse(state.window);
  if (to <= from) return state;
  const length = windowOf(monitor, from)[1] - from;
  const empty = Math.min(MOST_EMPTY, Math.round((to - from) / length) - 1);
  let usual: Usual = ended(state.usual, state.counted.length, settings);
  for (let at = 0; at < empty; at++) usual = ended(usual, 0, settings);
  const isOver = state.alertId !== undefined && usual.high === 0;
  if (isOver) await close(host, state.alertId!);
  return {
    window: iso(to),
    counted: [],
    before: empty > 0 ? [] : state.counted,
    usual,
    ...(state.alertId !== undefined && !isOver && { alertId: state.alertId }),
  };
}

/** Articles of one window, counted; an alert where they are too many. */
async function count(host: Host, monitor: Monitor, state: State, sightings: readonly Sighting[]): Promise<State> {
  const before = new Set(state.before);
  const fresh = sightings.flatMap(({ id }) => (before.has(id) ? [] : [id]));
  const counted = [...new Set([...state.counted, ...fresh])].slice(0, MOST_IN_WINDOW);
  const settings = { ...RATE, ...monitor.rate };
  const high = state.usual.high > 0 || isHigh(counted.length, state.usual, settings);
  if (!high || sightings.length === 0) return { ...state, counted };
  const from = Date.parse(state.window);
  const [window, until] = windowOf(monitor, from);
  const { opens, clears } = limitsOf(state.usual, settings);
  const id = state.alertId ?? alertId(monitor.id, undefined, window);
  const title = `${monitor.name}: ${counted.length} in a window, usually ${state.usual.mean.toFixed(1)}`;
  const rate = { usual: state.usual.mean, opens, clears };
  const all = counted.map((one) => ({ id: one, at: state.window, storyId: "", title }));
  await raise(host, monitor, { id, title, window, until, rate }, [...all, ...sightings]);
  return { ...state, counted, usual: { ...state.usual, high: Math.max(1, state.usual.high) }, alertId: id };
}

/** What came is counted by windows, up to now; what a kill left half done comes to the same. */
export async function countRate(host: Host, monitor: Monitor, sightings: readonly Sighting[]): Promise<void> {
  const { id, problemSetId, compartments, createdAt } = monitor;
  const now = windowOf(monitor, host.world.clock.now())[0];
  const began = windowOf(monitor, Date.parse(createdAt))[0];
  const store = host.store(RateState);
  const empty = { window: iso(began), counted: [], before: [], usual: UNKNOWN };
  const record =
    (await store.one(MESH, { _id: id })) ??
    (await store.createOnce(MESH, { id, problemSetId, compartments, ...empty })).record;
  let state: State = record;
  const byWindow = Map.groupBy(sightings, ({ at }) => windowOf(monitor, Date.parse(at))[0]);
  for (const [window, these] of [...byWindow].sort(([one], [other]) => one - other)) {
    state = await roll(host, monitor, state, window);
    state = await count(host, monitor, state, these);
  }
  state = await roll(host, monitor, state, now);
  const { window, counted, before, usual, alertId: open } = state;
  if (window === record.window && counted.length === record.counted.length) return;
  await store.revise(MESH, record, { window, counted, before, usual, alertId: open ?? null });
}

/** Acknowledged alerts on stories close when their window is over. */
export async function closeOver(host: Host): Promise<void> {
  const now = iso(host.world.clock.now());
  const over = await host
    .store(Alert)
    .find(MESH, { status: "acknowledged", until: { $lte: now } }, { sort: ["until"], limit: 200 });
  for (const { id, kind } of over) if (kind !== "rate") await close(host, id);
}

/** A monitor came to its end: what a rate opened closes with it. */
export async function closeOf(host: Host, monitorId: string): Promise<void> {
  const open = await host.store(Alert).find(MESH, { monitorId, status: { $in: ["open", "acknowledged"] } });
  for (const { id, kind } of open) if (kind === "rate") await close(host, id);
}
