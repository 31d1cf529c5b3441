import type { Socket } from "node:net";
import type { Exposition } from "../../../core/load/metrics.ts";
import { bytesTaken } from "../../../mesh/private/net.ts";

export interface UnreadBounds {
  /** Bytes that may wait for one upgraded connection. An answer waits alone on its connection, and may be larger. */
  eachBytes: number;
  /** Bytes that may wait for all connections together. */
  totalBytes: number;
  /** A client that takes nothing of what waits for it for so long is cut off. */
  quietMs: number;
}

const BOUNDS: UnreadBounds = { eachBytes: 4 * 2 ** 20, totalBytes: 64 * 2 ** 20, quietMs: 30_000 };
const LOOK_MS = 1_000;
/** What is left when room was made: so that it is not made anew for every answer. */
const LEFT = 0.75;

/** What one connection's client has yet to read, as of the last look. */
class Backlog {
  readonly socket: Socket;
  readonly of: Unread;
  /** Bytes kept for this client alone. */
  own = 0;
  /** How many of the bytes written last are kept once for everybody. */
  shared = 0;
  taken = 0;
  isWaiting = false;
  isUpgraded = false;
  /** When it last took something, or had nothing to take. */
  since = 0;

  constructor(socket: Socket, of: Unread) {
    this.socket = socket;
    this.of = of;
  }
}

const BACKLOG = Symbol("backlog");
const backlogOf = (socket: Socket): Backlog | undefined => (socket as Socket & { [BACKLOG]?: Backlog })[BACKLOG];

/** Call it when something was written that may be more than the client takes; `shared` of its bytes are others' too. */
export function wrote(socket: Socket, shared = 0): void {
  const backlog = socket.writableLength ? backlogOf(socket) : undefined;
  backlog?.of.note(backlog, shared);
}

/**
 * Bounds what waits for clients that ask and do not read. Each connection is looked at once a second: one whose client
 * took nothing for too long is cut off. Where all together keep too much, those go that have taken nothing for longest;
 * who reads is last.
 */
export class Unread {
  /** How many were cut off so far. */
  cut = 0;
  readonly #bounds: UnreadBounds;
  readonly #all = new Set<Backlog>();
  #total = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(bounds: Partial<UnreadBounds> = {}) {
    this.#bounds = { ...BOUNDS, ...bounds };
  }

  /** Bytes that wait, as of the last look at each. */
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

  /** A connection whose bytes from now on follow no request. */
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
