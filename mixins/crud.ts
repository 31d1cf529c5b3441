import type { ActionSchema } from "moleculer";
import type { Permit, Within } from "../core/access/access.ts";
import { data, list, nothing, type Answer } from "../core/contract/answer.ts";
import { endpoint, type Host, type Rest } from "../core/contract/endpoint.ts";
import { actorOf, type Ctx } from "../core/access/caller.ts";
import type { Entity, Item } from "../core/records/entity.ts";
import type { EventType, Fact } from "../core/events/event.ts";
import { refuseUnless, type Lifecycle, type Move } from "../core/records/keeping/lifecycle.ts";

/**
 * How a fact about a record is made: an event, which is given `{ id, rev }`, or a function of the record as it will be
 * and the caller.
 */
type FactSource<E extends Entity> = EventType | ((record: Item<E>, ctx: Ctx<unknown>) => Fact);

interface Options<E extends Entity> {
  list?: Permit;
  get?: Permit;
  create?: Permit;
  /**
   * `PUT /:id` by default (Document 1's and most of Document 2's partial update); `via: "PATCH"` where the catalogue
   * says so.
   */
  update?: Permit;
  remove?: Permit;
  via?: "PUT" | "PATCH";
  /** An update may clear what is optional with null. */
  clears?: true;
  /** Not in the two documents. */
  beyond?: true;
  /** What a reader of the API should know of an action beside its summary. */
  says?: Partial<Record<"list" | "get" | "create" | "update" | "remove", string>>;
  /** Names under which actions are offered to agents (MCP). */
  tools?: Partial<Record<"list" | "get", string>>;
  /** A body that creates one. */
  example?: Record<string, unknown>;
  /** Below the service's path, for a domain of several nouns: `/objectives`. */
  at?: string;
  lifecycle?: Lifecycle;
  /** For records in a problem set: what the caller's role there must allow to read and to write. */
  within?: { set: string; read: string; write: string };
  /** Fields that follow from those given to create or update one. */
  derives?: (given: Record<string, unknown>, host: Host) => Record<string, unknown>;
  /** Facts told of created, updated, removed and moved records; of moves all alike, or by move. */
  tells?: {
    created?: FactSource<E>;
    updated?: FactSource<E>;
    removed?: FactSource<E>;
    moved?: FactSource<E> | Record<string, EventType>;
  };
}

const article = (title: string): string => `${/^(?!us|uni)[aeiou]/.test(title) ? "an" : "a"} ${title}`;

/** What the actions of one noun have in common. */
interface Noun<E extends Entity> extends Options<E> {
  entity: E;
  rest: (verb: string, tail: string) => Rest;
  view: Answer;
  reading: Within | undefined;
  writing: Within | undefined;
}

function nounOf<E extends Entity>(entity: E, options: Options<E>): Noun<E> {
  const { at = "", within } = options;
  return {
    ...options,
    entity,
    rest: (verb, tail) => `${verb} ${at}${tail}` as Rest,
    view: data(entity.view),
    reading: within && { set: within.set, may: within.read },
    writing: within && { set: within.set, may: within.write },
  };
}

const factsOf = <E extends Entity>(told: FactSource<E> | undefined, ctx: Ctx<unknown>) =>
  told && ((record: Item<E>): Fact[] => [factOf(told, record, ctx)]);

/** Those fields of a body that were given, and those that follow from them. */
const derived = <E extends Entity>({ derives }: Noun<E>, given: unknown, host: Host) => ({
  ...(given as object),
  ...derives?.(given as Record<string, unknown>, host),
});

const listing = <E extends Entity>({ entity, rest, reading, tools, beyond, says }: Noun<E>, permit: Permit) =>
  endpoint({
    rest: rest("GET", "/"),
    summary: `List each ${entity.title} you may see`,
    tool: tools?.list,
    permit,
    within: reading && entity.filter.includes(reading.set) ? reading : undefined,
    query: entity.query,
    returns: list(entity.view),
    beyond,
    description: says?.list,
    handler(ctx) {
      return this.store(entity).page(ctx, ctx.params as never) as never;
    },
  });

const getting = <E extends Entity>({ entity, rest, reading, view, tools, beyond, says }: Noun<E>, permit: Permit) =>
  endpoint({
    rest: rest("GET", "/:id"),
    summary: `Read ${article(entity.title)}`,
    tool: tools?.get,
    permit,
    within: reading,
    on: entity,
    returns: view,
    beyond,
    description: says?.get,
    handler: (_ctx, item) => item as never,
  });

