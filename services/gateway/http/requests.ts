import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { CallingOptions, Context, ServiceBroker } from "moleculer";
import type { Limiter } from "../../../adapters/rate-limit/limiter.ts";
import type { Env } from "../../../config/env.ts";
import { authorize, sameAccess, systemActor, type Actor, type Permit } from "../../../core/access/access.ts";
import type { Meta } from "../../../core/access/caller.ts";
import type { Clock } from "../../../core/clock.ts";
import { headerFaults } from "../../../core/contract/headers.ts";
import { newRequestId } from "../../../core/ids.ts";
import type { Flow, Pressure } from "../../../core/load/pressure.ts";
import { invalid, overloaded, Problem } from "../../../core/problem.ts";
import type { Connections } from "./connections.ts";
import { checkFraming } from "./framing.ts";
import type { z } from "zod";
import type { StoredFile } from "../../../core/contract/answer.ts";
import type { Upload } from "../../../core/contract/upload.ts";
import type { Blobs } from "../../../core/records/blobs.ts";
import { Form } from "./uploads.ts";
import type { Health } from "../pages/health.ts";
import { countRequest } from "./rate-limits.ts";
import type { Page } from "../pages/pages.ts";
import { parametersOf, type RequestNames, type Served } from "./request.ts";
import { answer, baseHeaders, isUnread, owedTo, pass, refuse, sendFile } from "./respond.ts";
import type { Router } from "./router.ts";
import { isLong, shed, targetOf } from "./overload-reply.ts";
import type { Streams } from "../live/streams.ts";

const REQUEST_ID = /^[\w.:-]{8,128}$/;

export type Target = ({ endpoint: Served } | { page: Page }) & { flow: Flow };
/** Who asks: at once where they are remembered, or nobody. Throws, or rejects with, 401 or 403. */
export type Asking = Promise<Actor | undefined> | Actor | undefined;

export interface Parts {
  broker: ServiceBroker;
  logger: { error(text: string, fields: object): void };
  router: Router<Target>;
  /** By action, of every endpoint. */
  flows: ReadonlyMap<string, Flow>;
  whoAsks: (req: IncomingMessage) => Asking;
  /** The same, whatever is remembered of them. */
  askAnew: (req: IncomingMessage) => Asking;
  /** Throws 403 under a foreign Host or Origin. */
  guard: (req: IncomingMessage) => void;
  addressOf: (req: IncomingMessage) => string | undefined;
  origin: () => string;
  connections: Connections;
  pressure: Pressure;
  health: Health;
  streams: Streams;
  limiter: Limiter;
  tier: Env["RATE_LIMIT_TIER"];
  clock: Clock;
  /** Where the files of forms go; opened with the first. */
  blobs: () => Blobs;
  /** Resolves when what was read for an answer is durable; nothing where it is. */
  settled: () => Promise<void> | undefined;
  /** Most bytes of one. */
  mostUploaded: number;
}

/**
 * The way of a request through the gateway: route, caller, limit, parameters, action, answer. Waited is only for what
 * has to be waited for; a cheap request knows all but its action's answer at once. A class of its own, and no methods
 * of the service: Moleculer's services are built up property by property, which V8 keeps in a dictionary and is slow to
 * read from.
 */
