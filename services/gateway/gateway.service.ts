import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import ApiGateway from "moleculer-web";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { authorize, systemActor, type Actor } from "../../core/access/access.ts";
import { PREFIX, published, type PublishedEndpoint } from "../../core/contract/catalogue.ts";
import { liveTypes, topicsOf } from "../../core/contract/documents/asyncapi.ts";
import { headerFaults } from "../../core/contract/headers.ts";
import { HEARS_TOGETHER, LINE_CHANGED, LIVE_SENT, messagesIn } from "../../core/contract/live.ts";
import { originOf } from "../../core/access/origin.ts";
import { Flow, longestWait, Pressure } from "../../core/load/pressure.ts";
import { didCutOff, didNotBound, invalid } from "../../core/problem.ts";
import { commonsOf } from "../../mixins/domain.mixin.ts";
import {
  ActorCache,
  askingAnew,
  authenticator,
  credentialMarker,
  fromHere,
  localAdmin,
  type Authentication,
  type CredentialKind,
} from "./authentication.ts";
import { KeyQuestions } from "./key-questions.ts";
import { problemOf } from "./http/refuse.ts";
import { serve, type Served } from "./http/request.ts";
import { homeOf } from "./http/respond.ts";
import { Requests } from "./http/requests.ts";
import type { TurnTarget } from "./http/admission/turns.ts";
import { Live } from "./live/live.ts";
import { Router } from "./http/router.ts";
import { clientAddress } from "./http/client-address.ts";
import { Connections, httpServer } from "./http/connections.ts";
import { hostGuard } from "./http/hosts.ts";
import { a2aPages } from "./a2a/a2a.ts";
import { mcpPage } from "./mcp/mcp.ts";
import { Streams } from "./live/streams.ts";
import { pages } from "./pages/pages.ts";
import { NodeHealth } from "./pages/health.ts";

/** The action that looks up each kind of credential. */
const IDENTIFY: Record<Exclude<CredentialKind, "key">, string> = {
  bearer: "auth.identify",
  session: "auth.identifySession",
};
/** The share of public endpoints relative to the others: strangers must not crowd out members. */
const OPEN_TO_ALL = 1 / 16;
/** How long accepted requests may take to finish when the node stops. */
const DRAIN_MS = 10_000;
/** After that, how long clients that are still sending a refused request have to read its answer. */
const LINGER_MS = 2_000;

