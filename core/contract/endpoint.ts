import type { ActionSchema, Service, ServiceSchema } from "moleculer";
import { z } from "zod";
import {
  authorize,
  demandFresh,
  demandScope,
  memberOf,
  sees,
  type Actor,
  type Permit,
  type Within,
} from "../access/access.ts";
import type { Answer, StreamEvent } from "./answer.ts";
import type { Audit } from "../records/audit.ts";
import type { Ctx, Meta } from "../access/caller.ts";
import type { Entity, IdOf, Item } from "../records/entity.ts";
import type { EventType, Subscription } from "../records/event.ts";
import { complaintsAbout } from "./complaints.ts";
import type { Idempotency } from "./idempotency.ts";
import { sha256 } from "../ids.ts";
import { isLarge, shapedInTurns } from "./large-answers.ts";
import type { PersonNames } from "./person-names.ts";
import { referencesIn } from "../access/person-reference.ts";
import type { JobKind } from "../work/job.ts";
import type { Jobs } from "../work/jobs.ts";
import type { LiveType } from "./live.ts";
import type { Medium } from "./media.ts";
import type { Holding } from "../records/personal-data.ts";
import type { Keeping } from "../records/retention.ts";
import type { Waiting } from "../work/waits.ts";
import type { Schedule } from "../work/schedule.ts";
import { forbidden, invalid, notFound, preconditionRequired, Problem, stale } from "../problem.ts";
import { Repeatable } from "./repeatable.ts";
import { hiderOf } from "../access/set-reference.ts";
import type { Store } from "../records/store.ts";
import { streamOf, textOf } from "./stream.ts";
import { MULTIPART, Uploaded, withoutBlob, type Upload } from "./upload.ts";
import type { World } from "../world.ts";

/** What every domain service has under `this`; put there by the domain mixin. */
export interface Host extends Service {
  world: World;
  store<E extends Entity>(entity: E): Store<E>;
  jobs: Jobs;
  audit: Audit;
  idempotency: Idempotency;
  names: PersonNames;
  /**
   * Asks another domain as the mesh itself, in this service's name: what was asked of us was permitted already.
   * `ctx.call` asks as the caller. `timeout` in milliseconds; the mesh's without it.
   */
  ask<T>(action: string, params?: object, options?: { timeout?: number }): Promise<T>;
  /**
   * Aborts when the client of this request has hung up, on whichever node its work is done; heard of for two minutes,
   * or until the promise settles.
   */
  signal(ctx: { requestID?: string | null }, until?: Promise<unknown>): AbortSignal;
}

/** What a `*.service.ts` file exports. */
export interface MeshService {
  name: string;
  settings: { rest: string } & Record<string, unknown>;
  mixins?: Partial<ServiceSchema>[];
  actions?: Record<string, ActionSchema>;
  /** Hints from the mesh, by event name. */
  events?: Record<string, { context: true; handler: (this: any, ctx: any) => Promise<void> | void }>;
  methods?: Record<string, (this: any, ...args: any[]) => unknown>;
  created?(this: any): void;
  started?(this: any): Promise<void>;
  stopped?(this: any): Promise<void>;
}

/** What a domain declares beyond its actions; see the domain mixin. */
export interface DomainParts {
  entities?: readonly Entity[];
  /** Of these, books that the domain keeps for itself: nobody is told how many there are. */
  books?: readonly Entity[];
  hears?: readonly Subscription[];
  /** The events it tells, for those who hear by trait. A function, since Moleculer clones what it finds in a schema. */
  tells?(): readonly EventType<any>[];
  /** Learns of every event that a domain tells, before anything starts or is described. */
  learns?(events: readonly EventType<any>[]): void;
  jobs?: Readonly<Record<string, JobKind>>;
  schedules?: Readonly<Record<string, Schedule>>;
  /** What the domain holds about a person: gathered for their export, dealt with at their erasure. */
  personal?: readonly Holding[];
  /** How long it keeps records that grow for ever. */
  keeps?: readonly Keeping[];
  /** Fields that say when something is due: no wait is longer than its rule, though the clock is set back. */
  waits?: readonly Waiting[];
  /** What it tells open sockets, for the AsyncAPI document. */
  live?: readonly LiveType[];
  /** The action of this service that says what persons are called: `AskNames`. One service of the mesh has it. */
  names?: string;
}