export class Requests {
  /** How many are not answered yet. */
  underWay = 0;
  readonly #broker: ServiceBroker;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#broker = parts.broker;
    this.#parts = parts;
  }

  /** `isDue`: it has waited for its turn. */
  take(req: IncomingMessage, res: ServerResponse, isDue = false): void {
    const { socket } = req;
    const { connections, pressure, health } = this.#parts;
    if (connections.isRefused(socket) || (!isDue && !connections.mayBegin(socket, () => this.take(req, res)))) return;
    pressure.stir();
    if (!isDue && pressure.strained && this.#waits(req, res)) return;
    const given = req.headers["x-request-id"];
    const names: RequestNames = {
      outside: typeof given === "string" && REQUEST_ID.test(given) ? given : newRequestId(),
      inside: newRequestId(),
    };
    if (health.draining) res.setHeader("Connection", "close");
    this.underWay += 1;
    connections.works(socket);
    res.on("close", () => {
      this.underWay -= 1;
      connections.rests(socket);
      if (!res.writableFinished) void this.#broker.broadcast("gateway.request.abandoned", { requestId: names.inside });
    });
    let served: Served | undefined;
    const failed = (error: unknown): void => this.#failed(error, req, res, served, names.outside);
    try {
      this.#checkFraming(req, res);
      const url = req.url!;
      const at = url.indexOf("?");
      const path = at < 0 ? url : url.slice(0, at);
      const found = this.#locate(
        req.method!,
        path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path,
        res,
        names.outside,
      );
      if (!found) return;
      if ("page" in found.value) return void this.#show(found.value.page, req, res, found.params, names).catch(failed);
      served = found.value.endpoint;
      this.#serve(req, res, served, found.params, at < 0 ? "" : url.slice(at + 1), names).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  #failed(
    error: unknown,
    req: IncomingMessage,
    res: ServerResponse,
    served: Served | undefined,
    requestId: string,
  ): void {
    if (isUnread(req)) this.#parts.connections.refuse(req);
    const problem = refuse(req, res, error, requestId, served?.contract.returns.errors ?? "error");
    if (problem.code >= 500 && problem.type === "INTERNAL")
      this.#parts.logger.error(`${req.method} ${req.url?.split("?")[0]} failed`, {
        requestId,
        error: (error as Error)?.stack ?? String(error),
      });
  }

  /**
   * In a process that is strained a request waits for its endpoint's turn, or is refused before anything is spent on
   * it. Health is told at once.
   */
  #waits(req: IncomingMessage, res: ServerResponse): boolean {
    const { router, pressure, connections, health } = this.#parts;
    const target = targetOf(router, req);
    if (!target || ("page" in target && target.page.isProbe)) return false;
    // Whoever went away meanwhile is not worked for.
    const begin = (): void => {
      if (!res.destroyed) this.take(req, res, true);
    };
    if (pressure.enter(target.flow, begin)) connections.works(req.socket);
    else {
      if (isLong(req)) connections.refuse(req);
      res.on("close", () => connections.rests(req.socket));
      shed(req, res, "page" in target ? "error" : target.endpoint.contract.returns.errors, health.draining);
    }
    return true;
  }

  /**
   * Where a request's bounds are in doubt the connection ends with it: what else came along in it is not carried out.
   */
  #checkFraming(req: IncomingMessage, res: ServerResponse): void {
    try {
      checkFraming(req);
    } catch (error) {
      this.#parts.connections.refuse(req);
      res.setHeader("Connection", "close");
      throw error;
    }
  }

  /** The route of a request; or answers it itself: 404, 405 with Allow, OPTIONS. */
  #locate(method: string, path: string, res: ServerResponse, requestId: string) {
    const { router } = this.#parts;
    const found = router.find(method === "HEAD" ? "GET" : method, path);
    if (found) return found;
    const allowed = router.allowed(path);
    if (!allowed.length)
      throw new Problem(404, "ROUTE_NOT_FOUND", "There is no such address here; /api/docs lists those that are.");
    if (method !== "OPTIONS")
      throw new Problem(405, "METHOD_NOT_ALLOWED", `This address takes ${allowed.join(", ")}.`, {
        headers: { Allow: allowed.join(", ") },
      });
    res.writeHead(204, { ...baseHeaders(requestId), Allow: allowed.join(", ") }).end();
    return undefined;
  }

  async #show(
    page: Page,
    req: IncomingMessage,
    res: ServerResponse,
    params: Record<string, string>,
    names: RequestNames,
  ): Promise<void> {
    if (!page.isProbe && !page.admits) await this.count(undefined, req, res);
    for (const [name, value] of Object.entries({ ...baseHeaders(names.outside), ...owedTo(res) }))
      res.setHeader(name, value);
    const call = <T>(action: string, given: object): Promise<T> =>
      this.#broker.call(action, given, {
        meta: { actor: systemActor("gateway"), requestId: names.outside },
        requestID: names.inside,
      });
    await page.serve(req, res, { params, health: this.#parts.health, names, call });
  }

  #serve(
    req: IncomingMessage,
    res: ServerResponse,
    served: Served,
    inPath: Record<string, string>,
    search: string,
    names: RequestNames,
  ): Promise<void> {
    const { permit, audit } = served.contract;
    // Whom a write with a book of its own is refused to is in the log: the action itself refuses them.
    const admission = this.admit(req, res, typeof audit === "string" ? "signed-in" : permit);
    if (admission instanceof Promise)
      return admission.then((meta) => this.#read(req, res, served, inPath, search, names, meta));
    return this.#read(req, res, served, inPath, search, names, admission);
  }

  #read(
    req: IncomingMessage,
    res: ServerResponse,
    served: Served,
    inPath: Record<string, string>,
    search: string,
    names: RequestNames,
    meta: Meta,
  ): Promise<void> {
    const { upload } = served.contract;
    if (upload) return this.#take(req, res, served, inPath, search, names, meta, upload);
    const reading = parametersOf(req, served, inPath, search);
    if (reading instanceof Promise) return reading.then((params) => this.#call(req, res, served, params, names, meta));
    return this.#call(req, res, served, reading, names, meta);
  }

  /** A form whose file is stored as it comes; a request that is refused leaves nothing of it. */
  async #take(
    req: IncomingMessage,
    res: ServerResponse,
    served: Served,
    inPath: Record<string, string>,
    search: string,
    names: RequestNames,
    meta: Meta,
    upload: Upload,
  ): Promise<void> {
    const { blobs, mostUploaded } = this.#parts;
    const form = new Form(blobs(), upload, mostUploaded);
    try {
      await this.#call(req, res, served, await parametersOf(req, served, inPath, search, form), names, meta);
    } catch (error) {
      await form.dropAfter(error);
      throw error;
    }
  }

  #call(
    req: IncomingMessage,
    res: ServerResponse,
    served: Served,
    params: Record<string, unknown>,
    names: RequestNames,
    meta: Meta,
  ): Promise<void> {
    const faults = headerFaults(req.headers);
    if (faults.length) throw invalid(faults);
    meta.requestId = names.outside;
    const { "idempotency-key": key, "if-match": match } = req.headers;
    if (typeof key === "string") meta.idempotencyKey = key;
    if (match !== undefined) meta.ifMatch = match;
    if (served.contract.returns.events) return this.#follow(req, res, served, params, meta, names.outside);
    return this.#act(req, res, served, params, names, meta, false);
  }

  #act(
    req: IncomingMessage,
    res: ServerResponse,
    served: Served,
    params: Record<string, unknown>,
    names: RequestNames,
    meta: Meta,
    isAnew: boolean,
  ): Promise<void> {
    const call = this.#broker.call(served.action, params, {
      meta,
      requestID: names.inside,
      door: true,
    } as CallingOptions) as Promise<unknown> & { ctx?: Context<unknown, Meta> };
    const told = (value: unknown): unknown => {
      if (served.contract.returns.pieces) return pass(req, res, served, value as Readable, names.outside);
      if (served.contract.returns.stored)
        return sendFile(req, res, this.#parts.blobs(), value as z.output<typeof StoredFile>, names.outside);
      return res.destroyed ? undefined : answer(req, res, served, value, call.ctx?.meta ?? meta, names.outside);
    };
    // Nobody is told what a power cut could still undo.
    const settled = (value: unknown): unknown => this.#parts.settled()?.then(() => told(value)) ?? told(value);
    return call.then(settled, async (error: unknown) => {
      if (isAnew) throw error;
      return this.#act(req, res, served, params, names, await this.#grantedSince(error, req, meta), true);
    }) as Promise<void>;
  }

  guard(req: IncomingMessage): void {
    this.#parts.guard(req);
  }

  /**
   * Calls an action for a page, on behalf of whoever asked for it; in a process that is strained, when it is its
   * endpoint's turn.
   */
  async perform(
    req: IncomingMessage,
    action: string,
    params: Record<string, unknown>,
    meta: Meta,
    names: RequestNames,
  ): Promise<unknown> {
    await this.#turnOf(this.#parts.flows.get(action)!);
    const call = (as: Meta): Promise<unknown> =>
      this.#broker.call(action, params, { meta: { ...as, requestId: names.outside }, requestID: names.inside });
    return call(meta).catch(async (error: unknown) => call(await this.#grantedSince(error, req, meta)));
  }

  #turnOf(flow: Flow): Promise<void> | undefined {
    const { pressure } = this.#parts;
    if (!pressure.strained) return undefined;
    return new Promise((resolve, reject) => {
      if (!pressure.enter(flow, resolve))
        reject(overloaded("More is asked at the moment than can be answered in time; please ask again."));
    });
  }

  /**
   * A refusal, or a denial that something is there, is not given on remembered access alone: what somebody was granted
   * by way of another gateway may not have been heard of here yet. Throws the refusal where they are who they were.
   */
  async #grantedSince(error: unknown, req: IncomingMessage, meta: Meta): Promise<Meta> {
    const { code } = error as Problem,
      { actor } = meta;
    if ((code !== 403 && code !== 404) || !actor) throw error;
    const now = await this.#parts.askAnew(req);
    if (!now || sameAccess(actor, now)) throw error;
    return { ...meta, actor: now };
  }

  /** Who asks and from where, counted against their limit; at once where that is known here. Throws 401, 403 or 429. */
  admit(req: IncomingMessage, res: ServerResponse, permit: Permit): Promise<Meta> | Meta {
    let asking: Asking;
    try {
      asking = this.#whoAsks(req, permit === "public");
    } catch (error) {
      return this.#nobody(req, res, error);
    }
    if (asking instanceof Promise)
      return asking.then(
        (actor) => this.#counted(actor, req, res, permit),
        (error: unknown) => this.#nobody(req, res, error),
      );
    return this.#counted(asking, req, res, permit);
  }

  #whoAsks(req: IncomingMessage, isOpen: boolean, ask = this.#parts.whoAsks): Asking {
    const asking = ask(req);
    if (!isOpen || !(asking instanceof Promise)) return asking;
    return asking.catch((error: unknown) => {
      // What is open to everybody is open to somebody with an old token too.
      if ((error as Problem).code === 401) return undefined;
      throw error;
    });
  }

  /**
   * Whose credential is nobody's is counted by where they are, as who has none. Throws 401 or 403, or 429 where they
   * tried too often.
   */
  async #nobody(req: IncomingMessage, res: ServerResponse, error: unknown): Promise<never> {
    await this.count(undefined, req, res);
    throw error;
  }

  #counted(actor: Actor | undefined, req: IncomingMessage, res: ServerResponse, permit: Permit): Promise<Meta> | Meta {
    const counting = this.count(actor, req, res);
    return counting ? counting.then(() => this.#admitted(actor, req, permit)) : this.#admitted(actor, req, permit);
  }

  #admitted(actor: Actor | undefined, req: IncomingMessage, permit: Permit): Promise<Meta> | Meta {
    const meta = this.#metaOf(actor, req);
    try {
      authorize(actor, permit);
      return meta;
    } catch (error) {
      return this.#grantedSince(error, req, meta).then((anew) => {
        authorize(anew.actor, permit);
        return anew;
      });
    }
  }

  /** Counts a request against the limit of whoever asks. Throws 429; at once where that is known here. */
  count(actor: Actor | undefined, req: IncomingMessage, res: ServerResponse): Promise<void> | undefined {
    const { limiter, tier, addressOf, clock } = this.#parts;
    return countRequest(limiter, tier, actor, () => addressOf(req), res, clock);
  }

  #metaOf(actor: Actor | undefined, req: IncomingMessage): Meta {
    return {
      actor,
      address: this.#parts.addressOf(req),
      origin: this.#parts.origin(),
      agent: req.headers["user-agent"]?.slice(0, 300),
    };
  }

  /** A stream of events: the action is called, and called anew whenever the caller's access changes. */
  #follow(
    req: IncomingMessage,
    res: ServerResponse,
    { action, contract }: Served,
    params: object,
    meta: Meta,
    requestId: string,
  ): Promise<void> {
    const { "last-event-id": last } = req.headers;
    return this.#parts.streams.follow({
      res,
      requestId,
      head: req.method === "HEAD",
      actor: meta.actor,
      lastEventId: typeof last === "string" && last ? last : undefined,
      contentType: contract.returns.contentType,
      identify: async () => this.#whoAsks(req, contract.permit === "public", this.#parts.askAnew),
      open: (actor: Actor | undefined, lastEventId: string | undefined, id: string) =>
        this.#broker.call(
          action,
          { ...params },
          { meta: { ...meta, actor, ...(lastEventId !== undefined && { lastEventId }) }, requestID: id },
        ),
      abandon: (id: string) => void this.#broker.broadcast("gateway.request.abandoned", { requestId: id }),
    });
  }
}