const until = async (isDone: () => boolean, deadline: number): Promise<void> => {
  while (!isDone() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
};

/** Whether an endpoint that makes records has a sibling that reads one by its id below the same address. */
function readsBelow(router: Router<TurnTarget>, { method, path }: Served): boolean {
  const found = method === "POST" ? router.find("GET", `${homeOf(path)}/:made`)?.value : undefined;
  if (!found || "page" in found) return false;
  const {
    path: read,
    contract: { on, by = "id" },
  } = found.endpoint;
  return read.endsWith(on ? `/:${by}` : "/:id");
}

/** What pages and endpoints need from the gateway. */
interface Serving {
  broker: ServiceBroker;
  endpoints: readonly PublishedEndpoint[];
  requests: Requests;
  origin(): string;
}

/** Puts every endpoint and page into the table of routes. */
function fillRouter(gateway: Serving, router: Router<TurnTarget>, flows: ReadonlyMap<string, Flow>): void {
  const { world, services } = commonsOf(gateway.broker);
  const all = gateway.endpoints.map(serve);
  for (const endpoint of all)
    router.add(endpoint.method, endpoint.path, { endpoint, flow: flows.get(endpoint.action)! });
  for (const endpoint of all) endpoint.isReadThere = readsBelow(router, endpoint);
  // One flow for all pages: a client that loads a dozen of them takes one turn among the endpoints, not twelve.
  const shown = new Flow(OPEN_TO_ALL);
  for (const page of pages(services, world.env)) router.add(page.method ?? "GET", page.path, { page, flow: shown });
  const asked = new Flow();
  const spoken = [
    mcpPage(gateway.requests, gateway.endpoints),
    ...a2aPages(gateway.requests, gateway.endpoints, gateway.origin, world),
  ];
  for (const page of spoken) router.add(page.method ?? "GET", page.path, { page, flow: page.admits ? asked : shown });
}

export default {
  name: "gateway",
  metadata: HEARS_TOGETHER,
  mixins: [ApiGateway as unknown as ServiceSchema],
  // Without a route of its own, moleculer-web would serve every action of the mesh by name.
  settings: {
    rest: "/",
    routes: [{ path: PREFIX, aliases: {}, mappingPolicy: "restrict" }],
    logRouteRegistration: null,
    optimizeOrder: false,
  },
  // moleculer-web's own actions are not part of the catalogue.
  actions: { listAliases: false, addRoute: false, removeRoute: false },

  created(this: any) {
    const { world, services } = commonsOf(this.broker);
    const { env } = world;
    this.world = world;
    this.settings.port = env.PORT;
    this.settings.ip = env.HOST;
    this.addressOf = clientAddress(env.TRUSTED_PROXIES);
    this.endpoints = services.flatMap((service) => [...published(service)]);
    // moleculer-web's own table, for the REPL and for callers that ask the service for its routes.
    this.addRoute({
      path: PREFIX,
      mappingPolicy: "restrict",
      bodyParsers: false,
      aliases: Object.fromEntries(
        this.endpoints.map((e: Served) => [`${e.method} ${e.path.slice(PREFIX.length)}`, e.action]),
      ),
    });
    this.cache = new ActorCache(world.clock);
    commonsOf(this.broker).caches.add("actors", { drop: (fits) => this.cache.dropUsers(fits) });
    this.origin = (): string => (this.known ??= originOf(env, (this.server.address() as AddressInfo).port));
    const named = env.PUBLIC_URL !== undefined;
    const ask = <T>(action: string, params: object): Promise<T> =>
      this.broker.call(action, params, { meta: { actor: systemActor("gateway") } });
    this.keys = new KeyQuestions({
      holders: (credentials) => ask("keys.holders", { credentials }),
      account: (userId) => ask("auth.actor", { userId }),
    });
    const authentication: Authentication = {
      identify: (kind, credential, req) => this.identify(kind, credential, req),
      renew: (credential) => this.keys.whose(credential, true),
      cache: this.cache,
      origin: this.origin,
      named,
    };
    const isOff = env.AUTH === "off";
    const whoAsks = isOff ? localAdmin(this.origin) : authenticator(authentication);
    const askAnew = isOff ? whoAsks : askingAnew(authentication, whoAsks);
    this.pressure = new Pressure(longestWait(env));
    this.streams = new Streams();
    this.connections = new Connections(
      this.server,
      env.MAX_CONNECTIONS,
      {},
      {
        eachBytes: env.MAX_UNREAD_BYTES_EACH,
        totalBytes: env.MAX_UNREAD_BYTES,
        quietMs: env.WRITE_TIMEOUT_SECONDS * 1_000,
      },
    );
    this.live = new Live({
      server: this.server,
      logger: this.logger,
      fromHere: (req) => fromHere(req, { origin: this.origin, named }),
      isRefused: ({ socket }) => this.connections.isRefused(socket),
      topics: new Set(topicsOf(liveTypes(services))),
      mostBytes: env.MAX_UNREAD_BYTES_EACH,
      async identify(req) {
        const actor = await askAnew(req);
        if (actor) authorize(actor, "signed-in");
        return actor;
      },
    });
    this.health = new NodeHealth(
      world,
      this.broker,
      services.map(({ name }) => name),
    );
    const router = (this.router = new Router<TurnTarget>());
    const flows = new Map<string, Flow>(
      this.endpoints.map(({ action, contract }: Served) => [
        action,
        new Flow(contract.permit === "public" ? OPEN_TO_ALL : 1),
      ]),
    );
    this.requests = new Requests({
      broker: this.broker,
      logger: this.logger,
      router,
      flows,
      whoAsks,
      guard: hostGuard(env, authentication),
      askAnew,
      credentialMark: isOff ? () => undefined : credentialMarker(authentication),
      addressOf: this.addressOf,
      origin: this.origin,
      connections: this.connections,
      pressure: this.pressure,
      health: this.health,
      streams: this.streams,
      limiter: world.limiter,
      limits: env,
      clock: world.clock,
      blobs: () => world.blobs,
      settled: () => world.documents.settled,
      mostUploaded: env.MAX_UPLOAD_BYTES,
    });
    fillRouter(this, router, flows);
  },

  events: {
    /** An account, a membership or a credential changed: cached actors of that user are looked up again. */
    "identity.access.changed": {
      context: true,
      handler(this: any, ctx: any) {
        this.cache.forget(ctx.params?.userId);
        this.live.changed(ctx.params?.userId);
        this.streams.changed(ctx.params?.userId);
      },
    },
    /**
     * Announcements may have been lost while this node, or another, was disconnected: everything cached is looked up
     * again.
     */
    [LINE_CHANGED]: {
      context: true,
      handler(this: any, ctx: any) {
        if (ctx.params.stands) this.forgetAll();
        else this.cache.forget();
      },
    },
    "$node.connected": {
      context: true,
      handler(this: any, ctx: any) {
        if (ctx.params.reconnected) this.forgetAll();
      },
    },
    /** A node announces itself after it reconnects: parts of what it streamed may be lost. */
    "$node.updated": {
      context: true,
      handler(this: any) {
        this.streams.changed();
      },
    },
    [LIVE_SENT]: {
      context: true,
      handler(this: any, ctx: any) {
        for (const message of messagesIn(ctx.params)) this.live.deliver(message);
      },
    },
  },

  methods: {
    forgetAll(this: any): void {
      this.cache.forget();
      this.live.changed();
      this.streams.changed();
    },

    /** Replaces moleculer-web's own. */
    createServer(this: any) {
      this.server ??= httpServer(this.httpHandler);
      // Runs before moleculer-web's handler, which logs a port in use with its stack trace: the start script says it
      // in one line.
      const refuse = (error: Error): never => {
        throw error;
      };
      this.server.once("error", refuse).once("listening", () => this.server.off("error", refuse));
    },

    httpHandler(this: any, req: IncomingMessage, res: ServerResponse) {
      this.requests.take(req, res);
    },

    /** Asks the service that issued the credential; if it is not running, the credential is nobody's. */
    async identify(this: any, kind: CredentialKind, credential: string, req: IncomingMessage): Promise<Actor | null> {
      try {
        const actor: Actor | null =
          kind === "key"
            ? await this.whoseKey(credential)
            : await this.broker.call(
                IDENTIFY[kind],
                { credential, address: this.addressOf(req) },
                { meta: { actor: systemActor("gateway") } },
              );
        const did = req.headers["x-did"];
        return actor && typeof did === "string" ? await this.asHolderOf(actor, did) : actor;
      } catch (error) {
        if ((error as Error).name === "ServiceNotFoundError" && kind !== "bearer") return null;
        throw problemOf(error);
      }
    },

    /** Nodes of the previous version answer for one key at a time; both versions run side by side during a rollout. */
    whoseKey(this: any, credential: string): Promise<Actor | null> {
      return this.keys.whose(credential).catch((error: Error) => {
        if (error.name !== "ServiceNotFoundError" && error.name !== "ServiceNotAvailableError") throw error;
        return this.broker.call("keys.identify", { credential }, { meta: { actor: systemActor("gateway") } });
      });
    },

    /** `X-DID` is a claim, not a proof: it is accepted only if that DID is bound to the account. */
    async asHolderOf(this: any, actor: Actor, did: string): Promise<Actor> {
      const faults = headerFaults({ "x-did": did });
      if (faults.length) throw invalid(faults);
      const asks = (action: string, params: object): Promise<boolean> =>
        this.broker.call(action, params, { meta: { actor: systemActor("gateway") } }).catch((error: Error) => {
          if (error.name === "ServiceNotFoundError") return false;
          throw error;
        });
      if (!(await asks("identity.bound", { userId: actor.userId, did }))) throw didNotBound();
      if (await asks("discovery.isCutOff", { did })) throw didCutOff();
      return { ...actor, did };
    },
  },

  async started(this: any) {
    this.health.start();
    this.pressure.start();
  },

  /**
   * Finishes accepted requests. First the node only reports that it is not ready, and closes each connection after its
   * answer (for as long as load balancers need to notice); then it accepts no new connections; then it closes the
   * server and the connections that linger too long.
   */
  async stopped(this: any) {
    this.health.draining = true;
    this.pressure.stop();
    this.live.close();
    this.streams.close();
    await new Promise((resolve) => setTimeout(resolve, commonsOf(this.broker).world.env.DRAIN_SECONDS * 1_000));
    this.server.close();
    this.server.closeIdleConnections();
    const deadline = performance.now() + DRAIN_MS;
    await until(() => !this.requests.underWay, deadline);
    await until(() => !this.connections.lingering.size, Math.min(deadline, performance.now() + LINGER_MS));
    this.server.closeAllConnections();
    // moleculer-web delays this call by half a second; it would keep the ending process alive.
    this.regenerateAllAutoAliases.cancel();
  },
};
