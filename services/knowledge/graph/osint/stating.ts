import type { ExtractedGraph } from "../build/extraction.ts";
import { stated } from "../build/stating.ts";
import { textOfEvent, type Readables } from "../build/texts.ts";
import type { NewStatement } from "../statements/keeping.ts";
import { entityIdOf, type Origin } from "../statements/statements.ts";
import { fold } from "../../../../core/text/words/words.ts";
import type { OsintEvent } from "./osint.ts";

/** What an event is in the graph. */
export const eventEntityId = (problemSetId: string, eventId: string): string =>
  entityIdOf(problemSetId, `event:${eventId}`, "event");

/** An event involves at most so many of those that its texts name: the most often named. */
const MOST_INVOLVED = 20;

/** What is said of an event by itself. */
export function ofEvent(event: OsintEvent): NewStatement[] {
  const text = textOfEvent(event);
  const { id, problemSetId, entityId: subject, title, occurredAt, storyId, place, origin } = event;
  const method = origin === "manual" ? ("manual" as const) : ("heuristic" as const);
  const whole = text.cited({ start: 0, end: title.length });
  const said = { subject, confidence: 1, method, validFrom: occurredAt };
  return [
    stated(text, { ...said, predicate: "name", value: title }, whole),
    stated(text, { ...said, predicate: "type", value: "event" }, whole),
    stated(text, { ...said, predicate: "occurred", value: occurredAt }, whole),
    // In several places a story has an event each: who sees both sees one.
    ...(storyId === undefined
      ? []
      : [stated(text, { ...said, predicate: "identifier", value: `story:${storyId}` }, whole)]),
    ...(place === undefined ? [] : wherein(place)),
  ];

  /** Where it happened, as an entity of its own. */
  function wherein(name: string): NewStatement[] {
    const what = { confidence: 1, method };
    const ground = entityIdOf(problemSetId, `event:${id}`, `place ${fold(name)}`);
    return [
      stated(text, { ...what, subject: ground, predicate: "name", value: name }, whole),
      stated(text, { ...what, subject: ground, predicate: "type", value: "place" }, whole),
      stated(text, { ...said, predicate: "located-in", object: ground }, whole),
    ];
  }
}

/** Whom and what an event involves: what its texts name most often, each with the words that do. */
export function involved(event: OsintEvent, { texts }: Readables, found: readonly ExtractedGraph[]): NewStatement[] {
  const named = new Map<string, { times: number; origin: Origin; at: number }>();
  for (const [at, { entities }] of found.entries())
    for (const { key, forms } of entities) {
      const times = forms.reduce((sum, form) => sum + form.times, 0);
      const known = named.get(key);
      if (known) known.times += times;
      else named.set(key, { times, at, origin: texts[at]!.of.cited(forms[0]!) });
    }
  return [...named]
    .sort(([one, left], [other, right]) => right.times - left.times || (one < other ? -1 : 1))
    .slice(0, MOST_INVOLVED)
    .map(([key, { times, at, origin }]) => {
      const { of } = texts[at]!;
      const object = entityIdOf(of.problemSetId, of.source, key);
      const ends = { subject: event.entityId, predicate: "involves" as const, object };
      return stated(of, { ...ends, confidence: 0.6, method: "heuristic", times, validFrom: event.occurredAt }, origin);
    });
}
