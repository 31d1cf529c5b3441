import type { Socket } from "node:net";
import type { Exposition } from "../../../core/load/metrics.ts";
import { bytesTaken } from "../../../mesh/private/net.ts";

export interface UnreadBounds {
  /** Unread bytes of one upgraded connection. An answer is alone on its connection, and may be larger. */
  eachBytes: number;
  /** Unread bytes of all connections together. */
  totalBytes: number;
  /** A client that reads nothing for this long while data waits is disconnected. */
  quietMs: number;
}

const BOUNDS: UnreadBounds = { eachBytes: 4 * 2 ** 20, totalBytes: 64 * 2 ** 20, quietMs: 30_000 };
const LOOK_MS = 1_000;
/** The share that remains after making room, so that it is not made again for every answer. */
const LEFT = 0.75;

/** What one connection's client had not read at the last check. */
class Backlog {
  readonly socket: Socket;
  readonly of: Unread;
  /** Bytes kept for this client alone. */
  own = 0;
  /** How many of the last written bytes are kept once for several clients. */
  shared = 0;
  taken = 0;
  isWaiting = false;
  isUpgraded = false;
  /** When the client last read something, or had nothing to read. */
  since = 0;

  constructor(socket: Socket, of: Unread) {
    this.socket = socket;
    this.of = of;
  }
}

const BACKLOG = Symbol("backlog");
const backlogOf = (socket: Socket): Backlog | undefined => (socket as Socket & { [BACKLOG]?: Backlog })[BACKLOG];

/** Call it after writing what may be more than the client reads; `shared` of its bytes are kept for others too. */
export function noteWrite(socket: Socket, shared = 0): void {
  const backlog = socket.writableLength ? backlogOf(socket) : undefined;
  backlog?.of.note(backlog, shared);
}

/**
 * Limits what waits for clients that ask without reading. Each connection is checked once a second: a client that has
 * read nothing for too long is disconnected. Where all together keep too much, those that have read nothing for longest
 * go first.
 */
export class Unread {
  /** How many were disconnected so far. */
  cut = 0;
  readonly #bounds: UnreadBounds;
  readonly #all = new Set<Backlog>();
  #total = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(bounds: Partial<UnreadBounds> = {}) {
    this.#bounds = { ...BOUNDS, ...bounds };
  }

  /** Unread bytes, as of the last check of each connection. */
  get total(): number {
    return this.#total;
  }

  watch(socket: Socket): void {
    const backlog = new Backlog(socket, this);
    (socket as Socket & { [BACKLOG]?: Backlog })[BACKLOG] = backlog;
    this.#all.add(backlog);
    this.#timer ??= setInterval(() => this.#lookAtAll(), Math.min(LOOK_MS, this.#bounds.quietMs / 4)).unref();
    socket.once("close", () => this.#forget(backlog));
  }

  /** Registers a connection that no longer carries requests. */
  upgraded(socket: Socket): void {
    const backlog = backlogOf(socket);
    if (backlog) backlog.isUpgraded = true;
  }

  note(backlog: Backlog, shared: number): void {
    backlog.shared = shared;
    this.#look(backlog, performance.now());
    if (this.#total > this.#bounds.totalBytes) this.#makeRoom(backlog);
  }

  tell(exposition: Exposition): void {
    exposition
      .family("signalmesh_unread_bytes", "gauge", "Bytes that wait for clients to read them.", [[{}, this.#total]])
      .family(
        "signalmesh_unread_cut_total",
        "counter",
        "Clients cut off because they did not read what they asked for.",
        [[{}, this.cut]],
      );
  }

  #look(backlog: Backlog, now: number): void {
    const { writableLength } = backlog.socket;
    const own = Math.max(0, writableLength - backlog.shared);
    this.#total += own - backlog.own;
    backlog.own = own;
    const taken = bytesTaken(backlog.socket);
    if (!writableLength || !backlog.isWaiting || taken !== backlog.taken) backlog.since = now;
    backlog.taken = taken;
    backlog.isWaiting = writableLength > 0;
  }

  #lookAtAll(): void {
    const now = performance.now();
    for (const backlog of this.#all) {
      this.#look(backlog, now);
      if (
        backlog.isWaiting &&
        (now - backlog.since >= this.#bounds.quietMs || (backlog.isUpgraded && backlog.own > this.#bounds.eachBytes))
      )
        this.#cutOff(backlog);
    }
  }

  #makeRoom(newest: Backlog): void {
    const now = performance.now();
    for (const backlog of this.#all) this.#look(backlog, now);
    if (this.#total <= this.#bounds.totalBytes) return;
    const waiting = [...this.#all]
      .filter((backlog) => backlog.own && backlog !== newest)
      .sort((a, b) => a.since - b.since);
    for (const backlog of waiting) {
      if (this.#total <= this.#bounds.totalBytes * LEFT) return;
      this.#cutOff(backlog);
    }
  }

  #cutOff(backlog: Backlog): void {
    this.cut++;
    backlog.socket.destroy();
    this.#forget(backlog);
  }

  #forget(backlog: Backlog): void {
    if (!this.#all.delete(backlog)) return;
    this.#total -= backlog.own;
    if (this.#all.size) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
