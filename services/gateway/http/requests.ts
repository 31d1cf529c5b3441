import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { CallingOptions, Context, ServiceBroker } from "moleculer";
import { authorize, systemActor, type Actor, type Permit } from "../../../core/access/access.ts";
import type { Meta } from "../../../core/access/caller.ts";
import { headerFaults } from "../../../core/contract/headers.ts";
import type { Doorkeeper } from "../mcp/mcp.ts";
import type { Flow } from "../../../core/load/pressure.ts";
import { invalid } from "../../../core/problem.ts";
import { refuseUnreadable } from "./admission/accept.ts";
import { strictTransport } from "./content.ts";
import { checkFraming } from "./framing.ts";
import type { z } from "zod";
import type { StoredFile } from "../../../core/contract/answer.ts";
import type { Upload } from "../../../core/contract/input/upload.ts";
import type { Blobs } from "../../../core/records/blobs.ts";
import { Form } from "./uploads.ts";
import { Callers, type CallersParts } from "./admission/callers.ts";
import type { Page } from "../pages/pages.ts";
import { parametersOf, type RequestNames, type Served } from "./request.ts";
import { requestNames } from "./request-names.ts";
import { isUnread, sendRefusal, USUAL_ERRORS, type ErrorShape } from "./refuse.ts";
import { sendAnswer, baseHeaders, notedHeaders, pass, sendFile } from "./respond.ts";
import { locate } from "./locate.ts";
import { Turns, type TurnsParts } from "./admission/turns.ts";
import { follow, type Followed } from "../live/following.ts";
import type { Streams } from "../live/streams.ts";

export interface Parts extends CallersParts, TurnsParts {
  broker: ServiceBroker;
  logger: { error(text: string, fields: object): void };
  /** The flow of every endpoint, by action. */
  flows: ReadonlyMap<string, Flow>;
  /** Throws 403 under a foreign Host or Origin. */
  guard: (req: IncomingMessage) => void;
  streams: Streams;
  /** Where uploaded files go; opened on first use. */
  blobs: () => Blobs;
  /** Resolves when what was read for an answer is durable; undefined where it already is. */
  settled: () => Promise<void> | undefined;
  /** The largest upload, in bytes. */
  mostUploaded: number;
}

/**
 * A request's way through the gateway: route, caller, limit, parameters, action, answer. It awaits only what is not
 * known yet; in a cheap request that is the action's answer alone. It is a class and not methods of the service,
 * because V8 keeps Moleculer's services in a slow dictionary mode.
 */
export class Requests implements Doorkeeper {
  /** How many are not answered yet. */
  underWay = 0;
  readonly #broker: ServiceBroker;
  readonly #parts: Parts;
  readonly #callers: Callers;
  readonly #turns: Turns;

  constructor(parts: Parts) {
    this.#broker = parts.broker;
    this.#parts = parts;
    this.#callers = new Callers(parts);
    this.#turns = new Turns(parts);
  }

  /** `isDue`: it has already waited for its turn. */
  take(req: IncomingMessage, res: ServerResponse, isDue = false): void {
    const { socket } = req;
    const { connections, pressure, health } = this.#parts;
    if (connections.isRefused(socket) || (!isDue && !connections.mayBegin(socket, () => this.take(req, res)))) return;
    pressure.stir();
    if (!isDue && pressure.strained && this.#turns.waits(req, res, () => this.take(req, res, true))) return;
    const names = requestNames(req);
    if (health.draining) res.setHeader("Connection", "close");
    this.underWay += 1;
    connections.works(socket);
    res.on("close", () => {
      this.underWay -= 1;
      connections.rests(socket);
      if (!res.writableFinished) void this.#broker.broadcast("gateway.request.abandoned", { requestId: names.inside });
    });
    let shape = USUAL_ERRORS;
    const failed = (error: unknown): void => this.#failed(error, req, res, shape, names.outside);
    try {
      this.#checkFraming(req, res);
      const url = req.url!;
      const at = url.indexOf("?");
      const path = at < 0 ? url : url.slice(0, at);
      const found = locate(
        this.#parts.router,
        req.method!,
        path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path,
        res,
        names.outside,
      );
      if (!found) return;
      if ("page" in found.value) {
        const { page } = found.value;
        shape = page.refusal ?? shape;
        return void this.#show(page, req, res, found.params, names).catch(failed);
      }
      const served = found.value.endpoint;
      shape = served.errors;
      this.#serve(req, res, served, found.params, at < 0 ? "" : url.slice(at + 1), names).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  #failed(error: unknown, req: IncomingMessage, res: ServerResponse, shape: ErrorShape, requestId: string): void {
    if (isUnread(req)) this.#parts.connections.refuse(req);
    const problem = sendRefusal(req, res, error, requestId, shape);
    if (problem.code >= 500 && problem.type === "INTERNAL")
      this.#parts.logger.error(`${req.method} ${req.url?.split("?")[0]} failed`, {
        requestId,
        error: (error as Error)?.stack ?? String(error),
      });
  }