export type Verb = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Rest = `${Verb} /${string}`;

type Shape = z.ZodRawShape;
type FileOut<U> = U extends { file: infer N extends string } ? Record<N, Uploaded> : {};
type Out<S extends Shape> = keyof S extends never ? {} : z.output<z.ZodObject<S>>;
/** A body that is not an object of named fields arrives whole, as `ctx.params.body`. */
type BodyOut<B> = B extends z.ZodType ? { body: z.output<B> } : B extends Shape ? Out<B> : {};

export interface Contract<
  P extends Shape,
  Q extends Shape,
  B extends Shape | z.ZodType,
  A extends Answer,
  E extends Entity,
  U extends Upload | undefined = undefined,
> {
  /** Method and path below the service's `rest`. Absent: callable inside the mesh only. */
  rest?: Rest;
  /** One sentence for people, without a full stop. */
  summary: string;
  /** More, in Markdown: what the documents leave open and we decided. */
  description?: string;
  permit: Permit;
  /**
   * Load this entity by the path parameter `by` (default `id`), behind the barrier, before anything else; or answer
   * 404.
   */
  on?: E;
  by?: string;
  /** Where the record is another domain's: asks that domain for it, unfiltered. What the caller does not see is 404. */
  loads?: (host: Host, id: IdOf<E>) => Promise<Item<E>>;
  /**
   * Lies in a problem set: `set` names the path, query or body parameter, or the field of the loaded record, that holds
   * its id. A stranger gets 404, a member whose role does not allow `may` 403; an absent optional parameter asks for
   * nothing.
   */
  within?: Within;
  /** Needs a proof of person at most five minutes old (403 `STEP_UP_REQUIRED`). */
  stepUp?: true;
  /** A write that must name the revision it was made from: 428 without `If-Match`. */
  mustMatch?: true;
  /** A last word on the loaded record; pure. */
  when?: (actor: Actor, item: Item<E>) => boolean;
  /** Path parameters other than the loaded record's id. */
  path?: P;
  query?: Q;
  body?: B;
  /** Where a body comes in several forms, each of them, for the docs (`oneOf`); `body` names the fields of all. */
  forms?: readonly z.ZodType[];
  returns: A;
  /** Success status; 200 by default, 201 and 202 where something comes into being. */
  status?: number;
  /** Whether an answer says that the work goes on: it is then 202 instead of `status`. */
  accepted?: (value: z.output<A["value"]>) => boolean;
  /** Whether what was to come into being was there already: the answer is then 200 instead of `status`. */
  found?: (value: z.output<A["value"]>) => boolean;
  /** Media types that a JSON body may come in as well, each read as the same value. */
  media?: Readonly<Record<string, Medium>>;
  /** The body may come in gzip or deflate; `bodyLimit` bounds it as sent and as it is then. */
  inflates?: true;
  /** Media type of the body where it is not JSON (`image/*` for all of a kind): it arrives as text in `body`. */
  consumes?: string;
  /** With `consumes`: the body arrives as bytes (a Buffer), whatever its encoding. */
  binary?: true;
  /**
   * The body is a form (multipart/form-data) with one file, kept as a blob while it comes: `body` names its other
   * fields, and the handler finds the file, an `Uploaded`, under its name. It takes the blob over, or removes it.
   */
  upload?: U;
  /** Most bytes of the body; 1 MiB by default. */
  bodyLimit?: number;
  /** Not in the two documents: users of such systems miss it. */
  beyond?: true;
  /**
   * A POST that only asks, and changes nothing: it takes the scope `read`, and is not audited. Every other one takes
   * `write`.
   */
  reads?: true;
  /**
   * A change that the audit log does without: a read mark, the beginning of a ceremony. A name: the book of the log in
   * which it is listed as well, refused or not.
   */
  audit?: false | string;
  /** Other errors than the usual ones, for the docs: status → why. */
  errors?: Readonly<Record<number, string>>;
  /** For the docs: a request body that works. */
  example?: unknown;
  /** Offered to agents as a tool (MCP) of this name; `true` makes one of its action's: `articles_list`. */
  tool?: string | true;
  /** Every answer is told apart by its own seconds of freshness (Cache-Control). */
  cacheSeconds?: number;
  /** A read whose answer nobody keeps: reports that leave the platform. */
  noStore?: true;
  /** `ctx.params` holds path, query and body together, without the loaded record's id. */
  handler(
    this: Host,
    ctx: Ctx<Out<P> & Out<Q> & BodyOut<B> & FileOut<U>>,
    item: Item<E>,
  ): Promise<z.input<A["value"]>> | z.input<A["value"]>;
}

