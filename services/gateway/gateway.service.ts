import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import ApiGateway from "moleculer-web";
import type { ServiceSchema } from "moleculer";
import { authorize, systemActor, type Actor, type Permit } from "../../core/access.ts";
import { PREFIX, published } from "../../core/catalogue.ts";
import type { Meta } from "../../core/caller.ts";
import { newRequestId } from "../../core/ids.ts";
import { LINE_CHANGED, LIVE_SENT } from "../../core/live.ts";
import { isLoopback, originOf } from "../../core/origin.ts";
import { Flow, Pressure } from "../../core/pressure.ts";
import { didNotBound, forbidden, Problem } from "../../core/problem.ts";
import type { World } from "../../core/world.ts";
import { permitsOf } from "../../config/roles.ts";
import { commonsOf } from "../../mixins/domain.mixin.ts";
import { ActorCache, authenticator, fromHere, type CredentialKind } from "./authentication.ts";
import { answer, baseHeaders, problemOf, refuse } from "./respond.ts";
import { parametersOf, serve, type Served } from "./request.ts";
import { Live } from "./live.ts";
import { Router } from "./router.ts";
import { clientAddress } from "./client-address.ts";
import { Connections, httpServer } from "./connections.ts";
import { checkFraming } from "./framing.ts";
import { countRequest } from "./limits.ts";
import { mcpPage } from "./mcp.ts";
import { Streams } from "./streams.ts";
import { pages, type Page } from "./pages.ts";
import { shed, targetOf } from "./shed.ts";
import { Health } from "./health.ts";

/** Which action knows whose a credential is. */
const IDENTIFY: Record<CredentialKind, string> = { bearer: "auth.identify", key: "keys.identify", session: "auth.identifySession" };
/** How long accepted requests may take to finish when the node stops. */
const DRAIN_MS = 10_000;
const REQUEST_ID = /^[\w.:-]{8,128}$/;
const LOCAL_ADMIN: Actor = { userId: "local", roles: ["system_admin"], via: "off", permits: permitsOf(["system_admin"]) };

type Target = { endpoint: Served; flow: Flow } | { page: Page };

