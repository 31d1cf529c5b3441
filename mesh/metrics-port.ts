import diagnostics from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { VERSION } from "../config/version.ts";
import { Durations, Exposition, OUTCOMES, type Labels } from "../core/load/metrics.ts";
import type { Pressure } from "../core/load/pressure.ts";
import { ProcessMeter } from "../core/load/process-meter.ts";
import { commonsOf } from "../mixins/domain.mixin.ts";
import { inTime } from "../core/work/in-time.ts";
import { tellOfDisk } from "./disk-meter.ts";
import { isConnected } from "./private/moleculer.ts";
import type { CallMeter } from "./metrics.middleware.ts";
import type { Connections } from "../services/gateway/http/connections.ts";
import type { Mesh } from "./mesh.ts";

/** How long a count of the queues is kept: they are counted in the store, however often somebody asks. */
const KEEP_MS = 5_000;
const SEARCH_MS = 2_000;
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const OK = OUTCOMES.indexOf("ok");

/** Responses of every HTTP server of the process but the one that tells of them, by method and class of status. */
class ResponseMeter {
  readonly #began = new WeakMap<IncomingMessage, number>();
  readonly #durations = new Map<string, [Labels, Durations]>();
  #own: Server | undefined;
  readonly #start = (message: unknown): void => {
    const { request, server } = message as { request: IncomingMessage; server: Server };
    if (server !== this.#own) this.#began.set(request, performance.now());
  };
  readonly #finish = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const began = this.#began.get(request);
    if (began === undefined) return;
    const method = METHODS.has(request.method ?? "") ? request.method! : "other";
    const status = `${Math.floor(response.statusCode / 100)}xx`;
    const key = `${method} ${status}`;
    let durations = this.#durations.get(key);
    if (!durations) this.#durations.set(key, (durations = [{ method, status }, new Durations()]));
    durations[1].note(performance.now() - began, OK);
  };

  start(own: Server): void {
    this.#own = own;
    diagnostics.subscribe("http.server.request.start", this.#start);
    diagnostics.subscribe("http.server.response.finish", this.#finish);
  }

  stop(): void {
    diagnostics.unsubscribe("http.server.request.start", this.#start);
    diagnostics.unsubscribe("http.server.response.finish", this.#finish);
  }

  tell(exposition: Exposition): void {
    exposition.durations(
      "signalmesh_http_response_duration_seconds",
      "How long responses took, by method and class of status.",
      this.#durations.values(),
    );
  }
}

/**
 * What waits in the store for this node and others like it. Several nodes tell the same numbers: take their maximum,
 * not their sum.
 */
async function queues(mesh: Mesh, exposition: Exposition): Promise<void> {
  const { jobs, outbox } = commonsOf(mesh.broker);
  const [depths, pending] = await Promise.all([jobs.depths(), outbox.depth()]);
  exposition
    .family(
      "signalmesh_jobs",
      "gauge",
      "Background work that has not ended, by kind and state.",
      depths.map(({ kind, status, count }): [Labels, number] => [{ kind, status }, count]),
    )
    .family("signalmesh_outbox_pending", "gauge", "Records with facts that are still to be told.", [[{}, pending]]);
}

/** A server that is silent must not keep all figures waiting. */
const searchUp = ({ world }: Mesh): Promise<0 | 1> =>
  inTime(world.search.ping(), SEARCH_MS, "no answer in time").then(
    () => 1,
    () => 0,
  );

export interface MetricsPort {
  url: string;
  stop(): Promise<void>;
}

/**
 * Serves Prometheus metrics at /metrics, and nothing else, on HOST:METRICS_PORT, apart from the API so that no proxy
 * publishes it. Undefined where the setting is absent or the port is taken, which it says.
 */
export async function serveMetrics(mesh: Mesh, calls: CallMeter): Promise<MetricsPort | undefined> {
  const { METRICS_PORT: port, HOST: host } = mesh.world.env;
  if (port === undefined) return undefined;
  const own = new ProcessMeter(),
    responses = new ResponseMeter();
  let kept: { at: number; text: Promise<string> } | undefined;
  const gathered = async (): Promise<string> => {
    const exposition = new Exposition();
    exposition.family("signalmesh_info", "gauge", "The version that runs.", [
      [{ version: VERSION, node: mesh.broker.nodeID }, 1],
    ]);
    calls.tell(exposition);
    const gateway = mesh.broker.getLocalService("gateway") as
      | { pressure?: Pressure; connections?: Connections }
      | undefined;
    gateway?.pressure?.tell(exposition);
    gateway?.connections?.unread.tell(exposition);
    responses.tell(exposition);
    commonsOf(mesh.broker).jobs.meter.tell(exposition);
    own.tell(exposition);
    exposition.family("signalmesh_transporter_up", "gauge", "Whether this node is connected with the others.", [
      [{}, isConnected(mesh.broker) ? 1 : 0],
    ]);
    if (!kept || performance.now() - kept.at > KEEP_MS) kept = { at: performance.now(), text: waiting() };
    return `${exposition}${await kept.text}`;
  };
  // The store may be away: then what the process knows of itself is told without it.
  const waiting = async (): Promise<string> => {
    const exposition = new Exposition();
    const up = await queues(mesh, exposition).then(
      () => 1,
      () => 0,
    );
    exposition.family("signalmesh_store_up", "gauge", "Whether the document store could be asked.", [[{}, up]]);
    if (mesh.broker.getLocalService("search"))
      exposition.family("signalmesh_search_up", "gauge", "Whether the search index could be asked.", [
        [{}, await searchUp(mesh)],
      ]);
    await tellOfDisk(mesh.world.env, exposition);
    return String(exposition);
  };
  const server = createServer({ requestTimeout: 5_000 }, async (req, res) => {
    if (req.url !== "/metrics" || req.method !== "GET") return res.writeHead(404).end();
    res
      .writeHead(200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store" })
      .end(await gathered());
  });
  try {
    await once(server.listen(port, host), "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    mesh.broker.logger.warn(`Port ${port} is taken: this node tells no metrics.`);
    return undefined;
  }
  own.start();
  responses.start(server);
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${(server.address() as AddressInfo).port}/metrics`,
    async stop() {
      responses.stop();
      own.stop();
      server.close();
      server.closeAllConnections();
    },
  };
}
