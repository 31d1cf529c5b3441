import type { Context } from "moleculer";
import type { z } from "zod";
import { newId } from "../ids.ts";

/**
 * Something that happened, in the form it is stored and carried: CloudEvents 1.0 attributes (id, source, type, subject,
 * time) and the data.
 */
export interface Fact {
  id: string;
  type: string;
  source: string;
  subject: string;
  time: string;
  data: Record<string, unknown>;
}

/** How an event reads in the activity of the problem set that it happened in. */
export interface ActivityTrait {
  /** One sentence, made from what the event tells. */
  words(told: any): string;
  /** What it is about: the kind of record, and the field that holds its id. */
  subject?: readonly [type: string, field: string];
  /** The field that holds the id of a second problem set in which it happened as well. */
  also?: string;
}

/** The same for a known payload, which names the problem set and who did it. */
type ActivityOf<T> = T extends { problemSetId: string; by: string }
  ? { words(told: T): string; subject?: readonly [type: string, field: keyof T & string]; also?: keyof T & string }
  : never;

export interface EventType<P extends z.ZodType = z.ZodType> {
  name: string;
  payload: P;
  activity?: ActivityTrait;
  /** A hint to whoever listens now: lost when nobody does, or when the transporter is away. */
  emit(
    ctx: Context<any, any> | { broker: { broadcast(name: string, data: unknown): Promise<unknown> } },
    data: z.input<P>,
  ): Promise<unknown>;
  /**
   * A fact to store with a record (`store.create(ctx, given, { facts: [X.fact(id, data)] })`): told to every subscriber
   * at least once, kills and outages notwithstanding.
   */
  fact(subject: string | number, data: z.input<P>): Fact;
}

/** What an event is beside what it tells; who reads a trait finds the events that have it in the domains' `tells`. */
interface Traits<P extends z.ZodType> {
  activity?: ActivityOf<z.output<P>>;
}

/** A kind of event, declared once beside its entity: `news.briefing.generated`. */
export function event<P extends z.ZodType>(
  name: `${string}.${string}.${string}`,
  payload: P,
  traits: Traits<P> = {},
): EventType<P> {
  return {
    name,
    payload,
    ...(traits as Pick<EventType<P>, "activity">),
    emit: (ctx, data) =>
      ("broker" in ctx ? ctx.broker : (ctx as Context)).broadcast(
        name,
        payload.parse(data) as object,
      ) as Promise<unknown>,
    fact: (subject, data) => ({
      id: newId(),
      type: name,
      source: "/signalmesh",
      subject: String(subject),
      time: new Date().toISOString(),
      data: payload.parse(data) as Record<string, unknown>,
    }),
  };
}

/**
 * A durable subscription: what a service's `hears` holds. `trait` stands for every event that has it, whoever tells it.
 */
export interface EventSubscription {
  type: string;
  trait?: "activity";
  handler: (this: any, fact: Fact, ctx: any) => Promise<void> | void;
  /** Hears facts that are told at the same time at once, instead; each of them at least once. */
  together?: (this: any, facts: readonly Fact[], ctx: any) => Promise<void>;
}

/** Hears every fact of this kind at least once; the fact's id tells a repetition. */
export const on = <P extends z.ZodType>(
  type: EventType<P>,
  handler: (this: any, data: z.output<P>, fact: Fact, ctx: any) => Promise<void> | void,
): EventSubscription => ({
  type: type.name,
  handler(fact, ctx) {
    return handler.call(this, type.payload.parse(fact.data) as z.output<P>, fact, ctx);
  },
});

/** As `on`, those of a moment together; what is told of one record may stand in it several times. */
export const onTogether = <P extends z.ZodType>(
  type: EventType<P>,
  handler: (this: any, told: readonly z.output<P>[]) => Promise<void>,
): EventSubscription => {
  const together = function (this: any, facts: readonly Fact[]): Promise<void> {
    return handler.call(
      this,
      facts.map(({ data }) => type.payload.parse(data) as z.output<P>),
    );
  };
  return {
    type: type.name,
    handler(fact) {
      return together.call(this, [fact]);
    },
    together,
  };
};

/** Hears every fact whose event has this trait, as they are stored, those of a moment together. */
export const onEvery = (
  trait: "activity",
  together: (this: any, facts: readonly Fact[], ctx: any) => Promise<void>,
): EventSubscription => ({
  type: trait,
  trait,
  handler(fact, ctx) {
    return together.call(this, [fact], ctx);
  },
  together,
});

const isEvent = (value: unknown): value is EventType<any> => {
  const { name, emit, fact } = (value ?? {}) as Partial<EventType>;
  return typeof name === "string" && typeof emit === "function" && typeof fact === "function";
};

/** Every event that these modules export (`import * as gates from "./gates.ts"`): what a domain's `tells` holds. */
export const eventsIn = (...modules: readonly object[]): EventType<any>[] =>
  modules.flatMap((module) => Object.values(module)).filter(isEvent);
