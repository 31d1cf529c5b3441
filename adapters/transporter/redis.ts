import type { Redis } from "ioredis";
import { Errors, Transporters } from "moleculer";
import { LINE_CHANGED } from "../../core/contract/live.ts";
import { protocolVersion, saidOf, serializePayload, transitLogOf } from "../../mesh/private/moleculer.ts";
import { OutageLog, thin } from "../../core/work/outage-log.ts";
import { lean, Metas, type Packing } from "./packets.ts";
import { UNPACKS } from "./rolls.ts";

/** A packet from the transit layer; without `target` it goes to every node. */
interface Outgoing {
  type: string;
  target: string | null;
  payload: { id?: string; action?: string };
}

/**
 * How long an answer or an event is offered to a node that does not listen, and a request to one that it may already
 * have reached.
 */
const PATIENCE_MS = 5_000;
const AGAIN_MS = 50;
const LONGEST_PAUSE_MS = 500;
/**
 * How often each connection is tested, and how long the test may take: a partition closes no connection, and TCP
 * notices after a quarter of an hour, or never on a connection that only listens.
 */
const FEEL_MS = 3_000;
const SILENT_MS = 5_000;
const DOT = ".".charCodeAt(0);
/** The most packets that wait for Redis: memory must not fill while it is away. */
const MOST_WAITING = 10_000;
/** Packets whose loss somebody would wait for. Others (heartbeats, node information) are repeated anyway. */
const OFFERED = new Set(["REQ", "RES", "EVENT"]);

