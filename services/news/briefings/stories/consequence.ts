import type { Reading } from "./readings.ts";
import type { Story } from "./stories.ts";

/** What a number of people says by itself: one death weighs as much as some fifty people displaced. */
const WEIGHTS: Record<string, number> = {
  deaths: 1,
  injuries: 0.4,
  "people missing": 0.6,
  "people displaced": 0.45,
  cases: 0.45,
};
const SENTENCES = 5;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Of each voice the greatest figure of a subject near the top; of these the median, so that no one voice decides. */
function peopleIn(readings: readonly Reading[], subject: string): number {
  const told = readings.flatMap(({ headline, body }) => {
    const figures = [headline, ...body.slice(0, SENTENCES)]
      .flatMap(({ quantities }) => quantities)
      .filter((figure) => figure.subject === subject)
      .map(({ low }) => low);
    return figures.length > 0 ? [Math.max(...figures)] : [];
  });
  // With several voices, what only one of them tells may be about something else.
  return told.length * 3 >= readings.length ? median(told) : 0;
}

const MOST = 4;

/**
 * How much hangs on a story, 0 to 4: people killed and otherwise stricken, each by the order of magnitude, and the
 * gravity of its words. Soft news has none.
 */
export function consequenceOf({ topic }: Story, readings: readonly Reading[]): number {
  if (topic.news !== "hard") return 0;
  const people = Object.entries(WEIGHTS).map(
    ([subject, weight]) => weight * Math.log10(1 + peopleIn(readings, subject)),
  );
  return Math.min(MOST, Math.max(0, ...people) + 0.6 * topic.gravity);
}
