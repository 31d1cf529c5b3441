import { setTimeout as delay } from "node:timers/promises";
import { systemClock, type Clock } from "../../core/clock.ts";
import { breaker, type Breaker } from "./calls/breaker.ts";
import { added, budget, estimateTokens, priced, type Budget, type Debt, type Reservation } from "./budget/budget.ts";
import type { Ledger } from "./budget/ledger.ts";
import { estimateText } from "./budget/tokens.ts";
import { gate, type CallQueue } from "./calls/call-queue.ts";
import { calling, type Calling, type Watch } from "./calls/calling.ts";
import { unlessAborted } from "./calls/deadline.ts";
import { LlmError } from "./errors.ts";
import type {
  ChatMessage,
  Completion,
  CompletionRequest,
  ToolDecision,
  ToolForm,
  DecisionRequest,
  Llm,
  LlmSettings,
  LlmStatus,
  OfferedTool,
  StreamRequest,
  Usage,
} from "./port.ts";
import { readsOf, settling, tookToo } from "./budget/settling.ts";
import type { Dialect } from "./wire/dialect.ts";
import { parseAnswer, repair, withFormRule, type ParseResult } from "./wire/structured.ts";
import { Thoughts } from "./wire/thoughts.ts";
import { actSchema, echoOf, messagesIn, readActs } from "./wire/tool-choice.ts";
import { wire, type AnswerShape, type ModelReply, type Wire } from "./wire/wire.ts";

const DEFAULT_MAX_TOKENS = 1_024;
const DEFAULT_BREAKER = { failures: 5, coolDownMs: 30_000 };

const CALL_AGAIN = "Call the tool again, with arguments that are one whole JSON object.";

type Asking = Pick<CompletionRequest<unknown>, "maxTokens" | "model" | "prices" | "temperature" | "signal">;
/** A question in one dialect: its answer is either JSON of a schema, or a call of a tool. */
interface Asked {
  messages: readonly ChatMessage[];
  shape?: AnswerShape;
  tools?: readonly OfferedTool[];
}

/** The clock and the waiting, for tests; the ledger of the daily budgets, by default this process's own. */
export interface LlmWorld {
  clock?: Clock;
  ledger?: Ledger;
  sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** The endpoint's own circuit, where it outlives the settings. */
  circuit?: Breaker;
  debts?: Debt[];
  watch?: Watch;
}

/** A closed circuit with these settings. */
export const breakerOf = (settings: LlmSettings, clock: Clock = systemClock): Breaker =>
  breaker(settings.breaker ?? DEFAULT_BREAKER, clock);

/** A configured model: questions, choices of tools and streams, each within its budget and its turn. */
export class ConfiguredLlm implements Llm {
  readonly configured = true;
  readonly model: string | undefined;
  readonly #settings: LlmSettings;
  readonly #circuit: Breaker;
  readonly #endpoint: Wire;
  readonly #entrance: CallQueue;
  readonly #account: Budget;
  readonly #calls: Calling;
  /**
   * Before the first call of a tool it is unknown whether the endpoint supports tools: an answer without one decides.
   */
  #hasCalled = false;

  constructor(
    settings: LlmSettings,
    {
      clock = systemClock,
      ledger,
      sleep = (ms, signal) => delay(ms, undefined, { signal }),
      circuit = breakerOf(settings, clock),
      debts,
      watch,
    }: LlmWorld,
  ) {
    this.model = settings.model;
    this.#settings = settings;
    this.#circuit = circuit;
    this.#endpoint = wire(settings);
    this.#entrance = gate(settings.concurrency ?? 4);
    this.#account = budget(settings, clock, ledger, debts);
    this.#calls = calling(settings, { clock, sleep, circuit, watch });
  }

  get toolForm(): ToolForm {
    return this.#calls.dialect.tools;
  }

  /** One answer within the budget; `attempt` is called for every request sent. */
  async #ask(
    { maxTokens = DEFAULT_MAX_TOKENS, model: other, prices = this.#settings, temperature, signal }: Asking,
    asked: (dialect: Dialect) => Asked,
    attempt: () => void,
  ): Promise<ModelReply & { usage: Usage; form: Dialect["tools"] }> {
    // Tools described in words make the longest question: their description is part of its messages.
    const { messages: most } = asked({ ...this.#calls.dialect, tools: "structured" });
    const settled = settling(
      await this.#account.reserve({ promptTokens: estimateTokens(most), completionTokens: maxTokens }, prices),
      most,
      prices,
    );
    try {
      const answer = await this.#calls.understood((spoken) =>
        this.#calls.persistently(
          signal,
          async (wait) => {
            attempt();
            const question = { ...asked(spoken), maxTokens, dialect: spoken, model: other, temperature };
            return { ...(await this.#endpoint.chat(question, wait)), form: spoken.tools };
          },
          settled.tried,
        ),
      );
      return { ...answer, usage: await settled.answered(answer) };
    } catch (error) {
      throw await settled.failed(error);
    }
  }

  /** Asks, and once more where the answer is unreadable; both are paid. */
  async #answered<T>(
    request: Asking,
    asked: (dialect: Dialect) => Asked,
    reading: (answer: ModelReply, form: Dialect["tools"]) => ParseResult<T>,
    mending: (asked: Asked, answer: ModelReply, complaint: string) => Asked,
    learning: (answer: ModelReply, form: Dialect["tools"]) => void = () => undefined,
  ): Promise<Completion<T>> {
    const leave = await this.#entrance.enter(request.signal);
    try {
      let attempts = 0;
      const attempt = () => {
        attempts += 1;
      };
      const first = await this.#ask(request, asked, attempt);
      const tried = reading(first, first.form);
      if (tried.ok) return { value: tried.value, usage: first.usage, model: first.model, attempts };

      learning(first, first.form);
      const complaint = first.cut ? `It was cut off at the limit of its length. ${tried.complaint}` : tried.complaint;
      const second = await this.#ask(request, (spoken) => mending(asked(spoken), first, complaint), attempt).catch(
        (error: unknown) => {
          throw tookToo(error, first.usage);
        },
      );
      const usage = added(first.usage, second.usage);
      const mended = reading(second, second.form);
      if (!mended.ok)
        throw new LlmError("malformed", "The model's answer does not fit its schema, nor did its repair.", { usage });
      return { value: mended.value, usage, model: second.model, attempts };
    } finally {
      leave();
    }
  }