/** A request that certainly reached nobody: it may be sent again, elsewhere, whatever it does. */
export class NotDelivered extends Errors.MoleculerRetryableError {
  readonly contextId: string | undefined;
  constructor(contextId: string | undefined, nodeID: string | null) {
    super(`Node ${nodeID ?? "?"} does not listen.`, 503, "NOT_DELIVERED");
    this.name = "NotDelivered";
    this.contextId = contextId;
    this.stack = `${this.name}: ${this.message}`; // logged for each attempt; where it was made says nothing
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/**
 * Closes the current connection unless there is an answer in time; a new one is then opened. A process that was paused
 * itself first reads what arrived meanwhile.
 */
function breakUnless({ stream }: Redis, answer: Promise<unknown>): void {
  let silent = true;
  const heard = (): void => {
    silent = false;
    clearTimeout(late);
  };
  const late = setTimeout(
    () =>
      setImmediate(() =>
        setImmediate(() => {
          if (silent) stream.destroy(new Error(`Nothing came from Redis for ${SILENT_MS} ms.`));
        }),
      ),
    SILENT_MS,
  );
  late.unref();
  answer.then(heard, heard);
}

/**
 * Moleculer's Redis transporter done over. The stock one opens one more publisher at each reconnection and, after a
 * first connection that failed, holds two subscribed clients, so that every packet is handled twice (moleculer #1363).
 * This one has exactly two clients for life, subscribes before it says that it is there, and looks at what PUBLISH
 * answers: how many nodes heard it. A request that nobody heard fails at once as `NotDelivered`; an answer or an event
 * is offered again for a while. A packet whose fate a broken connection left open is sent again, and the receiver knows
 * it by its id (`repetition-filter.ts`).
 */
export class RedisTransporter extends Transporters.Base {
  /** Of requests under way, recorded by their receiver. */
  readonly metas: Metas;
  readonly #url: string;
  readonly #packing: Packing | undefined;
  readonly #topics = new Set<string>();
  #publisher: Redis | undefined;
  #subscriber: Redis | undefined;
  #everConnected = false;
  #closed = false;
  #waiting = 0;
  #feeling: NodeJS.Timeout | undefined;

  constructor(url: string, metas = new Metas(), packing?: Packing) {
    super({});
    this.#packing = packing;
    this.metas = metas;
    this.#url = url;
  }

  /** Moleculer logs an error for each request that did not reach its node, although it goes to another. */
  override init(...given: Parameters<Transporters.Base["init"]>): void {
    super.init(...given);
    const log = transitLogOf(this);
    thin(log, "Calls go elsewhere", (carried) => (carried instanceof NotDelivered ? carried.message : undefined));
    thin(log, "Calls broke off with the connection", (carried) =>
      carried instanceof Errors.RequestRejectedError ? carried.message : undefined,
    );
  }

  /** Resolves with the first connection, however long Redis is away; later ones are the clients' own business. */
  async connect(): Promise<void> {
    const { Redis } = await import("ioredis");
    const client = (name: string): Redis => {
      const redis = new Redis(this.#url, {
        connectionName: `${this.nodeID}:${name}`.replaceAll(/[^\w.:-]/g, "-"),
        enableOfflineQueue: false,
        autoResubscribe: false,
        autoResendUnfulfilledCommands: false,
        maxRetriesPerRequest: 0, // what was on its way when the connection broke fails at once; otherwise it would never settle
        retryStrategy: (times) => Math.min(times * AGAIN_MS, LONGEST_PAUSE_MS),
      });
      const outage = new OutageLog(this.logger, `Redis (${name})`);
      redis.on("error", (error: Error) => outage.failed(error.message));
      redis.on("ready", () => outage.worked());
      redis.on("close", () => this.#broken());
      // It may also be taken and then met with silence: what is asked before a connection is ready has no time-out of
      // its own.
      let settled = (): void => {};
      redis.on("connect", () =>
        breakUnless(
          redis,
          new Promise<void>((resolve) => {
            settled = resolve;
          }),
        ),
      );
      for (const event of ["ready", "close"]) redis.on(event, () => settled());
      return redis;
    };
    this.#closed = false;
    this.#subscriber = client("in");
    this.#publisher = client("out");
    const begins = this.prefix.length + 1;
    this.#subscriber.on("messageBuffer", (topic: Buffer, data: Buffer) => {
      const ends = topic.indexOf(DOT, begins);
      void this.receive(topic.toString("latin1", begins, ends < 0 ? topic.length : ends), data);
    });
    this.#feeling = setInterval(() => {
      for (const redis of [this.#subscriber!, this.#publisher!])
        if (redis.status === "ready") breakUnless(redis, redis.ping());
    }, FEEL_MS);
    this.#feeling.unref();
    await new Promise<void>((resolve) => {
      for (const redis of [this.#subscriber!, this.#publisher!])
        redis.on("ready", () => void this.#ready().then(resolve));
    });
  }

  /** Waits until both clients are connected; subscribes before the node makes itself known to others. */
  async #ready(): Promise<void> {
    if (this.#subscriber?.status !== "ready" || this.#publisher?.status !== "ready") return new Promise(() => {});
    try {
      if (this.#topics.size) await this.#subscriber.subscribe(...this.#topics);
    } catch {
      return new Promise(() => {}); // cut again meanwhile: the next connection does it
    }
    if (this.#closed) return;
    const again = this.#everConnected;
    this.#everConnected = true;
    // Before anything is sent or heard again: what was said meanwhile is lost here.
    if (again) await this.broker.broadcastLocal(LINE_CHANGED, { stands: true });
    await this.onConnected(again);
  }

  #broken(): void {
    if (!this.connected) return;
    this.connected = false;
    void this.broker.broadcastLocal(LINE_CHANGED, { stands: false });
  }

  async disconnect(): Promise<void> {
    this.#closed = true;
    this.connected = false;
    clearInterval(this.#feeling);
    this.#subscriber?.disconnect();
    this.#publisher?.disconnect();
  }

  async subscribe(cmd: string, nodeID?: string): Promise<void> {
    const topic = this.getTopicName(cmd, nodeID);
    this.#topics.add(topic);
    // A cut right now is made good by the next connection, which subscribes to all.
    await this.#subscriber?.subscribe(topic).catch(() => {});
  }

  /** Nothing is balanced by queues of Redis: Moleculer chooses the node. */
  async subscribeBalancedRequest(): Promise<void> {}
  async subscribeBalancedEvent(): Promise<void> {}

  /** Whether a node listens to what is asked of it. Rejects where Redis cannot be asked. */
  async isOnLine(nodeId: string): Promise<boolean> {
    const [, listeners] = await this.#publisher!.pubsub("NUMSUB", this.getTopicName("REQ", nodeId));
    return Number(listeners) > 0;
  }

  /** In place of the base's, which drops answers while the connection is away. */
  override prepublish(packet: never): Promise<void> {
    const { type, target } = packet as Outgoing;
    if (OFFERED.has(type) && target) return this.publish(packet);
    return this.connected ? super.prepublish(packet) : Promise.resolve();
  }

  override serialize(packet: never): Buffer {
    const { type, target, payload } = packet as Outgoing;
    if (type !== "REQ" && type !== "RES") return super.serialize(packet);
    const packing = saidOf(this.broker, target, UNPACKS) ? this.#packing : undefined;
    return serializePayload(
      this.broker,
      lean(type, payload, this.metas, this.nodeID!, protocolVersion(this.broker), packing),
      type,
    );
  }

  /** One promise a packet where all is well: this is the way of every call. */
  send(topic: string, data: Buffer, { packet }: { packet: Outgoing }): Promise<void> {
    const isOffered = OFFERED.has(packet.type) && packet.target;
    const unheard = (heard?: 0): Promise<void> | void =>
      isOffered ? this.#unheard(topic, data, packet, heard) : undefined;
    return this.#publish(topic, data).then(
      (heard) => (heard ? undefined : unheard(0)),
      () => unheard(),
    );
  }

  /** Nobody heard it (0), or nobody knows. */
  async #unheard(topic: string, data: Buffer, { type, target, payload }: Outgoing, heard?: 0): Promise<void> {
    const isRequest = type === "REQ";
    if (this.#closed || this.#waiting >= MOST_WAITING || (isRequest && heard === 0))
      throw new NotDelivered(payload.id, target);
    const offered = this.#offer(topic, data);
    if (!isRequest) return; // whoever tells an event does not wait until it is heard
    // Its node may have it: as for a call whose node is gone, nobody repeats it unasked.
    if (!(await offered)) throw new Errors.RequestRejectedError({ action: payload.action, nodeID: target });
  }

  /** Again and again, until somebody hears it or patience ends. */
  async #offer(topic: string, data: Buffer): Promise<boolean> {
    this.#waiting++;
    try {
      for (
        const until = performance.now() + PATIENCE_MS;
        !this.#closed && performance.now() < until;
        await pause(AGAIN_MS)
      ) {
        if (this.connected && (await this.#publish(topic, data).catch(() => 0))) return true;
      }
      return false;
    } finally {
      this.#waiting--;
    }
  }

  /** How many heard it: 0 also where it was never sent. Throws where that is not known. */
  #publish(topic: string, data: Buffer): Promise<number> {
    if (this.#publisher?.status !== "ready") return Promise.resolve(0);
    this.#gather(this.#publisher);
    return this.#publisher.publish(topic, data);
  }

  /**
   * What is published in one turn of the event loop leaves in one write: the system call costs more than the packet.
   */
  #gather({ stream }: Redis): void {
    if (stream.writableCorked) return;
    stream.cork();
    setImmediate(() => stream.uncork());
  }
}
