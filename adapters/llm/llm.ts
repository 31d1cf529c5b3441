import { setTimeout as delay } from "node:timers/promises";
import { systemClock, type Clock } from "../../core/clock.ts";
import { breaker, type Breaker } from "./calls/breaker.ts";
import { added, budget, estimateTokens, priced, type Debt, type Reservation } from "./budget/budget.ts";
import { unlessAborted } from "./calls/deadline.ts";
import { calling } from "./calls/calling.ts";
import type { Dialect } from "./wire/dialect.ts";
import { LlmError } from "./errors.ts";
import { gate } from "./calls/call-queue.ts";
import type { Ledger } from "./budget/ledger.ts";
import { actSchema, echoOf, messagesIn, readActs } from "./wire/tool-choice.ts";
import type {
  ChatMessage,
  Completion,
  CompletionRequest,
  ToolDecision,
  DecisionRequest,
  Llm,
  LlmSettings,
  LlmStatus,
  OfferedTool,
  StreamRequest,
  Usage,
} from "./port.ts";
import { parseAnswer, repair, withFormRule, type ParseResult } from "./wire/structured.ts";
import { estimateText } from "./budget/tokens.ts";
import { wire, type ModelReply, type AnswerShape } from "./wire/wire.ts";

export { faultOf, LlmError } from "./errors.ts";
export { quoteAsData, quoting } from "./quote.ts";
export type * from "./port.ts";

const DEFAULT_MAX_TOKENS = 1_024;
const DEFAULT_BREAKER = { failures: 5, coolDownMs: 30_000 };

const CALL_AGAIN = "Call the tool again, with arguments that are one whole JSON object.";

type Asking = Pick<CompletionRequest<unknown>, "maxTokens" | "model" | "temperature" | "signal">;
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
}

/** A closed circuit with these settings. */
export const breakerOf = (settings: LlmSettings, clock: Clock = systemClock): Breaker =>
  breaker(settings.breaker ?? DEFAULT_BREAKER, clock);

/**
 * A model behind any OpenAI-compatible endpoint, with time-outs, retries with back-off, a circuit breaker, bounded
 * concurrency and daily budgets of tokens and cost, shared by all nodes that share a ledger. Without `baseUrl` it is
 * not configured: then heuristics do the work. Throws TypeError on invalid settings.
 */
export function llm(settings: LlmSettings, world: LlmWorld = {}): Llm {
  if (!settings.baseUrl) return unconfigured;
  return configured(checked(settings), world);
}

const notConfigured = () => new LlmError("not-configured", "No language model is configured; set LLM_BASE_URL.");

const unconfigured: Llm = {
  configured: false,
  toolForm: "structured",
  complete: () => Promise.reject(notConfigured()),
  decide: () => Promise.reject(notConfigured()),
  stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(notConfigured()) }) }),
  models: () => Promise.reject(notConfigured()),
  status: () => Promise.resolve({ configured: false, circuit: "closed", waiting: 0, today: { calls: 0, tokens: 0 } }),
};

function checked(settings: LlmSettings): LlmSettings {
  if (!URL.canParse(settings.baseUrl!) || !/^https?:$/.test(new URL(settings.baseUrl!).protocol))
    throw new TypeError("baseUrl: not an http(s) address");
  if (!(settings.timeoutMs > 0)) throw new TypeError("timeoutMs: must be above 0");
  if (!Number.isInteger(settings.maxRetries) || settings.maxRetries < 0)
    throw new TypeError("maxRetries: must be a whole number from 0");
  if (settings.dailyCostBudget !== undefined && settings.priceIn === undefined && settings.priceOut === undefined)
    throw new TypeError("dailyCostBudget: needs priceIn or priceOut");
  if (settings.concurrency !== undefined && !(Number.isInteger(settings.concurrency) && settings.concurrency > 0)) {
    throw new TypeError("concurrency: must be a whole number above 0");
  }
  return settings;
}

