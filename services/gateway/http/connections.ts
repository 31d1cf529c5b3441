import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Link } from "../../../core/load/ring.ts";
import { Lingering, type Bounds } from "./lingering-close.ts";
import { Reply } from "./respond.ts";
import { Unread, type UnreadBounds } from "./write-bounds.ts";

export const MOST_HEADERS = 100;
/** How often slow clients are looked for. */
const CHECK_MS = 1_000;
/** Requests that one connection may pipeline. Each is kept with its headers until its turn comes. */
const MOST_AHEAD = 16;

/**
 * The gateway's server: a client that is slow with the head of a request, or with all of it, gets 408 and is
 * disconnected. The time limits can be changed while it runs.
 */
export const httpServer = (listener: RequestListener): Server => {
  const server = createServer(
    {
      headersTimeout: 15_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: CHECK_MS,
      requireHostHeader: false,
      ServerResponse: Reply as typeof ServerResponse,
    },
    listener,
  );
  // One more than allowed: Node drops the excess silently, so this is how the gateway notices that there was more.
  server.maxHeadersCount = MOST_HEADERS + 1;
  return server;
};

/**
 * A connection's place in the list of idle ones. It hangs on the socket, so that a request finds, leaves and re-enters
 * it without a search.
 */
class Slot extends Link {
  readonly socket: Socket;
  isRefused = false;
  /** Whether a request is under way on it. */
  isBusy = false;
  /** Requests that arrived before the current one was answered. */
  readonly ahead: (() => void)[] = [];

  constructor(socket: Socket) {
    super();
    this.socket = socket;
  }
}

const SLOT = Symbol("slot");
const slotOf = (socket: Socket): Slot | undefined => (socket as Socket & { [SLOT]?: Slot })[SLOT];

/**
 * Limits a server's open connections. One more than `most` closes the connection that has been idle longest: a flood of
 * silent or idle connections displaces itself, and active clients are served meanwhile.
 */
export class Connections {
  #open = 0;
  /** Connections without a request, the longest idle first. */
  readonly #idle = new Link();
  readonly lingering: Lingering;
  readonly unread: Unread;

  constructor(server: Server, most: number, linger?: Partial<Bounds>, unread?: Partial<UnreadBounds>) {
    this.lingering = new Lingering(linger);
    this.unread = new Unread(unread);
    server.on("connection", (socket: Socket) => {
      this.#open += 1;
      const slot = new Slot(socket);
      (socket as Socket & { [SLOT]?: Slot })[SLOT] = slot;
      slot.join(this.#idle);
      this.unread.watch(socket);
      socket.once("close", () => {
        this.#open -= 1;
        slot.ahead.length = 0;
        slot.leave();
      });
      if (this.#open > most && !this.#idle.isAlone) (this.#idle.after as Slot).socket.destroy();
    });
    // An upgraded socket stays busy until it closes. Node treats requests as upgrades once anybody listens for them,
    // so we only listen after somebody else does.
    server.on("newListener", (event) => {
      if (event === "upgrade" && !server.listenerCount("upgrade"))
        queueMicrotask(() => server.prependListener("upgrade", (_req, socket) => this.#upgraded(socket as Socket)));
    });
  }

  #upgraded(socket: Socket): void {
    this.works(socket);
    this.unread.upgraded(socket);
  }

  /**
   * Whether a request may begin. A pipelined one begins only when the answer before it was sent and taken: a client
   * that sends without reading keeps one answer in memory, not hundreds. A client that pipelines too many is
   * disconnected.
   */
  mayBegin(socket: Socket, begin: () => void): boolean {
    const slot = slotOf(socket);
    if (!slot?.isBusy) {
      if (slot) slot.isBusy = true;
      return true;
    }
    if (slot.ahead.length < MOST_AHEAD) slot.ahead.push(begin);
    else socket.destroy();
    return false;
  }

  /** Marks the connection as busy; `rests` marks it as idle after the answer. */
  works(socket: Socket): void {
    slotOf(socket)?.leave();
  }

  rests(socket: Socket): void {
    const slot = slotOf(socket);
    if (!slot || socket.destroyed) return;
    slot.isBusy = false;
    // Nothing that follows a refused request, or a connection's last answer, is read as a request.
    if (slot.isRefused || socket.writableEnded) slot.ahead.length = 0;
    const next = slot.ahead.shift();
    if (next) return next();
    slot.leave();
    slot.join(this.#idle);
  }

  /**
   * Ignores everything that follows on this request's connection; where the answer closes the connection, the client
   * gets time to read it.
   */
  refuse(req: IncomingMessage): void {
    const { socket } = req;
    const slot = slotOf(socket);
    if (slot) slot.isRefused = true;
    // Node's HTTP server closes a connection by this call, after its last answer was written.
    socket.destroySoon = () => {
      if (req.complete) Socket.prototype.destroySoon.call(socket);
      else this.lingering.close(socket);
    };
  }

  isRefused(socket: Socket): boolean {
    return slotOf(socket)?.isRefused ?? false;
  }
}
