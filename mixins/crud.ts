import type { ActionSchema } from "moleculer";
import type { Permit } from "../core/access/access.ts";
import { data, list, nothing } from "../core/contract/answer.ts";
import { endpoint, type Host, type Rest } from "../core/contract/endpoint.ts";
import type { Ctx } from "../core/access/caller.ts";
import type { Entity, Item } from "../core/records/entity.ts";
import type { EventType, Fact } from "../core/events/event.ts";
import { refuseUnless, type Lifecycle } from "../core/records/keeping/lifecycle.ts";

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

/**
 * The ordinary actions of one noun, and one for each move of its life cycle. Spread them into a service's `actions`.
 */
export function crud<E extends Entity>(entity: E, options: Options<E>): Record<string, ActionSchema> {
  const {
    at = "",
    via = "PUT",
    clears,
    beyond,
    says = {},
    tools = {},
    example,
    lifecycle,
    derives,
    tells = {},
  } = options;
  const prefix = at ? `${at.slice(1).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}.` : "";
  const name = entity.title;
  const view = data(entity.view);
  const facts = (told: FactSource<E> | undefined, ctx: Ctx<unknown>) =>
    told && ((record: Item<E>): Fact[] => [factOf(told, record, ctx)]);
  const of = (move: string): FactSource<E> | undefined =>
    tells.moved && !isFactSource(tells.moved) ? tells.moved[move] : tells.moved;
  const actions: Record<string, ActionSchema> = {};
  const reading = options.within && { set: options.within.set, may: options.within.read };
  const writing = options.within && { set: options.within.set, may: options.within.write };
  const rest = (verb: string, tail: string): Rest => `${verb} ${at}${tail}` as Rest;

  if (options.list)
    actions[`${prefix}list`] = endpoint({
      rest: rest("GET", "/"),
      summary: `List each ${name} you may see`,
      tool: tools.list,
      permit: options.list,
      within: reading && entity.filter.includes(reading.set) ? reading : undefined,
      query: entity.query,
      returns: list(entity.view),
      beyond,
      description: says.list,
      handler(ctx) {
        return this.store(entity).page(ctx, ctx.params as never) as never;
      },
    });
  if (options.get)
    actions[`${prefix}get`] = endpoint({
      rest: rest("GET", "/:id"),
      summary: `Read ${article(name)}`,
      tool: tools.get,
      permit: options.get,
      within: reading,
      on: entity,
      returns: view,
      beyond,
      description: says.get,
      handler: (_ctx, item) => item as never,
    });
  if (options.create)
    actions[`${prefix}create`] = endpoint({
      rest: rest("POST", "/"),
      summary: `Create ${article(name)}`,
      permit: options.create,
      within: writing,
      body: entity.create,
      returns: view,
      status: 201,
      beyond,
      description: says.create,
      example,
      async handler(ctx) {
        const given = { ...(ctx.params as object), ...derives?.(ctx.params, this) };
        return (await this.store(entity).create(ctx, given, {
          facts: facts(tells.created, ctx),
        })) as never;
      },
    });
  if (options.update)
    actions[`${prefix}update`] = endpoint({
      rest: rest(via, "/:id"),
      summary: `Change ${article(name)}`,
      permit: options.update,
      within: writing,
      on: entity,
      body: clears ? entity.change : entity.update,
      returns: view,
      beyond,
      description: says.update,
      async handler(ctx, item) {
        const given = { ...(ctx.params as object), ...derives?.(ctx.params, this) };
        return (await this.store(entity).revise(ctx, item, given, {
          facts: facts(tells.updated, ctx),
        })) as never;
      },
    });
  if (options.remove)
    actions[`${prefix}remove`] = endpoint({
      rest: rest("DELETE", "/:id"),
      summary: `Remove ${article(name)}`,
      permit: options.remove,
      within: writing,
      on: entity,
      returns: nothing(),
      status: 204,
      beyond,
      description: says.remove,
      async handler(ctx, item) {
        await this.store(entity).remove(ctx, item, { facts: facts(tells.removed, ctx) });
        return null;
      },
    });
  for (const [move, { from, to, permit, summary, body, ...more }] of Object.entries(lifecycle?.moves ?? {})) {
    actions[prefix + move] = endpoint({
      rest: rest("POST", `/:id/${move}`),
      summary,
      permit,
      within: writing,
      on: entity,
      body,
      returns: view,
      beyond,
      ...more,
      async handler(ctx, item) {
        refuseUnless(from, (item as unknown as { status: string }).status, move);
        return (await this.store(entity).revise(
          ctx,
          item,
          { ...(ctx.params as object), status: to },
          { facts: facts(of(move), ctx) },
        )) as never;
      },
    });
  }
  return actions;
}

const isFactSource = <E extends Entity>(told: FactSource<E> | Record<string, EventType>): told is FactSource<E> =>
  typeof told === "function" || typeof told.fact === "function";

function factOf<E extends Entity>(told: FactSource<E>, record: Item<E>, ctx: Ctx<unknown>): Fact {
  if (typeof told === "function") return told(record, ctx);
  const { id, rev } = record as unknown as { id: string | number; rev: number };
  return told.fact(id, { id, rev } as never);
}
