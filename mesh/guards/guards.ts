import { Errors, type BrokerOptions, type Context, type ServiceBroker } from "moleculer";
import { requestNameOf } from "../../core/access/caller.ts";
import { whileHeld } from "../../core/work/hold.ts";
import { insufficientStorage, isDiskFull, isProblem } from "../../core/problem.ts";
import {
  callSettings,
  endpointOf,
  forgetRequest,
  handleError,
  startClockOf,
  stockEventMiddleware,
  type BreakerSettings,
  type Room,
} from "../private/moleculer.ts";
import { Circuits, type Circuit } from "./circuits.ts";
import { Deadlines, Expiring } from "./deadlines.ts";

type Handler = (ctx: Context) => Promise<unknown>;
interface Action {
  name: string;
  timeout?: number | null;
  bulkhead?: Partial<Room>;
  circuitBreaker?: Partial<BreakerSettings>;
}

/** Names of what this node makes of a peer that could not be reached, or went before it answered. */
const UNREACHED = new Set(["NotDelivered", "RequestRejectedError"]);

/**
 * A disk that is full is said in words, wherever an action met with it: what tells it apart does not travel to other
 * nodes.
 */
const saidOfDisk = (error: Error): Error =>
  isDiskFull(error) && !isProblem(error) ? insufficientStorage(error) : error;

/** Calls of one action that are under way here, and those that wait for room. */
class Bulkhead {
  readonly waiting: Call[] = [];
  running = 0;
  readonly room: Room;

  constructor(room: Room) {
    this.room = room;
  }

  get isFull(): boolean {
    return this.running >= this.room.concurrency;
  }

  left(): void {
    this.running--;
    while (this.waiting.length && !this.isFull) this.waiting.shift()!.begin();
  }
}

/** One call on its way through the guards: it ends once, by its answer, its failure, or its time. */
class Call extends Expiring {
  readonly #guards: Guards;
  readonly #next: Handler;
  readonly #ctx: Context;
  readonly #circuit: Circuit | undefined;
  readonly #bulkhead: Bulkhead | undefined;
  readonly #resolve: (value: unknown) => void;
  readonly #reject: (error: unknown) => void;
  /** Successes of its circuit when it began. */
  readonly #before: number;
  #over = false;

  constructor(
    guards: Guards,
    next: Handler,
    ctx: Context,
    circuit: Circuit | undefined,
    bulkhead: Bulkhead | undefined,
    resolve: (value: unknown) => void,
    reject: (error: unknown) => void,
  ) {
    super();
    this.#guards = guards;
    this.#next = next;
    this.#ctx = ctx;
    this.#circuit = circuit;
    this.#bulkhead = bulkhead;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#before = circuit?.successes ?? 0;
  }

  /** At once where there is room: what measures calls relies on it. */
  enter(): void {
    const bulkhead = this.#bulkhead;
    if (!bulkhead?.isFull) return this.begin();
    if (bulkhead.waiting.length < bulkhead.room.maxQueueSize) return void bulkhead.waiting.push(this);
    const { action, service, nodeID } = this.#ctx;
    this.#refuse(new Errors.QueueIsFullError({ action: action!.name!, service: service?.fullName, nodeID: nodeID! }));
  }

  begin(): void {
    // The call ran out of time in the queue: nobody waits for it any more.
    if (this.#over) return;
    if (this.#bulkhead) this.#bulkhead.running++;
    this.#next(this.#ctx).then(
      (value) => this.#answered(value),
      (error: unknown) => this.#failed(error),
    );
  }

  #answered(value: unknown): void {
    this.#bulkhead?.left();
    if (this.#over) return;
    this.#over = true;
    this.leave();
    this.#circuit?.succeeded();
    this.#resolve(value);
  }

  #failed(error: unknown): void {
    this.#bulkhead?.left();
    if (!this.#over) this.#fail(error);
  }

  /**
   * A peer that stalls is to be left alone, too; one that answered others meanwhile does not, and this node is nobody's
   * peer.
   */
  lapse(): void {
    const { action, nodeID, options } = this.#ctx;
    this.#guards.broker.logger.warn(`Request '${action!.name}' is timed out.`, {
      requestId: requestNameOf(this.#ctx),
      nodeID,
      timeout: options.timeout,
    });
    if (this.#guards.isElsewhere(this.#ctx) && this.#circuit?.successes === this.#before) this.#circuit.failed();
    this.#refuse(new Errors.RequestTimeoutError({ action: action!.name!, nodeID: nodeID! }));
  }

  #fail(given: unknown): void {
    const error = saidOfDisk(given instanceof Error ? given : new Errors.MoleculerError(given as string, 500));
    this.#guards.blame(this.#circuit, error, this.#ctx);
    this.#refuse(error);
  }

