import type { ActionSchema, Service, ServiceSchema } from "moleculer";
import { z } from "zod";
import type { Actor, Permit, Within } from "../access/access.ts";
import type { Answer } from "./answer.ts";
import type { Audit } from "../records/audit.ts";
import type { Ctx } from "../access/caller.ts";
import type { Entity, IdOf, Item } from "../records/entity.ts";
import type { EventType, EventSubscription } from "../events/event.ts";
import type { Idempotency } from "./idempotency.ts";
import type { PersonNames } from "./person-names.ts";
import type { JobKind } from "../work/job.ts";
import type { Jobs } from "../work/jobs.ts";
import type { LiveType } from "./live.ts";
import type { Medium } from "./input/media.ts";
import type { Holding } from "../records/keeping/personal-data.ts";
import type { Keeping } from "../records/keeping/retention.ts";
import type { Showing } from "../events/showing.ts";
import type { Waiting } from "../work/waits.ts";
import type { Schedule } from "../work/schedule.ts";
import type { Store } from "../records/store.ts";
import type { Upload, Uploaded } from "./input/upload.ts";
import type { WebhookType } from "./webhook.ts";
import type { AskRolls, Rolls } from "../access/memberships/rolls.ts";
import type { World } from "../world.ts";

/** What every domain service has under `this`; put there by the domain mixin. */
export interface Host extends Service {
  world: World;
  store<E extends Entity>(entity: E): Store<E>;
  jobs: Jobs;
  audit: Audit;
  idempotency: Idempotency;
  names: PersonNames;
  /** Memberships of persons, as this process holds them. */
  rolls: Rolls;
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
  /** Moleculer's own; a domain's description is that of its tag in the API description. */
  metadata?: { description?: string };
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
  /** Those of them that the domain keeps for itself: nobody is told how many there are. */
  books?: readonly Entity[];
  hears?: readonly EventSubscription[];
  /** The events it tells, for those who hear by trait. A function, since Moleculer clones what it finds in a schema. */
  tells?(): readonly EventType<any>[];
  /**
   * Called with every event that a domain tells and every domain that a key can be confined to, before anything starts
   * or is described.
   */
  learns?(events: readonly EventType<any>[], scopes: readonly string[]): void;
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
  /** Records whose every change open pages are told of. */
  shows?: readonly Showing[];
  /** What it sends to receivers of others, for the OpenAPI document. */
  sends?: readonly WebhookType[];
  /** The action of this service that says what persons are called: `AskNames`. One service of the mesh has it. */
  names?: string;
  /** The actions of this service that tell memberships: all of a person's, or what changed. One service has them. */
  rolls?: Readonly<Record<keyof AskRolls, string>>;
}

export type Verb = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type Rest = `${Verb} /${string}`;

export type Shape = z.ZodRawShape;
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
  /** In neither of the two documents; added because users of such systems expect it. */
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
  /**
   * A POST that ends the credential it is asked under, and answers nothing: a repetition under the same
   * Idempotency-Key and the same credential is told so, although the credential is nobody's by then.
   */
  endsCredential?: true;
  /** Other errors than the usual ones, for the docs: status → why. */
  errors?: Readonly<Record<number, string>>;
  /** For the docs: a request body that works. */
  example?: unknown;
  /** Offered to agents as a tool (MCP) of this name; `true` makes one of its action's: `articles_list`. */
  tool?: string | true;
  /** Reaches a host that its caller names: what comes back is anybody's (`openWorldHint` of the tool). */
  reachesOut?: true;
  /** Seconds for which an answer is fresh (Cache-Control). */
  cacheSeconds?: number;
  /** A read whose answer must not be stored by anybody: a report that leaves the platform. */
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
