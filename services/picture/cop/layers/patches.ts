import { isDeepStrictEqual } from "node:util";
import type { Steps } from "../../../../core/work/turns.ts";

/** A step of JSON Patch (RFC 6902). */
export type Operation =
  | { op: "add" | "replace"; path: string; value: unknown }
  | { op: "remove"; path: string }
  | { op: "move"; from: string; path: string };

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
/** RFC 6901. */
const pointer = (path: string, name: string): string => `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** Lists other than features are told whole: a ring with another corner is another ring. */
function changed(path: string, before: Json, after: Json): Operation[] {
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  return [
    ...gone.map((name): Operation => ({ op: "remove", path: pointer(path, name) })),
    ...Object.entries(after).flatMap(([name, value]): Operation[] => {
      const at = pointer(path, name);
      if (!Object.hasOwn(before, name)) return [{ op: "add", path: at, value }];
      const was = before[name];
      if (isDeepStrictEqual(was, value)) return [];
      return isObject(was) && isObject(value) ? changed(at, was, value) : [{ op: "replace", path: at, value }];
    }),
  ];
}

/** What makes one spec into another, in steps; features are told from one another by their ids. */
export function* patchBetween(before: Json, after: Json): Steps<Operation[]> {
  const { features: from, ...rest } = before;
  const { features: to, ...others } = after;
  const found = changed("", rest, others);
  if (Array.isArray(from) && Array.isArray(to)) found.push(...(yield* featuresChanged(from as Json[], to as Json[])));
  else
    found.push(...changed("", from === undefined ? {} : { features: from }, to === undefined ? {} : { features: to }));
  return found;
}

function* featuresChanged(from: readonly Json[], to: readonly Json[]): Steps<Operation[]> {
  const found: Operation[] = [];
  const wanted = new Set(to.map(({ id }) => id));
  const present = [...from];
  for (let at = present.length - 1; at >= 0; at--)
    if (!wanted.has(present[at]!["id"])) {
      found.push({ op: "remove", path: `/features/${at}` });
      present.splice(at, 1);
    }
  const known = new Set(present.map(({ id }) => id));
  for (const [at, feature] of to.entries()) {
    const path = `/features/${at}`;
    if (!known.has(feature["id"])) {
      found.push({ op: "add", path, value: feature });
      present.splice(at, 0, feature);
    } else if (present[at]?.["id"] !== feature["id"]) {
      const is = present.findIndex(({ id }, place) => place > at && id === feature["id"]);
      found.push({ op: "move", from: `/features/${is}`, path });
      present.splice(at, 0, ...present.splice(is, 1));
    }
    found.push(...changed(path, present[at]!, feature));
    yield;
  }
  return found;
}
