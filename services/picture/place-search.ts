import type { z } from "zod";
import type { Caller } from "../../core/access/caller.ts";
import { inStretches, placeAsked, placeParameters } from "../../core/geo/place-query.ts";
import type { Query } from "../../core/records/documents.ts";
import { MOST_ROWS } from "../../core/records/entity.ts";
import { TOTAL_BOUND } from "../../core/records/reading/search.ts";
import type { Rows } from "../../core/records/store.ts";
import { positionOf, type Location } from "./location.ts";

export { placeParameters };

type Somewhere = { [P in keyof typeof placeParameters]?: z.output<(typeof placeParameters)[P]> };
type Asked = Somewhere & { page: number; limit: number; sort?: string; [filter: string]: unknown };

/** The part of a store that a search by place needs. */
interface Located<R> {
  entity: { filter: readonly string[] };
  page(caller: Caller, window: { page: number; limit: number; sort?: string }, also?: Query): Promise<Rows<R>>;
  find(
    caller: Caller,
    query: Query,
    how: { sort: readonly string[]; limit: number; fields: readonly string[] },
  ): Promise<R[]>;
  many(caller: Caller, ids: readonly string[]): Promise<R[]>;
}

/**
 * A page of what the caller sees and fits, and lies where `bbox`, `near` and `within` say: found by stretches of
 * quadkeys, then looked at exactly, so that the total is one of what lies there; `more` where not all were looked at.
 */
export async function pageSomewhere<R extends { id: string; location?: Location | undefined }>(
  store: Located<R>,
  caller: Caller,
  { bbox, near, within, ...window }: Asked,
  also: Query = {},
): Promise<Rows<R>> {
  const place = placeAsked({ bbox, near, within });
  if (!place) return store.page(caller, window, also);
  const equal = Object.fromEntries(
    store.entity.filter.flatMap((name) => (window[name] === undefined ? [] : [[name, window[name]]])),
  );
  const candidates = await store.find(
    caller,
    { ...equal, $and: [inStretches(place), also] },
    { sort: [window.sort ?? "-createdAt"], limit: TOTAL_BOUND + 1, fields: ["location"] },
  );
  const ids = candidates.flatMap(({ id, location }) => (location && place.holds(positionOf(location)) ? [id] : []));
  const limit = Math.min(window.limit, MOST_ROWS);
  const shown = ids.slice((window.page - 1) * limit, window.page * limit);
  const records = new Map((await store.many(caller, shown)).map((one) => [one.id, one]));
  // Of more candidates than are looked at, some may lie there too.
  const isCut = candidates.length > TOTAL_BOUND;
  const total = { total: Math.min(ids.length, TOTAL_BOUND), ...(isCut && { more: true as const }) };
  return { data: shown.flatMap((id) => records.get(id) ?? []), meta: { ...total, page: window.page, limit } };
}