export default {
  name: "gateway",
  mixins: [ApiGateway as unknown as ServiceSchema],
  // Without a route of its own moleculer-web would serve every action of the mesh by name.
  settings: { rest: "/", routes: [{ path: PREFIX, aliases: {}, mappingPolicy: "restrict" }], logRouteRegistration: null, optimizeOrder: false },
  // moleculer-web's own actions are not part of the catalogue.
  actions: { listAliases: false, addRoute: false, removeRoute: false },

  created(this: any) {
    const { world, services } = commonsOf(this.broker);
    const { env } = world;
    this.world = world;
    this.settings.port = env.PORT;
    this.settings.ip = env.HOST;
    this.connections = new Connections(this.server, env.MAX_CONNECTIONS);
    this.addressOf = clientAddress(env.TRUSTED_PROXIES);
    this.refused = new WeakSet<Socket>();
    this.endpoints = services.flatMap((service) => [...published(service)]);
    this.router = new Router<Target>();
    for (const endpoint of this.endpoints) this.router.add(endpoint.method, endpoint.path, { endpoint: serve(endpoint), flow: new Flow() });
    for (const page of [...pages(services, env), mcpPage(this, this.endpoints)]) this.router.add(page.method ?? "GET", page.path, { page });
    // moleculer-web's own table, for the REPL and for whoever asks the service for its routes.
    this.addRoute({ path: PREFIX, mappingPolicy: "restrict", bodyParsers: false, aliases: Object.fromEntries(this.endpoints.map((e: Served) => [`${e.method} ${e.path.slice(PREFIX.length)}`, e.action])) });
    this.cache = new ActorCache(world.clock);
    this.origin = (): string => (this.known ??= originOf(env, (this.server.address() as AddressInfo).port));
    this.authenticate = authenticator({ identify: (kind, credential, req) => this.identify(kind, credential, req), cache: this.cache, origin: this.origin, named: env.PUBLIC_URL !== undefined });
    this.pressure = new Pressure(env.OVERLOAD_DELAY_MS);
    this.underWay = 0;
    this.streams = new Streams();
    this.live = new Live({
      server: this.server, logger: this.logger,
      identify: async (req) => (env.AUTH === "off" ? this.localAdmin(req) : this.authenticate(req, {})),
      fromHere: (req) => fromHere(req, { origin: this.origin, named: env.PUBLIC_URL !== undefined }),
    });
    this.health = new Health(world, this.broker, services.map(({ name }) => name));
  },

  events: {
    /** An account, a membership or a credential changed: what was remembered of it is asked for again. */
    "identity.access.changed": {
      context: true,
      handler(this: any, ctx: any) {
        this.cache.forget(ctx.params?.userId);
        this.live.changed(ctx.params?.userId);
        this.streams.changed(ctx.params?.userId);
      },
    },
    /** What was said while this node, or another, was cut off may not have been heard here: everything remembered is asked for again. */
    [LINE_CHANGED]: { context: true, handler(this: any, ctx: any) { if (ctx.params.stands) this.forgetAll(); else this.cache.forget(); } },
    "$node.connected": { context: true, handler(this: any, ctx: any) { if (ctx.params.reconnected) this.forgetAll(); } },
    [LIVE_SENT]: { context: true, handler(this: any, ctx: any) { this.live.deliver(ctx.params); } },
  },

  methods: {
    forgetAll(this: any): void {
      this.cache.forget();
      this.live.changed();
      this.streams.changed();
    },

    /** In place of moleculer-web's. */
    createServer(this: any) {
      this.server ??= httpServer(this.httpHandler);
    },

    async httpHandler(this: any, req: IncomingMessage, res: ServerResponse, admitted?: true) {
      if (this.refused.has(req.socket)) return;
      if (!admitted && this.pressure.strained && this.waits(req, res)) return;
      const given = req.headers["x-request-id"];
      const requestId = typeof given === "string" && REQUEST_ID.test(given) ? given : newRequestId();
      if (this.health.draining) res.setHeader("Connection", "close");
      const { socket } = req;
      this.underWay += 1;
      this.connections.works(socket);
      res.on("close", () => {
        this.underWay -= 1;
        this.connections.rests(socket);
        if (!res.writableFinished) void this.broker.broadcast("gateway.request.abandoned", { requestId });
      });
      let shape: "error" | "success" = "error";
      try {
        this.checkFraming(req, res);
        const at = req.url!.indexOf("?");
        const path = at < 0 ? req.url! : req.url!.slice(0, at);
        const search = at < 0 ? "" : req.url!.slice(at + 1);
        const found = this.locate(req.method!, path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path, res, requestId);
        if (!found) return;
        if ("page" in found.value) {
          for (const [name, value] of Object.entries(baseHeaders(requestId))) res.setHeader(name, value);
          return await found.value.page.serve(req, res, { params: found.params, health: this.health, requestId, call: (action: string, params: object) => this.broker.call(action, params, { meta: { actor: systemActor("gateway") }, requestID: requestId }) });
        }
        const served: Served = found.value.endpoint;
        shape = served.contract.returns.errors;
        await this.dispatch(req, res, served, found.params, search, requestId);
      } catch (error) {
        const problem = refuse(req, res, error, requestId, shape);
        if (problem.code >= 500 && problem.type === "INTERNAL") this.logger.error(`${req.method} ${req.url?.split("?")[0]} failed`, { requestId, error: (error as Error)?.stack ?? String(error) });
      }
    },

    /** In a process that is strained a request waits for its endpoint's turn, or is refused before anything is spent on it. Pages, health among them, are served at once. */
    waits(this: any, req: IncomingMessage, res: ServerResponse): boolean {
      const target: Target | undefined = targetOf(this.router as Router<Target>, req);
      if (!target || "page" in target) return false;
      // Whoever went away meanwhile is not worked for.
      const begin = (): void => { if (!res.destroyed) void this.httpHandler(req, res, true); };
      if (this.pressure.enter(target.flow, begin)) this.connections.works(req.socket);
      else shed(req, res, target.endpoint.contract.returns.errors, this.health.draining);
      return true;
    },

    /** Where a request's bounds are in doubt the connection ends with it: what else came along in it is not carried out. */
    checkFraming(this: any, req: IncomingMessage, res: ServerResponse): void {
      try {
        checkFraming(req);
      } catch (error) {
        this.refused.add(req.socket);
        res.setHeader("Connection", "close");
        throw error;
      }
    },

    /** The route of a request; or answers it itself: 404, 405 with Allow, OPTIONS. */
    locate(this: any, method: string, path: string, res: ServerResponse, requestId: string) {
      const router: Router<Target> = this.router;
      const found = router.find(method === "HEAD" ? "GET" : method, path);
      if (found) return found;
      const allowed = router.allowed(path);
      if (!allowed.length) throw new Problem(404, "ROUTE_NOT_FOUND", "There is no such address here; /api/docs lists those that are.");
      if (method !== "OPTIONS") throw new Problem(405, "METHOD_NOT_ALLOWED", `This address takes ${allowed.join(", ")}.`, { headers: { Allow: allowed.join(", ") } });
      res.writeHead(204, { ...baseHeaders(requestId), Allow: allowed.join(", ") }).end();
      return undefined;
    },

    async dispatch(this: any, req: IncomingMessage, res: ServerResponse, served: Served, inPath: Record<string, string>, search: string, requestId: string) {
      const { contract, action } = served;
      // Only what has to be waited for is waited for: a cheap request knows all of it at once.
      const admission: Promise<Meta> | Meta = this.admit(req, res, contract.permit);
      const meta = admission instanceof Promise ? await admission : admission;
      const reading = parametersOf(req, served, inPath, search);
      const params = reading instanceof Promise ? await reading : reading;
      const { "idempotency-key": key, "if-match": match } = req.headers;
      if (typeof key === "string") {
        if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw new Problem(400, "VALIDATION_ERROR", "The Idempotency-Key must be 1 to 255 visible ASCII characters.", { details: [{ path: "Idempotency-Key", message: "1 to 255 visible ASCII characters" }] });
        meta.idempotencyKey = key;
      }
      if (match !== undefined) meta.ifMatch = match;
      if (contract.returns.events) return this.follow(req, res, served, params, meta, requestId);
      const call = this.broker.call(action, params, { meta, requestID: requestId, door: true });
      const value = await call;
      if (res.destroyed) return;
      answer(req, res, served, value, call.ctx?.meta ?? meta, requestId);
    },

    /** Who asks and from where, counted against their limit; at once where that is known here. Throws 401, 403 or 429. */
    admit(this: any, req: IncomingMessage, res: ServerResponse, permit: Permit): Promise<Meta> | Meta {
      const welcome = (actor: Actor | undefined): Meta => {
        authorize(actor, permit);
        return { actor, address: this.addressOf(req), origin: this.origin(), agent: req.headers["user-agent"]?.slice(0, 300) };
      };
      const counted = (actor: Actor | undefined): Promise<Meta> | Meta => {
        const counting: Promise<void> | undefined = this.count(actor, req, res);
        return counting ? counting.then(() => welcome(actor)) : welcome(actor);
      };
      const asking: Promise<Actor | undefined> | Actor | undefined = this.whoAsks(req, res, permit === "public");
      return asking instanceof Promise ? asking.then(counted) : counted(asking);
    },

    /** Throws 401 or 403, or 429 where they tried too often. */
    whoAsks(this: any, req: IncomingMessage, res: ServerResponse, open: boolean): Promise<Actor | undefined> | Actor | undefined {
      // Whose credential is nobody's is counted by where they are, as who has none.
      const unknown = async (error: unknown): Promise<never> => {
        await this.count(undefined, req, res);
        throw error;
      };
      try {
        const asking: Promise<Actor | undefined> | Actor | undefined = this.actorOf(req, res, open);
        return asking instanceof Promise ? asking.catch(unknown) : asking;
      } catch (error) {
        return unknown(error);
      }
    },

    count(this: any, actor: Actor | undefined, req: IncomingMessage, res: ServerResponse): Promise<void> | undefined {
      const { env, limiter, clock } = this.world as World;
      return countRequest(limiter, env.RATE_LIMIT_TIER, actor, () => this.addressOf(req), res, clock);
    },

    /** A stream of events: the action is called, and called anew whenever the caller's access changes. */
    follow(this: any, req: IncomingMessage, res: ServerResponse, { action, contract }: Served, params: object, meta: Meta, requestId: string): Promise<void> {
      const { "last-event-id": last } = req.headers;
      return this.streams.follow({
        res, requestId, head: req.method === "HEAD", actor: meta.actor, lastEventId: typeof last === "string" && last ? last.slice(0, 200) : undefined, contentType: contract.returns.contentType,
        identify: async () => this.actorOf(req, res, contract.permit === "public"),
        open: (actor: Actor | undefined, lastEventId: string | undefined, id: string) => this.broker.call(action, { ...params }, { meta: { ...meta, actor, ...(lastEventId !== undefined && { lastEventId }) }, requestID: id }),
        abandon: (id: string) => void this.broker.broadcast("gateway.request.abandoned", { requestId: id }),
      });
    },

    /** With `AUTH=off` whoever reaches the machine is let in, but no page of another site that this machine's browser shows: neither by its own name, nor by one that it leads here. */
    localAdmin(this: any, req: IncomingMessage): Actor {
      const { host = "" } = req.headers;
      const named = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
      if (!isLoopback(named) || !fromHere(req, { origin: this.origin, named: false })) throw forbidden("With AUTH=off, requests come from this machine and its own pages alone.");
      return LOCAL_ADMIN;
    },

    actorOf(this: any, req: IncomingMessage, res: ServerResponse, open: boolean): Promise<Actor | undefined> | Actor | undefined {
      if ((this.world as World).env.AUTH === "off") return this.localAdmin(req);
      const asking: Promise<Actor | undefined> | Actor | undefined = this.authenticate(req, res);
      if (!open || !(asking instanceof Promise)) return asking;
      return asking.catch((error: unknown) => {
        // What is open to everybody is open to somebody with an old token too.
        if ((error as Problem).code === 401) return undefined;
        throw error;
      });
    },

    /** Asks the service that gave the credential out; one that is not running knows nobody. */
    async identify(this: any, kind: CredentialKind, credential: string, req: IncomingMessage): Promise<Actor | null> {
      try {
        const actor: Actor | null = await this.broker.call(IDENTIFY[kind], { credential, address: this.addressOf(req) }, { meta: { actor: systemActor("gateway") } });
        const did = req.headers["x-did"];
        return actor && typeof did === "string" ? await this.asHolderOf(actor, did) : actor;
      } catch (error) {
        if ((error as Error).name === "ServiceNotFoundError" && kind !== "bearer") return null;
        throw problemOf(error);
      }
    },

    /** `X-DID` is a claim, not a proof: it is taken only where that DID is bound to the account. */
    async asHolderOf(this: any, actor: Actor, did: string): Promise<Actor> {
      const bound = did.length <= 2_048 && (await this.broker.call("identity.bound", { userId: actor.userId, did }, { meta: { actor: systemActor("gateway") } }).catch((error: Error) => {
        if (error.name === "ServiceNotFoundError") return false;
        throw error;
      }));
      if (!bound) throw didNotBound();
      return { ...actor, did };
    },
  },

  async started(this: any) {
    this.health.start();
    this.pressure.start();
  },

  /**
   * Finishes what was accepted. First it only says that it is not ready, and that each connection ends with its answer (as long as
   * load balancers need to see it); then it takes no new connections; then the server goes.
   */
  async stopped(this: any) {
    this.health.draining = true;
    this.pressure.stop();
    this.live.close();
    this.streams.close();
    await new Promise((resolve) => setTimeout(resolve, commonsOf(this.broker).world.env.DRAIN_SECONDS * 1_000));
    this.server.close();
    this.server.closeIdleConnections();
    const deadline = Date.now() + DRAIN_MS;
    while (this.underWay && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    this.server.closeAllConnections();
  },
};
