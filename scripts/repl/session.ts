import type { REPLServer } from "node:repl";
import type { ServiceBroker } from "moleculer";
import { systemActor } from "../../core/access/access.ts";

/** How long a command waits for a node that runs its service. */
const PATIENCE_MS = 3_000;

/** What is said to whoever wants to change something where nothing runs. */
export const LOOKING = "This is a look at the store, and changes nothing.";

/** What a command has of the mesh and of the person before the terminal. */
export class Session {
  readonly broker: ServiceBroker;
  readonly #operator: string;
  #terminal: REPLServer | undefined;

  /** `operator` is told to the audit log. */
  constructor(broker: ServiceBroker, operator: string) {
    this.broker = broker;
    this.#operator = operator;
  }

  attach(terminal: REPLServer): void {
    this.#terminal = terminal;
  }

  /** Calls an action as the operator. Throws, naming the service, where no node of the mesh runs it. */
  async call<T>(action: string, params: object = {}): Promise<T> {
    const service = action.slice(0, action.indexOf("."));
    await this.broker.waitForServices(service, PATIENCE_MS, 100).catch(() => {
      throw new Error(`No node of the mesh runs ${service}.`);
    });
    return this.broker.call<T, object>(action, params, { meta: { actor: systemActor(this.#operator) } });
  }

  /**
   * Asks before something changes; only the word `yes` is a yes. Without a terminal there is nobody to ask: it throws,
   * and `--yes` says it beforehand.
   */
  async confirmed(question: string): Promise<boolean> {
    const terminal = this.#terminal;
    if (!terminal || !process.stdin.isTTY) throw new Error(`${question} Nobody can be asked here: say --yes.`);
    const abort = new AbortController();
    const cancel = (): void => abort.abort();
    terminal.once("SIGINT", cancel);
    const answer = await new Promise<string>((resolve) => {
      abort.signal.addEventListener("abort", () => resolve(""), { once: true });
      terminal.question(`${question} Type yes to go on: `, { signal: abort.signal }, resolve);
    });
    terminal.off("SIGINT", cancel);
    return answer.trim() === "yes";
  }
}
