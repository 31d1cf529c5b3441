import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Link } from "../../../core/load/ring.ts";
import { Lingering, type Bounds } from "./lingering-close.ts";
import { Reply } from "./respond.ts";
import { Unread, type UnreadBounds } from "./write-bounds.ts";

export const MOST_HEADERS = 100;
/** Slow clients are looked for so often. */
const CHECK_MS = 1_000;
/** Requests that one connection may send ahead of its answers. Each is kept with its headers until its turn comes. */
const MOST_AHEAD = 16;

/**
 * The gateway's server: who is slow with the head of a request, or with the whole of it, is answered 408 and cut off.
 * Its times can be changed while it runs.
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
  // One more than is taken: Node leaves out what is over, and so the gateway can tell that there was more.
  server.maxHeadersCount = MOST_HEADERS + 1;
  return server;
};

/**
 * A connection's slot among those that rest. It hangs on the socket itself: a request looks it up, leaves it and takes
 * it again.
 */
class Slot extends Link {
  readonly socket: Socket;
  isRefused = false;
  /** Whether a request is under way on it. */
  isBusy = false;
  /** Requests that came before the one under way was answered. */
  readonly ahead: (() => void)[] = [];

  constructor(socket: Socket) {
    super();
    this.socket = socket;
  }
}

const SLOT = Symbol("slot");
const slotOf = (socket: Socket): Slot | undefined => (socket as Socket & { [SLOT]?: Slot })[SLOT];

/**
 * Bounds the open connections of a server. One more than `most` costs the place of the connection that has waited
 * longest without a request under way: a flood of silent or idle connections displaces itself, and a client that asks
 * at once is served meanwhile.
 */
export class Connections {
  #open = 0;
  /** Connections without a request, longest first. */
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
    // A socket that was upgraded is at work until it closes. Node takes requests as upgrades where anybody listens, so
    // this waits for somebody.
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
   * Whether a request may begin. One that came ahead of an answer waits, and is begun when that one was sent and taken:
   * so a client that sends and does not read keeps one answer waiting, not hundreds. Who sends too many ahead is cut
   * off.
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

  /** A request is under way; `rests` tells that it was answered. */
  works(socket: Socket): void {
    slotOf(socket)?.leave();
  }

  rests(socket: Socket): void {
    const slot = slotOf(socket);
    if (!slot || socket.destroyed) return;
    slot.isBusy = false;
    // Nothing after a refused request, or after a connection's last answer, is read as a request.
    if (slot.isRefused || socket.writableEnded) slot.ahead.length = 0;
    const next = slot.ahead.shift();
    if (next) return next();
    slot.leave();
    slot.join(this.#idle);
  }

  /**
   * Nothing more that comes along on the connection of this request is carried out; where its answer closes the
   * connection, the client is left time to read it.
   */
  refuse(req: IncomingMessage): void {
    const { socket } = req;
    const slot = slotOf(socket);
    if (slot) slot.isRefused = true;
    // Node's HTTP server closes a connection this way, when the last answer on it was written.
    socket.destroySoon = () => {
      if (req.complete) Socket.prototype.destroySoon.call(socket);
      else this.lingering.close(socket);
    };
  }

  isRefused(socket: Socket): boolean {
    return slotOf(socket)?.isRefused ?? false;
  }
}