  /**
   * Where it is unclear where a request ends, the connection closes after the answer: nothing else on it is carried
   * out.
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

  async #show(
    page: Page,
    req: IncomingMessage,
    res: ServerResponse,
    params: Record<string, string>,
    names: RequestNames,
  ): Promise<void> {
    if (!page.isProbe && !page.admits) await this.#callers.count(undefined, req, res);
    for (const [name, value] of Object.entries({
      ...baseHeaders(names.outside),
      ...strictTransport(this.#parts.origin()),
      ...notedHeaders(res),
    }))
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
    const { permit, audit, endsCredential } = served.contract;
    // An endpoint with an audit book of its own logs the refused write itself.
    const asked = this.#callers.admit(req, res, typeof audit === "string" ? "signed-in" : permit);
    const admission = endsCredential ? this.#callers.orEnded(req, asked) : asked;
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
    const { upload, returns } = served.contract;
    if (returns.body) refuseUnreadable(req);
    if (upload) return this.#take(req, res, served, inPath, search, names, meta, upload);
    const reading = parametersOf(req, served, inPath, search);
    if (reading instanceof Promise) return reading.then((params) => this.#call(req, res, served, params, names, meta));
    return this.#call(req, res, served, reading, names, meta);
  }

  /** Reads a form and stores its file as it arrives; a refused request leaves no file behind. */
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
    if (served.contract.returns.events)
      return this.follow(req, res, { served, params, meta, requestId: names.outside });
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
      const answered = call.ctx?.meta ?? meta;
      if (served.contract.returns.pieces) return pass(req, res, served, value as Readable, answered, names.outside);
      if (served.contract.returns.stored)
        return sendFile(req, res, this.#parts.blobs(), value as z.output<typeof StoredFile>, names.outside);
      return res.destroyed ? undefined : sendAnswer(req, res, served, value, answered, names.outside);
    };
    // An answer waits until a power cut could no longer undo what it tells.
    const settled = (value: unknown): unknown => this.#parts.settled()?.then(() => told(value)) ?? told(value);
    return call.then(settled, async (error: unknown) => {
      if (isAnew) throw error;
      return this.#act(req, res, served, params, names, await this.#callers.grantedSince(error, req, meta), true);
    }) as Promise<void>;
  }

  guard(req: IncomingMessage): void {
    this.#parts.guard(req);
  }

  /** Calls an action for a page, on behalf of its caller; in an overloaded process, at its endpoint's turn. */
  async perform(
    req: IncomingMessage,
    action: string,
    params: Record<string, unknown>,
    meta: Meta,
    names: RequestNames,
  ): Promise<unknown> {
    await this.#turns.of(this.#parts.flows.get(action)!);
    const call = (as: Meta): Promise<unknown> =>
      this.#broker.call(action, params, { meta: { ...as, requestId: names.outside }, requestID: names.inside });
    return call(meta).catch(async (error: unknown) => call(await this.#callers.grantedSince(error, req, meta)));
  }

  /** The caller and their address, counted against their limit. Throws 401, 403 or 429. */
  admit(req: IncomingMessage, res: ServerResponse, permit: Permit): Promise<Meta> | Meta {
    return this.#callers.admit(req, res, permit);
  }

  /** Counts a further request against the caller's limit. Throws 429. */
  count(actor: Actor | undefined, req: IncomingMessage, res: ServerResponse): Promise<void> | undefined {
    return this.#callers.count(actor, req, res);
  }

  /** The caller as of now, as far as changes of access were announced. Throws 401, 403. */
  async again(req: IncomingMessage, meta: Meta): Promise<Meta> {
    const actor = await this.#callers.whoAsks(req, false);
    authorize(actor, "signed-in");
    return { ...meta, actor };
  }

  /** Streams an action's events to the caller. */
  follow(req: IncomingMessage, res: ServerResponse, followed: Followed): Promise<void> {
    const { streams, askAnew } = this.#parts;
    const isOpen = followed.served.contract.permit === "public";
    const identify = async (): Promise<Actor | undefined> => this.#callers.whoAsks(req, isOpen, askAnew);
    return follow(streams, this.#broker, identify, req, res, followed);
  }
}
