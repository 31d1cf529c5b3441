import type { Socket } from "node:net";

/** How much of a refused request is waited for: bytes and times of one connection, and how many connections at once. */
export interface Bounds {
  bytes: number;
  /** Since the last byte came. */
  quietMs: number;
  totalMs: number;
  connections: number;
}

const BOUNDS: Bounds = { bytes: 64 * 2 ** 20, quietMs: 5_000, totalMs: 30_000, connections: 1_000 };

/**
 * Closes connections on which an answer went out before the request had come to its end (RFC 9112, 9.6). Closed at once
 * they would be reset under a client that still writes, which could then not read its answer. So only our half is
 * closed, and what the client still sends is thrown away until it closes its own, or a bound is met.
 */
export class Lingering {
  readonly bounds: Bounds;
  /** Longest first. */
  readonly #open = new Set<Socket>();

  constructor(bounds: Partial<Bounds> = {}) {
    this.bounds = { ...BOUNDS, ...bounds };
  }

  get size(): number {
    return this.#open.size;
  }

  /** Call it when the whole answer was handed to the socket. */
  close(socket: Socket): void {
    if (socket.destroyed || this.#open.has(socket)) return;
    this.#makeRoom();
    this.#open.add(socket);
    const { bytes, quietMs, totalMs } = this.bounds;
    const end = (): void => void socket.destroy();
    const timer = setTimeout(end, totalMs).unref();
    socket.setTimeout(quietMs, end);
    socket.once("end", end);
    socket.once("close", () => {
      clearTimeout(timer);
      this.#open.delete(socket);
    });
    flowing(socket, () => throwAway(socket, bytes, end));
    socket.end();
  }

  /** One too many costs the place of the one that has lingered longest. */
  #makeRoom(): void {
    const [longest] = this.#open;
    if (!longest || this.#open.size < this.bounds.connections) return;
    this.#open.delete(longest);
    longest.destroy();
  }
}

/**
 * A connection may rest since nobody read the body, or be about to go on. What starts it again is a listener of Node's
 * parser, which goes away with it: so it is stopped and started once more, and taken over then.
 */
function flowing(socket: Socket, then: () => void): void {
  socket.pause();
  socket.once("resume", then);
  socket.resume();
}

/** Takes the connection out of the parser's hands: nothing of what comes now is ever read as a request. */
function throwAway(socket: Socket, most: number, tooMuch: () => void): void {
  const parsing = socket.listeners("data") as (() => void)[];
  let left = most;
  // Node's parser reads past the socket's stream until somebody listens to it; then it is a listener as any other.
  socket.on("data", ({ length }: Buffer) => {
    left -= length;
    if (left < 0) tooMuch();
  });
  for (const listener of parsing) socket.removeListener("data", listener);
}
