import type { Context, ServiceBroker } from "moleculer";
import { Durations, OUTCOMES, outcomeOf, type Exposition, type Labels } from "../core/load/metrics.ts";

type Handler = (ctx: Context) => Promise<unknown>;
interface Action {
  name: string;
}
type CircuitState = "open" | "half-open";

const OK = OUTCOMES.indexOf("ok");
const indexOfOutcome = new Map(OUTCOMES.map((outcome, at) => [outcome, at]));

/** What one broker does, call by call. Labels are actions and outcomes alone: their number does not grow with use. */
export class CallMeter {
  readonly #here = new Map<string, Durations>();
  readonly #elsewhere = new Map<string, Durations>();
  /** Calls that the bulkhead holds back. */
  readonly #waiting = new Set<Context>();
  /** Circuits that are not closed, by action and node. */
  readonly #circuits = new Map<string, { action: string; state: CircuitState }>();
  #running = 0;
  #starts = 0;

  /**
   * Goes first into the broker's list: nothing stands between it and the handler, so it tells when a call begins in
   * truth.
   */
  readonly inner = {
    name: "calls begin",
    localAction:
      (next: Handler): Handler =>
      (ctx) => {
        this.#starts++;
        if (this.#waiting.size) this.#waiting.delete(ctx);
        return next(ctx);
      },
  };

  /** Goes last, around everything: it measures what a caller waits for. */
  readonly outer = {
    name: "calls end",
    localAction: (next: Handler, { name }: Action): Handler => this.#measured(next, this.#here, name),
    remoteAction: (next: Handler, { name }: Action): Handler => this.#measured(next, this.#elsewhere, name),
  };

  #measured(next: Handler, into: Map<string, Durations>, name: string): Handler {
    let durations = into.get(name);
    if (!durations) into.set(name, (durations = new Durations()));
    const kept = durations;
    const local = into === this.#here;
    return (ctx) => {
      const began = performance.now();
      const before = this.#starts;
      this.#running++;
      const outcome = next(ctx);
      // A handler that was free to begin has begun by now; who has not waits in the bulkhead's queue, or was refused.
      const held = local && this.#starts === before;
      if (held) this.#waiting.add(ctx);
      // Beside the promise that the caller gets, not before it: nobody waits a turn longer for being measured.
      outcome.then(
        () => this.#ended(kept, began, OK, held ? ctx : undefined),
        (error: unknown) => this.#ended(kept, began, indexOfOutcome.get(outcomeOf(error))!, held ? ctx : undefined),
      );
      return outcome;
    };
  }

  #ended(durations: Durations, began: number, outcome: number, held: Context | undefined): void {
    this.#running--;
    if (held) this.#waiting.delete(held);
    durations.note(performance.now() - began, outcome);
  }

  /** Hears of circuits from now on. */
  attend({ localBus }: ServiceBroker): void {
    const heard =
      (state: CircuitState | "closed") =>
      ({ action, nodeID }: { action: string; nodeID: string }): void => {
        const key = `${nodeID} ${action}`;
        if (state === "closed") this.#circuits.delete(key);
        else this.#circuits.set(key, { action, state });
      };
    localBus.on("$circuit-breaker.opened", heard("open"));
    localBus.on("$circuit-breaker.half-opened", heard("half-open"));
    localBus.on("$circuit-breaker.closed", heard("closed"));
  }

  tell(exposition: Exposition): void {
    const called = (all: Map<string, Durations>): [Labels, Durations][] =>
      [...all].filter(([, { count }]) => count).map(([action, durations]) => [{ action }, durations]);
    const ended = (all: Map<string, Durations>): [Labels, number][] =>
      called(all).flatMap(([labels, { outcomes }]) =>
        OUTCOMES.map((outcome, at): [Labels, number] => [{ ...labels, outcome }, outcomes[at]!]).filter(
          ([, count]) => count,
        ),
      );
    const circuits = new Map<string, [Labels, number]>();
    for (const { action, state } of this.#circuits.values()) {
      const key = `${action} ${state}`;
      circuits.set(key, [{ action, state }, (circuits.get(key)?.[1] ?? 0) + 1]);
    }
    exposition
      .durations(
        "signalmesh_action_duration_seconds",
        "How long calls of actions that this node runs took, waiting included.",
        called(this.#here),
      )
      .family(
        "signalmesh_action_calls_total",
        "counter",
        "Calls of actions that this node runs, by how they ended.",
        ended(this.#here),
      )
      .durations(
        "signalmesh_remote_call_duration_seconds",
        "How long calls from this node of actions on others took.",
        called(this.#elsewhere),
      )
      .family(
        "signalmesh_remote_calls_total",
        "counter",
        "Calls from this node of actions on others, by how they ended.",
        ended(this.#elsewhere),
      )
      .family("signalmesh_calls_running", "gauge", "Calls under way.", [[{}, this.#running]])
      .family("signalmesh_bulkhead_waiting", "gauge", "Calls that wait for others of their action to end.", [
        [{}, this.#waiting.size],
      ])
      .family("signalmesh_circuits", "gauge", "Circuits that are not closed, by action.", circuits.values());
  }
}