  #refuse(error: Error): void {
    this.#over = true;
    this.leave();
    const ctx = this.#ctx;
    try {
      this.#resolve(this.#guards.refuse(error, ctx));
    } catch (thrown) {
      this.#reject(thrown);
    }
  }
}

class Guards {
  readonly broker: ServiceBroker;
  readonly #settings: ReturnType<typeof callSettings>;
  readonly #circuits: Circuits;
  readonly #deadlines = new Deadlines();

  constructor(broker: ServiceBroker) {
    this.broker = broker;
    this.#settings = callSettings(broker);
    this.#circuits = new Circuits(broker);
    const { circuitBreaker } = this.#settings;
    if (circuitBreaker.enabled) this.#circuits.start(circuitBreaker.windowTime);
  }

  guard(next: Handler, action: Action, bulkhead?: Bulkhead): Handler {
    const breaker = { ...this.#settings.circuitBreaker, ...action.circuitBreaker };
    return (ctx) => {
      const timeout = (ctx.options.timeout ??= action.timeout ?? this.#settings.requestTimeout);
      if (timeout! > 0) startClockOf(ctx);
      const circuit = breaker.enabled ? this.#circuits.of(endpointOf(ctx), breaker) : undefined;
      // Nothing is asked for in the name of a lease that was lost.
      return whileHeld(
        () =>
          new Promise((resolve, reject) => {
            circuit?.begin();
            const call = new Call(this, next, ctx, circuit, bulkhead, resolve, reject);
            if (timeout! > 0) this.#deadlines.set(call, timeout!);
            call.enter();
          }),
      );
    };
  }

  readonly localAction = (next: Handler, action: Action): Handler => {
    const room = { ...this.#settings.bulkhead, ...action.bulkhead };
    return this.guard(next, action, room.enabled ? new Bulkhead(room) : undefined);
  };

  readonly remoteAction = (next: Handler, action: Action): Handler => this.guard(next, action);

  isElsewhere({ nodeID }: Context): boolean {
    return nodeID !== this.broker.nodeID;
  }

  /**
   * A circuit is shared by all callers, so it counts only what none of them can bring about: a peer that cannot be
   * reached, and what `check` knows of an upstream. An error that another node brought along from further down is not
   * this hop's.
   */
  blame(circuit: Circuit | undefined, error: Error & { nodeID?: string }, ctx: Context): void {
    const isUnreached = !error.nodeID && UNREACHED.has(error.name) && this.isElsewhere(ctx);
    const isUnwell = (!error.nodeID || error.nodeID === ctx.nodeID) && this.#settings.circuitBreaker.check(error);
    if (isUnreached || isUnwell) circuit?.failed();
    else circuit?.answered();
  }

  /** Throws the error, as Moleculer does, or answers what the broker's own error handler makes of it. */
  refuse(error: Error, ctx: Context): unknown {
    if (ctx.nodeID !== this.broker.nodeID) forgetRequest(this.broker, ctx.id);
    this.broker.logger.debug(
      `The '${ctx.action!.name}' request is rejected.`,
      { requestId: requestNameOf(ctx) },
      error,
    );
    Object.defineProperty(error, "ctx", { value: ctx, writable: true, enumerable: false });
    return handleError(this.broker, error, { ctx, service: ctx.service, action: ctx.action });
  }

  readonly stopped = (): void => this.#circuits.stop();
}

/** What Moleculer's own does for events. */
const stock = (name: "Bulkhead" | "ErrorHandler") => (broker: ServiceBroker) => ({
  name: `${name} of events`,
  localEvent: stockEventMiddleware(name, broker),
});

/**
 * The broker with one guard around each call in place of Moleculer's four (bulkhead, circuit breaker, time-out, error
 * handler), with the same settings. Those make ten promises and a timer a call, a tenth of a cheap request; this makes
 * two. A peer's time-out also counts as a failure for the circuit, whereas Moleculer's time-out lies around its
 * breaker, which then takes the late answer for a success.
 */
export function guarded(options: BrokerOptions): BrokerOptions {
  const guards = (broker: ServiceBroker) => {
    const { localAction, remoteAction, stopped } = new Guards(broker);
    return { name: "Guards", localAction, remoteAction, stopped };
  };
  const around = ["ActionHook", "Validator", guards, stock("Bulkhead"), stock("ErrorHandler"), "Debounce", "Throttle"];
  return {
    ...options,
    internalMiddlewares: false,
    middlewares: [...(options.middlewares ?? []), ...around] as NonNullable<BrokerOptions["middlewares"]>,
  };
}
