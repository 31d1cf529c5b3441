import type { Context } from "moleculer";
import type { z } from "zod";
import type { Entity, IdOf, Item } from "./entity.ts";
import type { Rows } from "./store.ts";

/** Another service's records, typed by its entity alone; the caller's own permits and barriers still apply. */
export const peer = <E extends Entity>(ctx: Pick<Context<any, any>, "call">, entity: E) => ({
  get: (id: IdOf<E>): Promise<Item<E>> => ctx.call(`${entity.name}.get`, { id }),
  list: (query: z.input<z.ZodObject<E["query"]>>): Promise<Rows<Item<E>>> => ctx.call(`${entity.name}.list`, query as object),
});