function creating<E extends Entity>(noun: Noun<E>, permit: Permit): ActionSchema {
  const { entity, rest, writing, view, beyond, says, example, tells } = noun;
  return endpoint({
    rest: rest("POST", "/"),
    summary: `Create ${article(entity.title)}`,
    permit,
    within: writing,
    body: entity.create,
    returns: view,
    status: 201,
    beyond,
    description: says?.create,
    example,
    async handler(ctx) {
      const facts = factsOf(tells?.created, ctx);
      return (await this.store(entity).create(ctx, derived(noun, ctx.params, this), { facts })) as never;
    },
  });
}

function updating<E extends Entity>(noun: Noun<E>, permit: Permit): ActionSchema {
  const { entity, rest, writing, view, via = "PUT", clears, beyond, says, tells } = noun;
  return endpoint({
    rest: rest(via, "/:id"),
    summary: `Change ${article(entity.title)}`,
    permit,
    within: writing,
    on: entity,
    body: clears ? entity.change : entity.update,
    returns: view,
    beyond,
    description: says?.update,
    async handler(ctx, item) {
      const facts = factsOf(tells?.updated, ctx);
      return (await this.store(entity).revise(ctx, item, derived(noun, ctx.params, this), { facts })) as never;
    },
  });
}

const removing = <E extends Entity>({ entity, rest, writing, beyond, says, tells }: Noun<E>, permit: Permit) =>
  endpoint({
    rest: rest("DELETE", "/:id"),
    summary: `Remove ${article(entity.title)}`,
    permit,
    within: writing,
    on: entity,
    returns: nothing(),
    status: 204,
    beyond,
    description: says?.remove,
    async handler(ctx, item) {
      await this.store(entity).remove(ctx, item, { facts: factsOf(tells?.removed, ctx) });
      return null;
    },
  });

function moving<E extends Entity>(
  { entity, rest, writing, view, beyond, tells }: Noun<E>,
  name: string,
  { from, to, permit, summary, body, by, clears = [], ...more }: Move<string>,
): ActionSchema {
  const moved = tells?.moved;
  const told = moved && !isFactSource(moved) ? moved[name] : moved;
  return endpoint({
    rest: rest("POST", `/:id/${name}`),
    summary,
    permit,
    within: writing,
    on: entity,
    body,
    returns: view,
    beyond,
    ...more,
    async handler(ctx, item) {
      refuseUnless(from, (item as unknown as { status: string }).status, name);
      const cleared = Object.fromEntries(clears.map((field) => [field, null]));
      const change = { ...cleared, ...(ctx.params as object), ...(by && { [by]: actorOf(ctx) }), status: to };
      return (await this.store(entity).revise(ctx, item, change, { facts: factsOf(told, ctx) })) as never;
    },
  });
}

/**
 * The ordinary actions of one noun, and one for each move of its life cycle. Spread them into a service's `actions`.
 */
export function crud<E extends Entity>(entity: E, options: Options<E>): Record<string, ActionSchema> {
  const noun = nounOf(entity, options);
  const { at = "", lifecycle } = options;
  const prefix = at ? `${at.slice(1).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}.` : "";
  const actions: Record<string, ActionSchema> = {
    ...(options.list && { list: listing(noun, options.list) }),
    ...(options.get && { get: getting(noun, options.get) }),
    ...(options.create && { create: creating(noun, options.create) }),
    ...(options.update && { update: updating(noun, options.update) }),
    ...(options.remove && { remove: removing(noun, options.remove) }),
  };
  for (const [name, move] of Object.entries(lifecycle?.moves ?? {})) actions[name] = moving(noun, name, move);
  return Object.fromEntries(Object.entries(actions).map(([name, action]) => [prefix + name, action]));
}

const isFactSource = <E extends Entity>(told: FactSource<E> | Record<string, EventType>): told is FactSource<E> =>
  typeof told === "function" || typeof told.fact === "function";

function factOf<E extends Entity>(told: FactSource<E>, record: Item<E>, ctx: Ctx<unknown>): Fact {
  if (typeof told === "function") return told(record, ctx);
  const { id, rev } = record as unknown as { id: string | number; rev: number };
  return told.fact(id, { id, rev } as never);
}
