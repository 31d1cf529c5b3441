import { connect, type Socket } from "node:net";

/**
 * A process that sends requests to one server over bounded connections and tells what came back. `open`: so many a
 * second, whatever the answers do, each timed from when it was due; `closed`: as many under way as asked for, which
 * shows how much the server can do.
 */
export interface Order {
  host: string;
  port: number;
  requests: readonly string[];
  seconds: number;
  connections: number;
  /** Requests a second; absent: closed loop. */ rate?: number;
}
/**
 * What came of an order. Times in milliseconds. `good` were answered while the order lasted, `afterwards` when it had
 * ended; `refused`: 429 or 503 with Retry-After; `unsent`: every connection was waiting for an answer.
 */
export interface Outcome {
  sent: number;
  good: number;
  afterwards: number;
  refused: number;
  failed: Record<string, number>;
  late: number;
  unsent: number;
  seconds: number;
  p50: number;
  p99: number;
}

/** An answer after this long is nobody's any more. */
const PATIENCE_MS = 10_000;
const TICK_MS = 4;

type Done = (connection: Connection, status: number | string, took: number, retry: boolean) => void;

class Connection {
  busy = false;
  #socket: Socket;
  #due = 0;
  #head = "";
  /** Bytes of the body that are still to come; undefined inside the head. */
  #left: number | undefined;
  #status = 0;
  #retry = false;
  readonly #order: Order;
  readonly #done: Done;

  constructor(order: Order, done: Done) {
    this.#order = order;
    this.#done = done;
    this.#socket = this.#open();
  }

  #open(): Socket {
    const socket = connect({ host: this.#order.host, port: this.#order.port, noDelay: true });
    socket.on("data", (chunk: Buffer) => this.#heard(chunk));
    socket.on("error", () => {});
    socket.on("close", () => {
      if (socket === this.#socket) this.#ended("closed");
    });
    return socket;
  }

  ask(request: string, due: number): void {
    this.busy = true;
    this.#due = due;
    if (this.#socket.destroyed) this.#socket = this.#open();
    this.#socket.write(request);
  }

  get waitsSince(): number {
    return this.#due;
  }

  giveUp(): void {
    this.#ended("late");
  }

  end(): void {
    this.#socket.destroy();
  }

  #heard(chunk: Buffer): void {
    if (!this.busy) return;
    let body = chunk.length;
    if (this.#left === undefined) {
      this.#head += chunk.toString("latin1");
      const end = this.#head.indexOf("\r\n\r\n");
      if (end < 0) return;
      const head = this.#head.slice(0, end).toLowerCase();
      this.#status = Number(head.slice(9, 12));
      this.#retry = head.includes("\r\nretry-after:");
      const at = head.indexOf("\r\ncontent-length:");
      this.#left = at < 0 ? 0 : Number.parseInt(head.slice(at + 17), 10);
      body = this.#head.length - end - 4;
    }
    this.#left -= body;
    if (this.#left <= 0) this.#ended(this.#status);
  }

  #ended(status: number | string): void {
    if (!this.busy) return;
    this.busy = false;
    this.#head = "";
    this.#left = undefined;
    // What still comes on a connection that was given up belongs to nobody.
    if (typeof status === "string") this.#socket.destroy();
    this.#done(this, status, performance.now() - this.#due, this.#retry);
  }
}

function run(order: Order): Promise<Outcome> {
  const { requests, seconds, connections, rate } = order;
  const outcome: Outcome = {
    sent: 0,
    good: 0,
    afterwards: 0,
    refused: 0,
    failed: {},
    late: 0,
    unsent: 0,
    seconds,
    p50: 0,
    p99: 0,
  };
  const took: number[] = [];
  const all: Connection[] = [];
  const idle: Connection[] = [];
  const began = performance.now();
  const ends = began + seconds * 1_000;
  const ask = (connection: Connection, due: number): void =>
    connection.ask(requests[outcome.sent++ % requests.length]!, due);
  const done: Done = (connection, status, ms, retry) => {
    const now = performance.now();
    if (status === "late") outcome.late++;
    else if (typeof status === "number" && status < 400) {
      if (now <= ends) outcome.good++;
      else outcome.afterwards++;
      took.push(ms);
    } else if ((status === 503 || status === 429) && retry) outcome.refused++;
    else outcome.failed[status] = (outcome.failed[status] ?? 0) + 1;
    if (rate === undefined && now < ends) ask(connection, now);
    else idle.push(connection);
  };
  const open = (): Connection => {
    const connection = new Connection(order, done);
    all.push(connection);
    return connection;
  };
  let due = 0;
  const sendDue = (now: number): void => {
    for (const until = Math.min(now, ends); began + (due / rate!) * 1_000 < until; due++) {
      const connection = idle.pop() ?? (all.length < connections ? open() : undefined);
      if (connection) ask(connection, began + (due / rate!) * 1_000);
      else outcome.unsent++;
    }
  };
  if (rate === undefined) for (let n = 0; n < connections; n++) ask(open(), began);
  return new Promise((resolve) => {
    const ticks = setInterval(() => {
      const now = performance.now();
      if (rate !== undefined) sendDue(now);
      for (const connection of all)
        if (connection.busy && now - connection.waitsSince > PATIENCE_MS) connection.giveUp();
      if (now < ends || all.some(({ busy }) => busy)) return;
      clearInterval(ticks);
      for (const connection of all) connection.end();
      took.sort((a, b) => a - b);
      resolve({
        ...outcome,
        p50: took[Math.floor(took.length * 0.5)] ?? 0,
        p99: took[Math.floor(took.length * 0.99)] ?? 0,
      });
    }, TICK_MS);
  });
}

process.on("message", async (order: Order) => {
  process.send!(await run(order));
});
