import type OpenAI from "openai";
import type { ChatCompletion, ChatCompletionChunk } from "openai/resources/chat/completions";
import type { z } from "zod";
import type { Dialect } from "./dialect.ts";
import { LlmError } from "../errors.ts";
import type { ChatMessage, LlmSettings, OfferedTool, Usage } from "../port.ts";
import { jsonSchema } from "./structured.ts";
import { withoutThoughts } from "./thoughts.ts";

export interface ModelRequest {
  messages: readonly ChatMessage[];
  maxTokens: number;
  dialect: Dialect;
  /** Instead of the configured model. */
  model?: string | undefined;
  temperature?: number | undefined;
}
export interface AnswerShape {
  name: string;
  schema: z.ZodType;
}
/** A call as it came: its arguments are whatever the endpoint says they are. */
export interface RawCall {
  name: string;
  arguments: unknown;
}
export interface ModelReply {
  content: string;
  calls: RawCall[];
  cut: boolean;
  model: string;
  usage?: Usage;
}
export type StreamPiece = { text: string } | { usage: Usage } | { finished: true; cut: boolean };

/** One request each, no retries: the policy around them is in `model.ts`. */
export interface Wire {
  chat(
    question: ModelRequest & { shape?: AnswerShape; tools?: readonly OfferedTool[] },
    signal: AbortSignal,
  ): Promise<ModelReply>;
  stream(question: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamPiece>;
  models(signal: AbortSignal): Promise<string[]>;
}

const LARGEST_ANSWER_BYTES = 4 * 1024 * 1024;
const MOST_MODELS = 1_000;
const MOST_CALLS = 16;

/**
 * The OpenAI protocol by the official client, which costs 35 MB and 120 ms to load: it is loaded with the first
 * question.
 */
export function wire({ model = "default", ...settings }: Reached & Pick<LlmSettings, "model">): Wire {
  let loading: Promise<OpenAI> | undefined;
  const client = () => (loading ??= load(settings));

  return {
    async chat({ shape, tools, ...question }, signal) {
      const { dialect } = question;
      const body = {
        ...common(model, question),
        ...(shape && responseFormat(dialect, shape)),
        ...(tools && toolsOf(dialect, tools)),
      };
      return answerOf(await (await client()).chat.completions.create(body, { signal }), body.model);
    },

    async *stream(question, signal) {
      const withUsage = question.dialect.streamUsage && { stream_options: { include_usage: true } };
      const chunks = await (
        await client()
      ).chat.completions.create({ ...common(model, question), ...withUsage, stream: true }, { signal });
      for await (const chunk of chunks) yield* piecesOf(chunk);
    },

    async models(signal) {
      const page = await (await client()).models.list({ signal });
      const listed: unknown[] = Array.isArray(page.data) ? page.data : [];
      return listed
        .flatMap((entry) => (typeof (entry as { id?: unknown })?.id === "string" ? [(entry as { id: string }).id] : []))
        .slice(0, MOST_MODELS);
    },
  };
}

type Reached = Pick<LlmSettings, "baseUrl" | "apiKey" | "fetch">;

async function load({ baseUrl, apiKey, fetch: leave = fetch }: Reached): Promise<OpenAI> {
  const { OpenAI: Client } = await import("openai");
  return new Client({
    baseURL: baseUrl!,
    // The client insists on a key; where none is set, `withBounds` leaves the header out.
    apiKey: apiKey || "none",
    // Null: not from the environment, which `config/env.ts` alone reads.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: "off",
    fetch: withBounds(Boolean(apiKey), leave),
  });
}

/** `fetch` that sends what the protocol needs and no more, follows no redirect, and reads no endless answer. */
function withBounds(authorised: boolean, leave: typeof fetch): typeof fetch {
  const sent = ["accept", "content-type", "user-agent", ...(authorised ? ["authorization"] : [])];
  return async (address, init) => {
    const given = new Headers(init?.headers);
    const headers = new Headers(
      sent.flatMap((name) => (given.has(name) ? [[name, given.get(name)!] as [string, string]] : [])),
    );
    const response = await leave(address, { ...init, headers, redirect: "manual" });
    if (response.status >= 300 && response.status < 400) {
      throw new LlmError("rejected", "The model's endpoint redirects; set its final address.", {
        status: response.status,
      });
    }
    return response.body ? new Response(bounded(response.body), response) : response;
  };
}

function bounded(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let read = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        read += chunk.byteLength;
        if (read > LARGEST_ANSWER_BYTES)
          controller.error(new LlmError("malformed", "The model's answer is far too long."));
        else controller.enqueue(chunk);
      },
    }),
  );
}

