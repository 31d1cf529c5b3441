import type { ActionSchema } from "moleculer";
import { z } from "zod";
import {
  authorize,
  demandFresh,
  demandScope,
  memberOf,
  type Actor,
  type Permit,
  type Within,
} from "../access/access.ts";
import { sees } from "../access/barrier.ts";
import type { Answer } from "./answer.ts";
import { answering } from "./answering/answering.ts";
import type { Ctx, Meta } from "../access/caller.ts";
import type { AnyContract, Contract, Host, Shape } from "./contract.ts";
import { TextId, type Entity, type IdOf, type Item } from "../records/entity.ts";
import { sha256 } from "../ids.ts";
import { parametersOf, parse } from "./input/input.ts";
import { referencesIn } from "../access/person-reference.ts";
import { forbidden, notFound, preconditionRequired, Problem, stale } from "../problem.ts";
import { Repeatable } from "./repeatable.ts";
import { MULTIPART, type Uploaded, withoutBlob, type Upload } from "./input/upload.ts";

export { isShape } from "./contract.ts";
export type { AnyContract, Contract, DomainParts, Host, MeshService, Rest, Verb } from "./contract.ts";
export { parametersOf, parse } from "./input/input.ts";

/**
 * The id of the problem set a request lies in: from the loaded record, else the parameter, which may still be unparsed.
 */
const setOf = (within: Within, item: Record<string, unknown> | undefined, given: Record<string, unknown>): unknown =>
  item?.[within.set] ?? given[within.set];

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof (value as Promise<unknown> | null | undefined)?.then === "function";

/** The loaded record stands for its id. Left out and not deleted: V8 would keep what remains in a hash table. */
function without(name: string, { [name]: _loaded, ...others }: Record<string, unknown>): Record<string, unknown> {
  return others;
}

const isWrite = (contract: { rest?: string }): boolean =>
  contract.rest !== undefined && !contract.rest.startsWith("GET ");
/**
 * The domain in which a credential needs the scope to write, or to read: a permit's noun; the service's own where none
 * is named.
 */
export const domainOf = (permit: Permit, { name }: { name: string }): string =>
  permit.includes(":") ? permit.split(":")[0]! : name;

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
  // A proxy that compresses makes an ETag weak; it names the same revision.
  const revisions = ifMatch.split(",").map((tag) => /^\s*(?:W\/)?"r(\d+)[-"]/.exec(tag)?.[1]);
  if (!revisions.includes(String(rev))) throw stale(title, id);
}

/**
 * Takes from the meta what concerns this request alone, since calls that its handler makes would be sent it too; what the
 * handler may ask for is in `ctx.locals` from here on.
 */
