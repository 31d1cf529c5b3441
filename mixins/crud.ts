import type { ActionSchema } from "moleculer";
import type { Permit } from "../core/access.ts";
import { data, list, nothing } from "../core/answer.ts";
import { endpoint, type Rest } from "../core/endpoint.ts";
import type { Entity } from "../core/entity.ts";
import type { EventType } from "../core/event.ts";
import { refuseUnless, type Lifecycle } from "../core/lifecycle.ts";

interface Options {
  list?: Permit;
  get?: Permit;
  create?: Permit;
  /** `PUT /:id` by default (Document 1's and most of Document 2's partial update); `via: "PATCH"` where the catalogue says so. */
  update?: Permit;
  remove?: Permit;
  via?: "PUT" | "PATCH";
  /** Below the service's path, for a domain of several nouns: `/objectives`. */
  at?: string;
  lifecycle?: Lifecycle;
  /** For records in a problem set: what the caller's role there must allow to read and to write. */
  within?: { set: string; read: string; write: string };
  /** Facts told of created, updated and removed records, with `{ id, rev }`. */
  tells?: { created?: EventType; updated?: EventType; removed?: EventType; moved?: Record<string, EventType> };
}

const article = (title: string): string => `${/^[aeiou]/.test(title) ? "an" : "a"} ${title}`;

/** The ordinary actions of one noun, and one for each move of its life cycle. Spread them into a service's `actions`. */
export function crud<E extends Entity>(entity: E, options: Options): Record<string, ActionSchema> {
  const { at = "", via = "PUT", lifecycle, tells = {} } = options;
  const prefix = at ? `${at.slice(1).replaceAll("/", ".")}.` : "";
  const name = entity.title;
  const view = data(entity.view);
  const told = (type: EventType | undefined, { id, rev }: { id: string | number; rev: number }) => (type ? [type.fact(id, { id, rev } as never)] : undefined);
  const actions: Record<string, ActionSchema> = {};
  const reading = options.within && { set: options.within.set, may: options.within.read };
  const writing = options.within && { set: options.within.set, may: options.within.write };
  const rest = (verb: string, tail: string): Rest => `${verb} ${at}${tail}` as Rest;

  if (options.list) actions[`${prefix}list`] = endpoint({
    rest: rest("GET", "/"), summary: `List each ${name} you may see`, permit: options.list, within: reading && entity.filter.includes(reading.set) ? reading : undefined, query: entity.query, returns: list(entity.view),
    handler(ctx) { return this.store(entity).page(ctx, ctx.params as never) as never; },
  });
  if (options.get) actions[`${prefix}get`] = endpoint({
    rest: rest("GET", "/:id"), summary: `Read ${article(name)}`, permit: options.get, within: reading, on: entity, returns: view,
    handler: (_ctx, item) => item as never,
  });
  if (options.create) actions[`${prefix}create`] = endpoint({
    rest: rest("POST", "/"), summary: `Create ${article(name)}`, permit: options.create, within: writing, body: entity.create, returns: view, status: 201,
    async handler(ctx) { return (await this.store(entity).create(ctx, ctx.params as never, { facts: (made) => told(tells.created, made) ?? [] })) as never; },
  });
  if (options.update) actions[`${prefix}update`] = endpoint({
    rest: rest(via, "/:id"), summary: `Change ${article(name)}`, permit: options.update, within: writing, on: entity, body: entity.update, returns: view,
    async handler(ctx, item) {
      return (await this.store(entity).revise(ctx, item, ctx.params as Record<string, unknown>, { facts: told(tells.updated, item as never) })) as never;
    },
  });
  if (options.remove) actions[`${prefix}remove`] = endpoint({
    rest: rest("DELETE", "/:id"), summary: `Remove ${article(name)}`, permit: options.remove, within: writing, on: entity, returns: nothing(), status: 204,
    async handler(ctx, item) {
      await this.store(entity).remove(ctx, item, { facts: told(tells.removed, item as never) });
      return null;
    },
  });
  for (const [move, { from, to, permit, summary, body }] of Object.entries(lifecycle?.moves ?? {})) {
    actions[prefix + move] = endpoint({
      rest: rest("POST", `/:id/${move}`), summary, permit, within: writing, on: entity, body, returns: view,
      async handler(ctx, item) {
        refuseUnless(from, (item as unknown as { status: string }).status, move);
        return (await this.store(entity).revise(ctx, item, { ...(ctx.params as object), status: to }, { facts: told(tells.moved?.[move], item as never) })) as never;
      },
    });
  }
  return actions;
}
