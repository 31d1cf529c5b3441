import type { Context } from "moleculer";
import type { z } from "zod";
import { newId } from "../ids.ts";

/**
 * Something that happened, in the form it is stored and carried: CloudEvents 1.0 attributes (id, source, type, subject, time)
 * and the data.
 */
export interface Fact { id: string; type: string; source: string; subject: string; time: string; data: Record<string, unknown> }

export interface EventType<P extends z.ZodType = z.ZodType> {
  name: string;
  payload: P;
  /** A hint to whoever listens now: lost when nobody does, or when the transporter is away. */
  emit(ctx: Context<any, any> | { broker: { broadcast(name: string, data: unknown): Promise<unknown> } }, data: z.input<P>): Promise<unknown>;
  /** A fact to store with a record (`store.create(ctx, given, { facts: [X.fact(id, data)] })`): told to every subscriber at least once, kills and outages notwithstanding. */
  fact(subject: string | number, data: z.input<P>): Fact;
}

/** A kind of event, declared once beside its entity: `news.briefing.generated`. */
export function event<P extends z.ZodType>(name: `${string}.${string}.${string}`, payload: P): EventType<P> {
  return {
    name,
    payload,
    emit: (ctx, data) => ("broker" in ctx ? ctx.broker : (ctx as Context)).broadcast(name, payload.parse(data) as object) as Promise<unknown>,
    fact: (subject, data) => ({ id: newId(), type: name, source: "/signalmesh", subject: String(subject), time: new Date().toISOString(), data: payload.parse(data) as Record<string, unknown> }),
  };
}

/** A durable subscription: what a service's `hears` holds. */
export interface Subscription { type: string; handler: (this: any, fact: Fact, ctx: any) => Promise<void> | void }

/** Hears every fact of this kind at least once; the fact's id tells a repetition. */
export const on = <P extends z.ZodType>(type: EventType<P>, handler: (this: any, data: z.output<P>, fact: Fact, ctx: any) => Promise<void> | void): Subscription => ({
  type: type.name,
  handler(fact, ctx) { return handler.call(this, type.payload.parse(fact.data) as z.output<P>, fact, ctx); },
});