function takeOver(ctx: Ctx<any>, isLoaded: boolean): void {
  const { meta, locals } = ctx;
  const { actor, idempotencyKey, repeats, ifMatch, carries } = meta;
  if (ifMatch !== undefined && !isLoaded) locals.ifMatch = ifMatch;
  if (carries !== undefined) locals.carries = carries;
  if (repeats && (actor?.via === "system" || actor?.via === "agent"))
    locals.repeatable = new Repeatable(sha256(`${repeats}\n${ctx.action!.name}`));
  // Deleted one by one, and only where present: V8 keeps an object in its fast form while nothing is deleted from it.
  if (idempotencyKey !== undefined) delete meta.idempotencyKey;
  if (ifMatch !== undefined) delete meta.ifMatch;
  if (carries !== undefined) delete meta.carries;
  if (repeats !== undefined) delete meta.repeats;
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
  const { permit, on, by = "id", within, stepUp, when, returns } = contract;
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
      `${contract.rest ?? contract.summary}: within.set names ${within.set}, which is neither a parameter ` +
        "nor a field of the record.",
    );
  const answer = answering(known);
  const references = returns.body ? referencesIn(returns.value) : null;
  const repeatable = contract.rest?.startsWith("POST ") ?? false;
  const edits = /^(?:PATCH|PUT) /.test(contract.rest ?? "");

  /** The caller and what they may do at all: known before anything is read. */
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

  /** A repetition of what ended its own credential is told what the first was; anybody else is refused. */
  async function afterEnd(host: Host, ctx: Ctx<any>, problem: unknown): Promise<unknown> {
    const { idempotencyKey: key, credentialMark } = ctx.meta;
    const isRepeatable = contract.endsCredential && key !== undefined && credentialMark !== undefined;
    const told = isRepeatable && (await host.idempotency.ofEnded(ctx, key, parse(params, ctx.params ?? {})));
    return told ? told.value : refused(host, ctx, problem);
  }

  async function load(host: Host, ctx: Ctx<any>, id: IdOf<E>): Promise<Item<E>> {
    if (!contract.loads) return host.store(on!).get(ctx, id as never);
    const item = await contract.loads(host, id);
    if (!sees(on!.barrier, ctx.meta.actor, item)) throw notFound(on!.title, id as string);
    return item;
  }

  function act(host: Host, ctx: Ctx<any>, item: Item<E> | undefined): unknown {
    // Read before the handler runs: calls that it makes merge their meta into this one.
    const { actor } = ctx.meta;
    const given: unknown = contract.handler.call(host, ctx, item as Item<E>);
    return isPromise(given)
      ? given.then((value) => answer(host, ctx, item, value, actor))
      : answer(host, ctx, item, given, actor);
  }

  /**
   * Names of persons are added for callers from outside only, and are never part of an answer kept for a repetition.
   */
  async function named(host: Host, setId: unknown, actor: Actor, answered: unknown): Promise<unknown> {
    const value = await answered;
    const found = references!(value, typeof setId === "string" ? setId : undefined);
    if (found.length) await host.names.complete(found, actor);
    return value;
  }

  function proceed(host: Host, ctx: Ctx<any>, item: (Item<E> & { id: string; rev: number }) | undefined): unknown {
    const { actor } = ctx.meta;
    const setId = within ? setOf(within, item, ctx.params ?? {}) : item && on?.barrier && item[on.barrier.set];
    const isForOthers = references && actor && actor.via !== "system" && ctx.level === 1;
    const answered = carryOut(host, ctx, item, within && setId);
    return isForOthers ? named(host, setId, actor, answered) : answered;
  }

  function carryOut(
    host: Host,
    ctx: Ctx<any>,
    item: (Item<E> & { id: string; rev: number }) | undefined,
    setId: unknown,
  ): unknown {
    const { actor, idempotencyKey } = ctx.meta;
    const given = ctx.params ?? {};
    if (typeof setId === "string") {
      // What is no id at all is a mistake in a field, and not a problem set that is not there.
      if (!TextId.safeParse(setId).success) parse(params, given);
      try {
        memberOf(actor, setId, within!.may, { writes: isWrite(contract) && !within!.own });
      } catch (error) {
        return refused(host, ctx, error);
      }
    }
    if (item && isWrite(contract)) checkMatch(ctx.meta, known, item);
    const request = parse(params, given);
    ctx.params = on ? without(by, request) : request;
    if (when && !when(actor!, item as Item<E>))
      throw forbidden(`You may see this ${on!.title}, but not do this with it.`);
    takeOver(ctx, item !== undefined);
    if (edits) ctx.locals.edits = true;
    if (!repeatable || !idempotencyKey) return run(host, ctx, item);
    const audited = async (): Promise<unknown> => run(host, ctx, item);
    return contract.upload
      ? uploadedOnce(host, ctx, idempotencyKey, request, audited)
      : host.idempotency.once(ctx, idempotencyKey, request, audited);
  }

  /** Runs the handler; a write is one act of the audit log. */
  const run = (host: Host, ctx: Ctx<any>, item: (Item<E> & { id: string }) | undefined): unknown =>
    writes
      ? host.audit.around(ctx, item && { type: on!.name, id: item.id }, async () => act(host, ctx, item))
      : act(host, ctx, item);

  /** Runs once with an uploaded file; an answer kept from an earlier run does not need the file, which is removed. */
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

  // Awaits only promises: the answer of a cheap request is known at once, and Moleculer makes a promise of it.
  function handler(this: Host, ctx: Ctx<any>): unknown {
    if (contract.audit) ctx.locals.book = contract.audit;
    try {
      admit(this, ctx.meta.actor);
    } catch (error) {
      return ctx.meta.actor ? refused(this, ctx, error) : afterEnd(this, ctx, error);
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
