import type { IncomingMessage, Server as HttpServer } from "node:http";
import { Server, type Socket } from "socket.io";
import type { Actor, Membership } from "../../../core/access/access.ts";
import { modeOf } from "../../../core/access/training-mode.ts";
import { mayReceive, MOST_LIVE_BYTES, type LiveMessage } from "../../../core/contract/live.ts";
import { forbidden, invalid, notFound, Problem } from "../../../core/problem.ts";
import { accessChanges } from "./access-changes.ts";
import { Admission, type Identify } from "./admission.ts";
import { backlogOf, boundQueue, terminate, type Engine } from "../../../mesh/private/engine-io.ts";
import { frameOf, NAMESPACE, sendFrame, type Frame } from "./frames.ts";
import { answerClient, failureOf, LiveConnection, requestOf, subscriptionIn } from "./connection.ts";
import { couldConcern, Rooms } from "./rooms.ts";
import { problemOf } from "../http/refuse.ts";

const LIVE_PATH = "/socket.io";
/** How many sockets one person may have open on this gateway. */
const MOST_SOCKETS = 32;
const MOST_SUBSCRIPTIONS = 64;
const MOST_INCOMING_BYTES = 16 * 1_024;
/** A consumer this far behind is disconnected: it reads what it missed when it comes back. */
const MOST_BYTES = 4 * 2 ** 20;
const MOST_PACKETS = 2_000;
/** How long an actor counts without an announced change, and how often that is checked: ten seconds at most in all. */
const LEASE_MS = 8_000,
  SWEEP_MS = 1_000;
const RETRY_MS = [50, 200, 1_000, 3_000];
/** Lookups under way at once when a change concerns everybody. */
const AT_ONCE = 16;

const membershipIn = (memberships: Actor["memberships"] = {}, problemSetId: string): Membership | undefined =>
  Object.hasOwn(memberships, problemSetId) ? memberships[problemSetId] : undefined;

interface Parts {
  server: HttpServer;
  /** Without the cache. */
  identify: Identify;
  /** Whether it was sent by a page of this site, or by no page. */
  fromHere(req: IncomingMessage): boolean;
  /** Whether it follows a refused request on the same connection. */
  isRefused(req: IncomingMessage): boolean;
  /** What a client may subscribe to beside problem sets. */
  topics: ReadonlySet<string>;
  /** Bytes that may wait for one consumer; 4 MiB unless said. */
  mostBytes?: number;
  logger: { error(message: string): void };
}

/**
 * The live side of the gateway: socket.io on its HTTP server, namespace `/live`. What services send with `live(...)`
 * reaches each gateway, which delivers it to the sockets whose actor may receive it at that moment. When somebody's
 * access changes, deliveries to their sockets stop at once, wait until the mesh has said who they are now, and are
 * judged again: a message sent before the end of their access may be lost to them, but none reaches them after it.
 */