const common = (
  configured: string,
  { model = configured, messages, maxTokens, dialect, temperature = 0 }: ModelRequest,
) => ({
  model,
  messages: [...messages],
  [dialect.limit]: maxTokens,
  // The same question should get the same answer, as far as the model can.
  ...(dialect.temperature && { temperature }),
});

function responseFormat({ form }: Dialect, { name, schema }: AnswerShape) {
  if (form === "json_schema")
    return { response_format: { type: "json_schema" as const, json_schema: { name, schema: jsonSchema(schema) } } };
  if (form === "json_object") return { response_format: { type: "json_object" as const } };
  return {};
}

const toolsOf = ({ choice }: Dialect, tools: readonly OfferedTool[]) => ({
  tools: tools.map((tool) => ({ type: "function" as const, function: { ...tool } })),
  ...(choice && { tool_choice: "required" as const }),
});

/** Some endpoints leave out the type or the id of a call, or give its arguments as an object. */
function callsOf(calls: unknown): RawCall[] {
  return (Array.isArray(calls) ? calls : []).slice(0, MOST_CALLS).flatMap((call) => {
    const { name, arguments: given } = (call as { function?: Partial<RawCall> } | null)?.function ?? {};
    return typeof name === "string" ? [{ name, arguments: given }] : [];
  });
}

/** The endpoint is not trusted to keep to the protocol: every field is looked at before it is used. */
function answerOf(completion: ChatCompletion, asked: string): ModelReply {
  const choice = (completion as Partial<ChatCompletion> | undefined)?.choices?.[0];
  if (!choice?.message) throw new LlmError("malformed", "The model's endpoint did not answer in the OpenAI protocol.");
  if (choice.finish_reason === "content_filter" || choice.message.refusal)
    throw new LlmError("declined", "The model declines to answer.", { usage: usageOf(completion.usage) });
  const { content } = choice.message;
  return {
    content: typeof content === "string" ? withoutThoughts(content) : "",
    // Nothing acts on them where no tools were offered.
    calls: callsOf(choice.message.tool_calls),
    cut: choice.finish_reason === "length",
    model: typeof completion.model === "string" ? completion.model : asked,
    usage: usageOf(completion.usage),
  };
}

function* piecesOf(chunk: ChatCompletionChunk): Generator<StreamPiece> {
  const choice = (chunk as Partial<ChatCompletionChunk>)?.choices?.[0];
  if (typeof choice?.delta?.content === "string" && choice.delta.content) yield { text: choice.delta.content };
  const usage = usageOf(chunk?.usage);
  if (usage) yield { usage };
  if (choice?.finish_reason) yield { finished: true, cut: choice.finish_reason === "length" };
}

/** No question takes as many: what is larger counts something else, and sums of it would be no whole numbers. */
const MOST_COUNTED = 1e9;

function usageOf(usage: { prompt_tokens?: number; completion_tokens?: number } | null | undefined): Usage | undefined {
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage ?? {};
  const sane = (tokens: unknown): tokens is number =>
    Number.isInteger(tokens) && (tokens as number) >= 0 && (tokens as number) <= MOST_COUNTED;
  return sane(promptTokens) && sane(completionTokens) ? { promptTokens, completionTokens } : undefined;
}