export type AnyContract = Contract<Shape, Shape, Shape | z.ZodType, Answer, any, Upload | undefined>;

export const isShape = (body: Shape | z.ZodType | undefined): body is Shape =>
  body !== undefined && !(body instanceof z.ZodType);

/** Throws 400 VALIDATION_ERROR with a path and a message for each complaint. */
export function parse<S extends z.ZodType>(schema: S, value: unknown, prefix?: string): z.output<S> {
  const result = schema.safeParse(value);
  if (!result.success) throw invalid(complaintsAbout(result.error.issues, schema, prefix));
  return result.data;
}

/** All parameters of an endpoint as one strict object: what its action takes inside the mesh. */
export function parametersOf(contract: AnyContract): z.ZodObject {
  const { path = {}, query = {}, body, on, by = "id", upload } = contract;
  const form: Shape = upload ? { [upload.file]: Uploaded } : {};
  const bodied: Shape = body === undefined ? form : isShape(body) ? { ...body, ...form } : { body };
  const own: Shape = on && contract.rest?.includes(`:${by}`) ? { [by]: on.id } : on ? { [by]: on.id } : {};
  const names = [own, path, query, bodied].flatMap((shape) => Object.keys(shape));
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice) throw new TypeError(`${contract.rest ?? contract.summary}: the parameter ${twice} is declared twice.`);
  return z.strictObject({ ...own, ...path, ...query, ...bodied });
}

/**
 * The id of the problem set a request lies in: from the loaded record, else the parameter, which may still be unparsed.
 */
const setOf = (within: Within, item: Record<string, unknown> | undefined, given: Record<string, unknown>): unknown =>
  item?.[within.set] ?? given[within.set];

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof (value as Promise<unknown> | null | undefined)?.then === "function";

/** The loaded record stands for its id. */
function without({ ...parameters }: Record<string, unknown>, name: string): Record<string, unknown> {
  delete parameters[name];
  return parameters;
}

const isWrite = (contract: { rest?: string }): boolean =>
  contract.rest !== undefined && !contract.rest.startsWith("GET ");
/**
 * The domain in which a credential needs the scope to write, or to read: a permit's noun; the service's own where none
 * is named.
 */
const domainOf = (permit: Permit, host: Host): string => (permit.includes(":") ? permit.split(":")[0]! : host.name);

function checkMatch(meta: Meta, contract: AnyContract, item: { id: string | number; rev: number }): void {
  if (!meta.ifMatch && contract.mustMatch && meta.actor?.via !== "system")
    throw preconditionRequired(contract.on!.title);
  demandMatch(meta.ifMatch, contract.on!.title, item);
}

/**
 * Throws 412 where an If-Match names other revisions. For handlers that find their record themselves: theirs is in
 * `ctx.locals.ifMatch`; a record that is not there yet has the revision 0.
 */
export function demandMatch(
  ifMatch: string | undefined,
  title: string,
  { id, rev }: { id: string | number; rev: number },
): void {
  if (!ifMatch || ifMatch === "*") return;
  const revisions = ifMatch.split(",").map((tag) => /^\s*"r(\d+)[-"]/.exec(tag)?.[1]);
  if (!revisions.includes(String(rev))) throw stale(title, id);
}

/**
 * Turns a contract into a Moleculer action. One order for every endpoint: permit → record behind the barrier, or 404 →
 * input → `when` → handler → answer shaped by `returns`. The contract rides on the handler function, not in the schema:
 * Moleculer deep-clones schemas (which breaks Zod objects) and publishes them to every node.
 */