export class Live {
  readonly #io: Server;
  readonly #rooms = new Rooms<LiveConnection>();
  readonly #held = new Set<LiveConnection>();
  readonly #lines = new Set<LiveConnection>();
  readonly #persons = new Map<string, Set<LiveConnection>>();
  readonly #admission: Admission;
  readonly #parts: Parts;
  readonly #sweep: NodeJS.Timeout;
  #closing = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#admission = new Admission((req) => parts.identify(req));
    this.#io = new Server({
      path: LIVE_PATH,
      serveClient: false,
      transports: ["websocket", "polling"],
      maxHttpBufferSize: MOST_INCOMING_BYTES,
      connectTimeout: 5_000,
      perMessageDeflate: false,
      httpCompression: false,
      allowEIO3: false,
      allowRequest: (_req, done) => done(null, !this.#closing),
    });
    this.#io.attach(parts.server);
    // Requests to socket.io bypass the gateway's own checks.
    this.#io.engine.use((req: IncomingMessage, _res: unknown, next: (error?: Error) => void) =>
      next(parts.isRefused(req) ? new Error("What stood before it was refused.") : undefined),
    );
    // Acknowledgements and errors queue up too for a client that does not read.
    this.#io.engine.on("connection", (engine: Engine) => boundQueue(engine, MOST_PACKETS));
    this.#io.use((_socket, next) => next(new Error(`There is only the namespace ${NAMESPACE} here.`)));
    this.#io
      .of(NAMESPACE)
      .use((socket, next) => void this.#enter(socket, next))
      .on("connection", (socket) => this.#connected(socket));
    this.#sweep = setInterval(() => this.#renew(), SWEEP_MS);
    this.#sweep.unref();
  }

  /** Sockets that are open here. */
  get size(): number {
    return this.#lines.size;
  }

  async #enter(socket: Socket, next: (error?: Error) => void): Promise<void> {
    let refusal: Error | undefined;
    try {
      await this.#admit(socket);
    } catch (error) {
      const data = failureOf(error);
      refusal = Object.assign(new Error(data.message), { data });
    }
    next(refusal);
  }

  async #admit(socket: Socket): Promise<void> {
    const request = requestOf(socket);
    const actor = await this.#admission.actorOf(request);
    // Browsers send the cookie from any site, and WebSockets have no same-origin policy.
    if ((actor.via === "session" || actor.via === "off") && !this.#parts.fromHere(request))
      throw forbidden("A socket under a session cookie must come from this site.");
    const open = this.#persons.get(actor.userId) ?? new Set();
    if (open.size >= MOST_SOCKETS)
      throw new Problem(429, "TOO_MANY_SOCKETS", `You have ${open.size} sockets open here; close one first.`);
    const line = new LiveConnection(socket, request, actor);
    // From here on changes of access concern it, even before the connection is confirmed.
    socket.data = line;
    this.#lines.add(line);
    this.#persons.set(actor.userId, open.add(line));
    socket.conn.once("close", () => this.#forget(line));
    this.#rooms.enter(line);
  }

  #connected(socket: Socket): void {
    const line = socket.data as LiveConnection;
    socket.on("disconnect", () => this.#forget(line));
    socket.on("subscribe", (wanted: unknown, done: unknown) => answerClient(done, () => this.#subscribe(line, wanted)));
    socket.on("unsubscribe", (wanted: unknown, done: unknown) =>
      answerClient(done, () => this.#unsubscribe(line, wanted)),
    );
    socket.emit("live.ready", { userId: line.actor.userId, mode: modeOf(line.actor) });
  }

  #subscribe(line: LiveConnection, given: unknown): void {
    const wanted = subscriptionIn(given);
    if (line.sets.size + line.topics.size >= MOST_SUBSCRIPTIONS)
      throw new Problem(429, "TOO_MANY_SUBSCRIPTIONS", `A socket has at most ${MOST_SUBSCRIPTIONS} subscriptions.`);
    if ("topic" in wanted && !this.#parts.topics.has(wanted.topic))
      throw invalid([
        { path: "topic", message: `There is no such topic; there is ${[...this.#parts.topics].join(", ")}.` },
      ]);
    if ("problemSetId" in wanted && !Object.hasOwn(line.actor.memberships ?? {}, wanted.problemSetId))
      throw notFound("problem set", wanted.problemSetId);
    this.#change(line, () => ("topic" in wanted ? line.topics.add(wanted.topic) : line.sets.add(wanted.problemSetId)));
  }

  #unsubscribe(line: LiveConnection, given: unknown): void {
    const wanted = subscriptionIn(given);
    this.#change(line, () =>
      "topic" in wanted ? line.topics.delete(wanted.topic) : line.sets.delete(wanted.problemSetId),
    );
  }

  /** A connection that is held back is in no room; it enters after it is known who it is. */
  #change(line: LiveConnection, change: () => unknown): void {
    this.#rooms.leave(line);
    change();
    if (!line.held && this.#lines.has(line)) this.#rooms.enter(line);
  }

  /** Delivers to the sockets here that may receive it now. Answers how many. */
  deliver(message: LiveMessage): number {
    if (this.#lines.size === 0) return 0;
    const frame = frameOf(message.event, message.envelope);
    if (frame.wire.length > MOST_LIVE_BYTES) {
      this.#parts.logger.error(
        `A live event ${message.event} of ${frame.wire.length} bytes was not sent: ${MOST_LIVE_BYTES} are the most.`,
      );
      return 0;
    }
    let count = 0;
    for (const line of this.#rooms.receivers(message)) {
      this.#send(line, frame);
      count++;
    }
    for (const line of this.#held) if (couldConcern(line, message)) this.#hold(line, message, frame);
    return count;
  }

  #send(line: LiveConnection, frame: Frame): void {
    const { bytes, packets } = backlogOf(line.socket);
    if (bytes > (this.#parts.mostBytes ?? MOST_BYTES) || packets > MOST_PACKETS) this.#end(line, "SLOW_CONSUMER");
    else sendFrame(line.socket, frame);
  }

  #hold(line: LiveConnection, message: LiveMessage, frame: Frame): void {
    line.held!.push({ message, frame });
    if (line.held!.length > MOST_PACKETS) this.#end(line, "SLOW_CONSUMER");
  }

  /**
   * Somebody's access changed (without a name: everybody's): nothing goes to their sockets until it is known who they
   * are now.
   */
  changed(userId?: string): void {
    this.#admission.changed(userId);
    const concerned = [...(userId === undefined ? this.#lines : (this.#persons.get(userId) ?? []))];
    const fresh = concerned.filter((line) => {
      line.changes++;
      if (line.held) return false;
      line.held = [];
      this.#held.add(line);
      this.#rooms.leave(line);
      return true;
    });
    void this.#reconsider(fresh);
  }

  async #reconsider(lines: LiveConnection[]): Promise<void> {
    const worker = async (): Promise<void> => {
      for (let line = lines.pop(); line; line = lines.pop()) await this.#identify(line);
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, lines.length) }, worker));
  }

  /** Asks the mesh who this is, again while more changes are announced, and continues as that person or disconnects. */
  async #identify(line: LiveConnection): Promise<void> {
    for (let attempt = 0; this.#lines.has(line);) {
      const { changes } = line;
      try {
        const actor = await this.#parts.identify(line.request);
        if (changes !== line.changes) continue;
        if (!actor || actor.userId !== line.actor.userId)
          return this.#end(line, "UNAUTHENTICATED", "Your credential is not valid any longer.");
        return this.#resume(line, actor);
      } catch (error) {
        const { code: status, message } = problemOf(error);
        if (status < 500) return this.#end(line, "UNAUTHENTICATED", message);
        if (attempt >= RETRY_MS.length)
          return this.#end(
            line,
            "TEMPORARILY_UNAVAILABLE",
            "It could not be found out who you are; come back in a moment.",
          );
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS[attempt++]));
      }
    }
  }

  #resume(line: LiveConnection, actor: Actor): void {
    if (!this.#lines.has(line)) return;
    const held = line.held ?? [];
    this.#rooms.leave(line);
    const before = line.actor;
    line.actor = actor;
    line.askedAt = performance.now();
    line.held = undefined;
    this.#held.delete(line);
    for (const problemSetId of line.sets) {
      if (membershipIn(actor.memberships, problemSetId)) continue;
      line.sets.delete(problemSetId);
      line.socket.emit("live.unsubscribed", { problemSetId, code: "NOT_FOUND" });
    }
    for (const told of accessChanges(before, actor, line.sets)) line.socket.emit("live.access", told);
    this.#rooms.enter(line);
    for (const { message, frame } of held)
      if (this.#lines.has(line) && couldConcern(line, message) && mayReceive(line.actor, message))
        this.#send(line, frame);
  }

  /** Looks up the actors whose lease ended; deliveries continue meanwhile. */
  #renew(): void {
    const now = performance.now();
    const due = [...this.#lines].filter((line) => !line.held && line.askedAt < now - LEASE_MS);
    // One lookup at a time, however long it takes: of two answers, the older could arrive last and win.
    for (const line of due) line.askedAt = now;
    void this.#reconsider(due);
  }

  #end(line: LiveConnection, code: string, message?: string): void {
    this.#forget(line);
    if (code === "SLOW_CONSUMER") return terminate(line.socket);
    line.socket.emit("live.ended", { code, message });
    line.socket.disconnect(true);
  }

  #forget(line: LiveConnection): void {
    this.#rooms.leave(line);
    this.#held.delete(line);
    this.#lines.delete(line);
    const person = this.#persons.get(line.actor.userId);
    if (person?.delete(line) && !person.size) this.#persons.delete(line.actor.userId);
  }

  /** Tells every socket to reconnect elsewhere, and ends. */
  close(): void {
    this.#closing = true;
    clearInterval(this.#sweep);
    for (const line of [...this.#lines]) this.#end(line, "GOING_AWAY", "This node stops; connect again.");
    this.#io.engine.close();
  }
}
