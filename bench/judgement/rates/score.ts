import { ended, isHigh, UNKNOWN } from "../../../services/knowledge/strategic-agents/monitors/rate.ts";
import { fits, watchedArticle } from "../../../services/knowledge/strategic-agents/monitors/monitors.ts";

// node bench/judgement/rates/score.ts: rates that scatter as rare events do, with and without a surge, and what a
// monitor costs.

const SETTINGS = { factor: 3, clear: 1, least: 5 };
const WINDOWS = 2_000;
const SURGES = 500;

let state = 7;
const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
/** A count of rare independent events (Knuth). */
function poisson(mean: number): number {
  const limit = Math.exp(-mean);
  let count = -1;
  for (let product = 1; product > limit; count++) product *= random();
  return count;
}

/** Alerts that open in quiet windows, and the share of surges of one window that open one. */
function figures(mean: number, factor: number): { false: number; found: number; flicker: number } {
  let [usual, opened, closings] = [UNKNOWN, 0, 0];
  for (let at = 0; at < WINDOWS; at++) {
    const count = poisson(mean);
    if (usual.high === 0 && isHigh(count, usual, SETTINGS)) opened++;
    const next = ended(usual, count, SETTINGS);
    if (usual.high > 0 && next.high === 0) closings++;
    usual = next;
  }
  let found = 0;
  for (let at = 0; at < SURGES; at++) {
    let quiet = UNKNOWN;
    for (let before = 0; before < 24; before++) quiet = ended(quiet, poisson(mean), SETTINGS);
    if (quiet.high > 0 || isHigh(poisson(mean * factor), quiet, SETTINGS)) found++;
  }
  return { false: (1_000 * opened) / WINDOWS, found: found / SURGES, flicker: closings };
}

for (const mean of [1, 4, 16, 60])
  for (const factor of [2, 4]) {
    const { false: alarms, found } = figures(mean, factor);
    console.log(
      `usually ${mean}: ${alarms} false alarms in 1,000 windows; ${factor} times as much is found in ${found}`,
    );
  }

const words = Array.from({ length: 500 }, (_, at) => `word${(at * 7_919) % 3_000}`).join(" ");
const article = { title: "A report", summary: "", text: words, sourceName: "Herald", domain: "energy" } as never;
const monitors = Array.from({ length: 2_000 }, (_, at) => ({
  q: `word${at} (word${at + 1} | "word${at} word7") -none`,
}));
for (const monitor of monitors) fits(monitor, watchedArticle(article));
const began = process.cpuUsage();
const one = watchedArticle(article);
const taken = process.cpuUsage(began).user;
const before = process.cpuUsage();
for (const monitor of monitors) fits(monitor, one);
const { user } = process.cpuUsage(before);
console.log(`an article of 500 words: ${taken} us to take apart, ${(user / monitors.length).toFixed(2)} us a monitor`);