export function endpoint<
  A extends Answer,
  E extends Entity,
  P extends Shape = {},
  Q extends Shape = {},
  B extends Shape | z.ZodType = {},
  const U extends Upload | undefined = undefined,
>(contract: Contract<P, Q, B, A, E, U>): ActionSchema {
  const { permit, on, by = "id", within, stepUp, when, returns, status } = contract;
  if (contract.tool && !contract.rest)
    throw new TypeError(
      `${contract.summary}: what is a tool has a \`rest\`, for agents call as the gateway's clients do.`,
    );
  const known = (contract.upload
    ? { ...contract, consumes: MULTIPART, binary: true }
    : contract) as unknown as AnyContract;
  const params = parametersOf(known);
  const changes = isWrite(contract) && !contract.reads;
  const writes = changes && contract.audit !== false;
  if (within && !(within.set in params.shape) && !(on && (within.set === "id" || within.set in on.record.shape)))
    throw new TypeError(
      `${contract.rest ?? contract.summary}: within.set names ${within.set}, which is neither a parameter nor a field of the record.`,
    );
  const hide = hiderOf(returns.value);
  const references = returns.body ? referencesIn(returns.value) : null;
  const repeatable = contract.rest?.startsWith("POST ") ?? false;

  /** Whoever asks and what they may do at all: known before anything is read. */
  function admit(host: Host, actor: Actor | undefined): void {
    authorize(actor, permit);
    if (permit === "signed-in" || permit === "self" || (changes && permit !== "public"))
      demandScope(actor, domainOf(permit, host), changes);
    if (stepUp) demandFresh(actor, host.world.clock.now());
  }

  /** A refused write is in the audit log too. */
  async function refused(host: Host, ctx: Ctx<any>, problem: unknown): Promise<never> {
    if (writes && ctx.meta.actor) await host.audit.refusal(ctx, problem as Problem);
    throw problem;
  }

  async function load(host: Host, ctx: Ctx<any>, id: IdOf<E>): Promise<Item<E>> {
    if (!contract.loads) return host.store(on!).get(ctx, id as never);
    const item = await contract.loads(host, id);
    if (!sees(on!.barrier, ctx.meta.actor, item)) throw notFound(on!.title, id as string);
    return item;
  }

  function shaped(
    host: Host,
    ctx: Ctx<any>,
    item: Item<E> | undefined,
    given: unknown,
    actor: Actor | undefined,
  ): unknown {
    if (isLarge(given))
      return shapedInTurns(returns.value, given).then((parsed) => told(host, ctx, item, parsed, actor));
    return told(host, ctx, item, returns.value.parse(given), actor);
  }

  function told(
    host: Host,
    ctx: Ctx<any>,
    item: Item<E> | undefined,
    parsed: unknown,
    actor: Actor | undefined,
  ): unknown {
    const value = hide ? hide(parsed as never, actor) : parsed;
    if (returns.events) return streamOf(host, ctx, value as AsyncIterable<StreamEvent>, returns.events, actor);
    if (returns.pieces) return textOf(host, ctx, value as AsyncIterable<string>);
    // Set after the handler, because calls it made bring their own back in the meta.
    ctx.meta.$statusCode = contract.accepted?.(value as never)
      ? 202
      : contract.found?.(value as never)
        ? 200
        : (status ?? 200);
    ctx.meta.$rev = revisionOf(value) ?? revisionOf(item);
    return value;
  }

  function act(host: Host, ctx: Ctx<any>, item: Item<E> | undefined): unknown {
    // Taken before the handler runs, as calls it makes bring their meta back.
    const { actor } = ctx.meta;
    const given: unknown = contract.handler.call(host, ctx, item as Item<E>);
    return isPromise(given)
      ? given.then((value) => shaped(host, ctx, item, value, actor))
      : shaped(host, ctx, item, given, actor);
  }

  /**
   * What persons are called is told to whoever asked from outside, and is part of no answer that is kept for a
   * repetition.
   */
  async function named(host: Host, setId: unknown, actor: Actor, answer: unknown): Promise<unknown> {
    const value = await answer;
    const found = references!(value, typeof setId === "string" ? setId : undefined);
    if (found.length) await host.names.complete(found, actor);
    return value;
  }

  function proceed(host: Host, ctx: Ctx<any>, item: (Item<E> & { id: string; rev: number }) | undefined): unknown {
    const { actor } = ctx.meta;
    const setId = within ? setOf(within, item, ctx.params ?? {}) : item && on?.barrier && item[on.barrier.set];
    const isForOthers = references && actor && actor.via !== "system" && ctx.level === 1;
    const answer = carryOut(host, ctx, item, within && setId);
    return isForOthers ? named(host, setId, actor, answer) : answer;
  }

  function carryOut(
    host: Host,
    ctx: Ctx<any>,
    item: (Item<E> & { id: string; rev: number }) | undefined,
    setId: unknown,
  ): unknown {
    const { actor, idempotencyKey, repeats, ifMatch, carries } = ctx.meta;
    const given = ctx.params ?? {};
    if (typeof setId === "string") {
      try {
        memberOf(actor, setId, within!.may, { writes: isWrite(contract) && !within!.own });
      } catch (error) {
        return refused(host, ctx, error);
      }
    }
    if (item && isWrite(contract)) checkMatch(ctx.meta, known, item);
    const request = parse(params, given);
    ctx.params = on ? without(request, by) : request;
    if (when && !when(actor!, item as Item<E>))
      throw forbidden(`You may see this ${on!.title}, but not do this with it.`);
    // Taken off one by one: most requests bring none of them, and V8 keeps what it is never asked to delete from in its
    // fast form.
    if (idempotencyKey !== undefined) delete ctx.meta.idempotencyKey;
    if (ifMatch !== undefined) {
      if (!item) ctx.locals.ifMatch = ifMatch;
      delete ctx.meta.ifMatch;
    }
    if (repeats !== undefined) delete ctx.meta.repeats;
    if (carries !== undefined) {
      ctx.locals.carries = carries;
      delete ctx.meta.carries;
    }
    if (repeats && (actor?.via === "system" || actor?.via === "agent"))
      ctx.locals.repeatable = new Repeatable(sha256(`${repeats}\n${ctx.action!.name}`));
    if (!writes && !(repeatable && idempotencyKey)) return act(host, ctx, item);
    const run = async (): Promise<unknown> =>
      writes
        ? host.audit.around(ctx, item && { type: on!.name, id: item.id }, async () => act(host, ctx, item))
        : act(host, ctx, item);
    if (!repeatable || !idempotencyKey) return run();
    return contract.upload
      ? uploadedOnce(host, ctx, idempotencyKey, request, run)
      : host.idempotency.once(ctx, idempotencyKey, request, run);
  }

  /** A request that is answered from what was kept has brought its file in vain. */
  async function uploadedOnce(
    host: Host,
    ctx: Ctx<any>,
    key: string,
    request: Record<string, unknown>,
    run: () => Promise<unknown>,
  ): Promise<unknown> {
    let isRun = false;
    const answer = await host.idempotency.once(ctx, key, withoutBlob(request, contract.upload!), () => {
      isRun = true;
      return run();
    });
    if (!isRun) await host.world.blobs.remove((request[contract.upload!.file] as Uploaded).blob);
    return answer;
  }

  // Waits only for what has to be waited for: the answer of a cheap request is known at once, and Moleculer makes a
  // promise of it.
  function handler(this: Host, ctx: Ctx<any>): unknown {
    if (contract.audit) ctx.locals.book = contract.audit;
    try {
      admit(this, ctx.meta.actor);
    } catch (error) {
      return refused(this, ctx, error);
    }
    if (!on) return proceed(this, ctx, undefined);
    return load(this, ctx, parse(on.id, ctx.params?.[by], by) as IdOf<E>).then((item) =>
      proceed(this, ctx, item as Item<E> & { id: string; rev: number }),
    );
  }
  return {
    visibility: contract.rest ? "published" : "public",
    ...(contract.rest && { rest: contract.rest }),
    handler: Object.assign(handler, { contract: known }),
  } as unknown as ActionSchema;
}

const revisionOf = (value: unknown): number | undefined => {
  const rev = (value as { rev?: unknown } | null | undefined)?.rev;
  return typeof rev === "number" ? rev : undefined;
};