function configured(
  settings: LlmSettings,
  {
    clock = systemClock,
    ledger,
    sleep = (ms, signal) => delay(ms, undefined, { signal }),
    circuit = breakerOf(settings, clock),
    debts,
  }: LlmWorld,
): Llm {
  const { model } = settings;
  const endpoint = wire(settings);
  const entrance = gate(settings.concurrency ?? 4);
  const account = budget(settings, clock, ledger, debts);
  const calls = calling(settings, { clock, sleep, circuit });
  /**
   * Before the first call of a tool it is unknown whether the endpoint supports tools: an answer without one decides.
   */
  let hasCalled = false;

  /** One answer within the budget; `attempt` is called for every request sent. */
  async function ask(
    { maxTokens = DEFAULT_MAX_TOKENS, model: other, temperature, signal }: Asking,
    asked: (dialect: Dialect) => Asked,
    attempt: () => void,
  ): Promise<ModelReply & { usage: Usage; form: Dialect["tools"] }> {
    // Tools described in words make the longest question: their description is part of its messages.
    const { messages: most } = asked({ ...calls.dialect, tools: "structured" });
    const settled = settling(
      await account.reserve({ promptTokens: estimateTokens(most), completionTokens: maxTokens }),
      most,
      settings,
    );
    try {
      const answer = await calls.understood((spoken) =>
        calls.persistently(
          signal,
          async (wait) => {
            attempt();
            const question = { ...asked(spoken), maxTokens, dialect: spoken, model: other, temperature };
            return { ...(await endpoint.chat(question, wait)), form: spoken.tools };
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
  async function answered<T>(
    request: Asking,
    asked: (dialect: Dialect) => Asked,
    reading: (answer: ModelReply, form: Dialect["tools"]) => ParseResult<T>,
    mending: (asked: Asked, answer: ModelReply, complaint: string) => Asked,
    learning: (answer: ModelReply, form: Dialect["tools"]) => void = () => undefined,
  ): Promise<Completion<T>> {
    const leave = await entrance.enter(request.signal);
    try {
      let attempts = 0;
      const attempt = () => {
        attempts += 1;
      };
      const first = await ask(request, asked, attempt);
      const tried = reading(first, first.form);
      if (tried.ok) return { value: tried.value, usage: first.usage, model: first.model, attempts };

      learning(first, first.form);
      const complaint = first.cut ? `It was cut off at the limit of its length. ${tried.complaint}` : tried.complaint;
      const second = await ask(request, (spoken) => mending(asked(spoken), first, complaint), attempt).catch(
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

  function complete<T>(request: CompletionRequest<T>): Promise<Completion<T>> {
    const { name, schema } = request;
    const asked: Asked = { messages: withFormRule(request), shape: { name, schema } };
    return answered(
      request,
      () => asked,
      ({ content }) => parseAnswer(content, schema),
      ({ messages, ...rest }, { content }, complaint) => ({ ...rest, messages: repair(messages, content, complaint) }),
    );
  }

  async function decide(request: DecisionRequest): Promise<ToolDecision> {
    const { name, tools, messages } = request;
    if (!tools.length) throw new TypeError("tools: a decision needs something to choose among");
    const asked = ({ tools: form }: Dialect): Asked => ({
      messages: messagesIn(form, messages, tools),
      ...(form === "native" ? { tools } : { shape: { name, schema: actSchema(tools) } }),
    });
    const { value, ...told } = await answered(
      request,
      asked,
      (answer, form) => {
        hasCalled ||= answer.calls.length > 0;
        return readActs(answer, tools, form);
      },
      ({ messages: before, ...rest }, answer, complaint) => ({
        ...rest,
        messages: repair(before, echoOf(answer), complaint, rest.tools && CALL_AGAIN),
      }),
      ({ calls: called }, form) => {
        if (form === "native" && !called.length && !hasCalled)
          calls.dialect = { ...calls.dialect, tools: "structured" };
      },
    );
    return { acts: value, ...told };
  }

  /** A failure in the middle of a stream also counts for the endpoint's health. */
  function remember(error: LlmError): never {
    if (error.unwell) circuit.unwell();
    throw error;
  }

  async function* stream({
    messages,
    maxTokens = DEFAULT_MAX_TOKENS,
    signal,
    onUsage,
  }: StreamRequest): AsyncGenerator<string> {
    const leave = await entrance.enter(signal);
    const over = new AbortController();
    let reserved: Reservation | undefined;
    let usage: Usage | undefined;
    let written = "";
    let reads = 0;
    try {
      reserved = await account.reserve({ promptTokens: estimateTokens(messages), completionTokens: maxTokens });
      const open = (spoken: Dialect) =>
        calls.persistently(
          signal,
          async (wait) => {
            const pieces = endpoint.stream(
              { messages, maxTokens, dialect: spoken },
              AbortSignal.any([over.signal, wait]),
            );
            return { pieces, first: await pieces.next() };
          },
          (error) => void (reads += readsOf(error)),
        );
      // After the first piece nothing is repeated: the reader has seen it.
      const { pieces, first } = await calls.understood(open);
      reads += 1;
      let finished = false;
      for (
        let next = first;
        !next.done;
        next = await calls.timed(signal, (wait) => unlessAborted(pieces.next(), wait)).catch(remember)
      ) {
        const piece = next.value;
        if ("usage" in piece) usage = piece.usage;
        else if ("finished" in piece) finished = true;
        else {
          written += piece.text;
          yield piece.text;
        }
      }
      if (!finished) throw new LlmError("server", "The model's endpoint broke off its answer.");
    } finally {
      over.abort();
      const lost = usage ? reads - 1 : reads;
      const told = usage ?? { promptTokens: 0, completionTokens: estimateText(written) };
      const used = added(told, { promptTokens: lost * estimateTokens(messages), completionTokens: 0 });
      if (reserved) onUsage?.(priced(used, settings));
      await reserved?.settle(used);
      leave();
    }
  }

  return {
    configured: true,
    model,
    get toolForm() {
      return calls.dialect.tools;
    },
    complete,
    decide,
    stream,
    models: (signal) => calls.persistently(signal, (wait) => endpoint.models(wait)),
    async status() {
      const today = await account.spent();
      const fault = isSpent(today) ? "budget-exceeded" : calls.fault;
      return {
        configured: true,
        model,
        circuit: circuit.state(),
        waiting: entrance.waiting(),
        ...(calls.lastAnswerAt !== undefined && { lastAnswerAt: calls.lastAnswerAt }),
        ...(fault && { fault }),
        today,
      };
    },
  };
}

const isSpent = ({ tokens, cost = 0, budget: most, costBudget }: LlmStatus["today"]): boolean =>
  (most !== undefined && tokens >= most) || (costBudget !== undefined && cost >= costBudget);

/** Settles a question with the account, whether it was answered or not. */
function settling(reserved: Reservation, messages: CompletionRequest<unknown>["messages"], prices: LlmSettings) {
  const promptTokens = estimateTokens(messages);
  let reads = 0;
  const settle = async (told: Usage): Promise<Usage> => {
    const usage = priced(added(told, { promptTokens: reads * promptTokens, completionTokens: 0 }), prices);
    await reserved.settle(usage);
    return usage;
  };
  return {
    /** Records a failed try. */
    tried: (error: unknown): void => void (reads += readsOf(error)),
    answered: (answer: ModelReply): Promise<Usage> =>
      settle(answer.usage ?? { promptTokens, completionTokens: estimateText(echoOf(answer)) }),
    /** The error, with what was billed. */
    async failed(error: unknown): Promise<unknown> {
      const told = error instanceof LlmError ? error.usage : undefined;
      const usage = await settle(told ?? { promptTokens: 0, completionTokens: 0 });
      return error instanceof LlmError ? Object.assign(error, { usage }) : error;
    },
  };
}

/**
 * How often the question of a failed try is billed in addition: an endpoint that was interrupted bills what it read;
 * one that refused bills nothing, and one that reported its usage is counted already.
 */
const readsOf = (error: unknown): number =>
  error instanceof LlmError && !error.usage && ["timeout", "aborted", "malformed"].includes(error.kind) ? 1 : 0;

/** A failure after a paid answer includes the usage of that answer. */
const tookToo = (error: unknown, before: Usage): unknown =>
  error instanceof LlmError
    ? Object.assign(error, { usage: error.usage ? added(before, error.usage) : before })
    : error;