  complete<T>(request: CompletionRequest<T>): Promise<Completion<T>> {
    const { name, schema } = request;
    const asked: Asked = { messages: withFormRule(request), shape: { name, schema } };
    return this.#answered(
      request,
      () => asked,
      ({ content }) => parseAnswer(content, schema),
      ({ messages, ...rest }, { content }, complaint) => ({ ...rest, messages: repair(messages, content, complaint) }),
    );
  }

  async decide(request: DecisionRequest): Promise<ToolDecision> {
    const { name, tools, messages } = request;
    if (!tools.length) throw new TypeError("tools: a decision needs something to choose among");
    const asked = ({ tools: form }: Dialect): Asked => ({
      messages: messagesIn(form, messages, tools),
      ...(form === "native" ? { tools } : { shape: { name, schema: actSchema(tools) } }),
    });
    const { value, ...told } = await this.#answered(
      request,
      asked,
      (answer, form) => {
        this.#hasCalled ||= answer.calls.length > 0;
        return readActs(answer, tools, form);
      },
      ({ messages: before, ...rest }, answer, complaint) => ({
        ...rest,
        messages: repair(before, echoOf(answer), complaint, rest.tools && CALL_AGAIN),
      }),
      ({ calls: called }, form) => {
        if (form === "native" && !called.length && !this.#hasCalled)
          this.#calls.dialect = { ...this.#calls.dialect, tools: "structured" };
      },
    );
    return { acts: value, ...told };
  }

  /** A failure in the middle of a stream also counts for the endpoint's health. */
  readonly #remember = (error: LlmError): never => {
    if (error.unwell) this.#circuit.unwell();
    throw error;
  };

  async *stream({
    messages,
    maxTokens = DEFAULT_MAX_TOKENS,
    signal,
    onUsage,
    onCut,
  }: StreamRequest): AsyncGenerator<string> {
    const leave = await this.#entrance.enter(signal);
    const over = new AbortController();
    let reserved: Reservation | undefined;
    let usage: Usage | undefined;
    let written = "";
    const thoughts = new Thoughts();
    let reads = 0;
    try {
      reserved = await this.#account.reserve({ promptTokens: estimateTokens(messages), completionTokens: maxTokens });
      const open = (spoken: Dialect) =>
        this.#calls.persistently(
          signal,
          async (wait) => {
            const pieces = this.#endpoint.stream(
              { messages, maxTokens, dialect: spoken },
              AbortSignal.any([over.signal, wait]),
            );
            return { pieces, first: await pieces.next() };
          },
          (error) => void (reads += readsOf(error)),
        );
      // After the first piece nothing is repeated: the reader has seen it.
      const { pieces, first } = await this.#calls.understood(open);
      reads += 1;
      let finished = false;
      for (
        let next = first;
        !next.done;
        next = await this.#calls.timed(signal, (wait) => unlessAborted(pieces.next(), wait)).catch(this.#remember)
      ) {
        const piece = next.value;
        if ("usage" in piece) usage = piece.usage;
        else if ("finished" in piece) {
          finished = true;
          if (piece.cut) onCut?.();
        } else {
          written += piece.text;
          const text = thoughts.push(piece.text);
          if (text) yield text;
        }
      }
      const rest = thoughts.end();
      if (rest) yield rest;
      if (!finished) throw new LlmError("server", "The model's endpoint broke off its answer.");
    } finally {
      over.abort();
      const lost = usage ? reads - 1 : reads;
      const told = usage ?? { promptTokens: 0, completionTokens: estimateText(written) };
      const used = added(told, { promptTokens: lost * estimateTokens(messages), completionTokens: 0 });
      if (reserved) onUsage?.(priced(used, this.#settings));
      await reserved?.settle(used);
      leave();
    }
  }

  models(signal?: AbortSignal): Promise<string[]> {
    return this.#calls.persistently(signal, (wait) => this.#endpoint.models(wait));
  }

  async status(): Promise<LlmStatus> {
    const today = await this.#account.spent();
    const { lastAnswerAt } = this.#calls;
    const fault = isSpent(today) ? "budget-exceeded" : this.#calls.fault;
    return {
      configured: true,
      model: this.model,
      circuit: this.#circuit.state(),
      waiting: this.#entrance.waiting(),
      ...(lastAnswerAt !== undefined && { lastAnswerAt }),
      ...(fault && { fault }),
      today,
    };
  }
}

const isSpent = ({ tokens, cost = 0, budget: most, costBudget }: LlmStatus["today"]): boolean =>
  (most !== undefined && tokens >= most) || (costBudget !== undefined && cost >= costBudget);
