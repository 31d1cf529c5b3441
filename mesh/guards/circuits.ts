import type { ServiceBroker } from "moleculer";
import { setAvailable, type BreakerSettings, type Endpoint } from "../private/moleculer.ts";

type State = "closed" | "open" | "half-open" | "trying";

/**
 * The circuit of one action on one node (M. Nygard, Release It!): opens when the other side failed at too many calls of
 * a window, and lets one through after a while.
 */
class Circuit {
  endpoint: Endpoint;
  /** How many calls succeeded so far: a time-out tells of a peer that stands only where there were none meanwhile. */
  successes = 0;
  #state: State = "closed";
  #count = 0;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #settings: BreakerSettings;
  readonly #tell: (what: string, payload: object) => void;

  constructor(endpoint: Endpoint, settings: BreakerSettings, tell: (what: string, payload: object) => void) {
    this.endpoint = endpoint;
    this.#settings = settings;
    this.#tell = tell;
  }

  /** A call begins; of those that come while it is half open the first is the one that tries. */
  begin(): void {
    if (this.#state !== "half-open") return;
    this.#state = "trying";
    setAvailable(this.endpoint, false);
    this.#after(() => this.#halfOpen());
  }

  succeeded(): void {
    this.successes++;
    this.#count++;
    if (this.#state === "trying") this.#close();
    else this.#judge();
  }

  /** An answer that is an error: somebody is there. It says nothing of how others fare, so it is not counted. */
  answered(): void {
    if (this.#state === "trying") this.#close();
  }

  /** The other side failed: what this is counted for must not be any caller's doing. */
  failed(): void {
    this.#count++;
    this.#failures++;
    this.#judge();
  }

  /** Begins a new window; answers whether the last one had no calls. */
  renew(): boolean {
    const unused = this.#count === 0 && this.#state === "closed";
    this.#count = this.#failures = 0;
    return unused;
  }

  #judge(): void {
    if (
      this.#count < this.#settings.minRequestCount ||
      this.#failures / this.#count < this.#settings.threshold ||
      this.#state === "open"
    )
      return;
    this.#state = "open";
    setAvailable(this.endpoint, false);
    this.#after(() => this.#halfOpen());
    this.#say("opened", { failures: this.#failures, count: this.#count, rate: this.#failures / this.#count });
  }

  #halfOpen(): void {
    this.#state = "half-open";
    setAvailable(this.endpoint, true);
    this.#say("half-opened");
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#state = "closed";
    setAvailable(this.endpoint, true);
    this.#count = this.#failures = 0;
    this.#say("closed");
  }

  #after(then: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, this.#settings.halfOpenTime);
    this.#timer.unref();
  }

  #say(what: string, more: object = {}): void {
    const { id, action } = this.endpoint;
    this.#tell(`$circuit-breaker.${what}`, {
      nodeID: id,
      service: action.service?.fullName,
      action: action.name,
      ...more,
    });
  }
}

/** The circuits of one broker, by action and node. */
export class Circuits {
  readonly #circuits = new Map<string, Circuit>();
  readonly #tell: (what: string, payload: object) => void;
  #window: NodeJS.Timeout | undefined;

  constructor(broker: ServiceBroker) {
    this.#tell = (what, payload) => void broker.broadcast(what, payload);
  }

  of(endpoint: Endpoint, settings: BreakerSettings): Circuit {
    let circuit = this.#circuits.get(endpoint.name);
    if (!circuit) this.#circuits.set(endpoint.name, (circuit = new Circuit(endpoint, settings, this.#tell)));
    // A node that comes back has its endpoints made anew.
    circuit.endpoint = endpoint;
    return circuit;
  }

  start(seconds: number): void {
    this.#window = setInterval(() => {
      for (const [name, circuit] of this.#circuits) if (circuit.renew()) this.#circuits.delete(name);
    }, seconds * 1_000);
    this.#window.unref();
  }

  stop(): void {
    clearInterval(this.#window);
  }
}

export type { Circuit };
