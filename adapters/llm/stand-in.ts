import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** A chat request as the stand-in received it. */
export interface Received {
  path: string;
  authorization?: string;
  headers: Record<string, string | string[] | undefined>;
  model?: string;
  messages: { role: string; content: string }[];
  stream: boolean;
  /** Names of the tools that were offered. */
  tools: string[];
  /** Name of the JSON Schema that was asked for. */
  shape?: string;
  body: Record<string, unknown>;
}

/** What the stand-in does with one request. */
export type Behaviour =
  /** Streamed with a pause of so many milliseconds behind each word. */
  | {
      kind: "answer";
      content: string;
      finish?: "stop" | "length" | "content_filter";
      /** Counted from the words without it; false: none is told. */
      usage?: false | { prompt_tokens: number; completion_tokens: number };
      pauseMs?: number;
    }
  | { kind: "slow"; ms: number; before: Behaviour }
  | { kind: "fail"; status: number; message?: string; headers?: Record<string, string> }
  /** 200 with a body that is no JSON. */
  | { kind: "garbage" }
  /** JSON that is not of the protocol. */
  | { kind: "alien" }
  /** The connection breaks in the middle of the body. */
  | { kind: "broken" }
  /** The model calls tools, offered or not; arguments that are a text go out as they are. */
  | { kind: "tool-calls"; calls: { name: string; arguments: unknown }[]; content?: string }
  | { kind: "redirect"; location: string }
  /** A body of this many bytes. */
  | { kind: "endless"; bytes: number };

export type Responder = (request: Received) => Behaviour;

export interface StandIn {
  baseUrl: string;
  /** Every chat request, oldest first. */
  received: Received[];
  /** Every request for a path that is not of the protocol: something followed what a text told it. */
  strayed: string[];
  /** Most requests that were under way at once. */
  busiest: number;
  /** Queues behaviours, used once each, before the responder is asked. */
  next(...behaviours: Behaviour[]): void;
  respond(responder: Responder): void;
  close(): Promise<void>;
}

const MODEL = "stand-in-1";

export const answer = (value: unknown): Behaviour => ({
  kind: "answer",
  content: typeof value === "string" ? value : JSON.stringify(value),
});

/**
 * A real HTTP server on loopback that speaks the OpenAI protocol (chat completions whole and as server-sent events,
 * models) and fails on demand: the adapter's tests, and those of its users, talk to it over a socket.
 */
export async function modelStandIn(responder: Responder = () => answer({})): Promise<StandIn> {
  const queue: Behaviour[] = [];
  let respond = responder;
  let underWay = 0;
  const over = new AbortController();

  const server = createServer((request, response) => {
    underWay += 1;
    self.busiest = Math.max(self.busiest, underWay);
    response.on("close", () => {
      underWay -= 1;
    });
    serve(request, response).catch((error: Error) => response.destroy(error));
  });

  async function serve(request: IncomingMessage, response: ServerResponse) {
    if (request.method === "GET" && request.url === "/v1/models")
      return sendJson(response, 200, { object: "list", data: [{ id: MODEL, object: "model" }] });
    if (request.method !== "POST" || request.url !== "/v1/chat/completions") {
      self.strayed.push(`${request.method} ${request.url}`);
      return sendJson(response, 404, { error: { message: "No such path." } });
    }
    const received = await readRequest(request);
    self.received.push(received);
    await act(queue.shift() ?? respond(received), received, response, over.signal);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const self: StandIn = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received: [],
    strayed: [],
    busiest: 0,
    next: (...behaviours) => {
      queue.push(...behaviours);
    },
    respond: (next) => {
      respond = next;
    },
    async close() {
      over.abort();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return self;
}

async function readRequest(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, unknown>;
  const format = body.response_format as { json_schema?: { name?: string } } | undefined;
  return {
    path: request.url ?? "",
    authorization: request.headers.authorization,
    headers: request.headers,
    model: body.model as string,
    messages: body.messages as Received["messages"],
    stream: body.stream === true,
    tools: ((body.tools ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name),
    shape: format?.json_schema?.name,
    body,
  };
}

async function act(
  behaviour: Behaviour,
  request: Received,
  response: ServerResponse,
  over: AbortSignal,
): Promise<void> {
  switch (behaviour.kind) {
    case "slow":
      await delay(behaviour.ms, undefined, { signal: over }).catch(() => undefined);
      return response.destroyed ? undefined : act(behaviour.before, request, response, over);
    case "fail":
      return sendJson(
        response,
        behaviour.status,
        { error: { message: behaviour.message ?? "scripted failure", type: "scripted" } },
        behaviour.headers,
      );
    case "garbage":
      response.writeHead(200, { "content-type": "application/json" }).end("<html>not json");
      return;
    case "alien":
      return sendJson(response, 200, { hello: "world", choices: "none" });
    case "redirect":
      response.writeHead(307, { location: behaviour.location }).end();
      return;
    case "endless":
      response.writeHead(200, { "content-type": "application/json" });
      response.end(`{"pad":"${"x".repeat(behaviour.bytes)}"}`);
      return;
    case "broken":
      return breakOff(request, response);
    case "tool-calls": {
      const tool_calls = behaviour.calls.map(({ name, arguments: given }, at) => ({
        id: `call_${at + 1}`,
        type: "function",
        function: { name, arguments: typeof given === "string" ? given : JSON.stringify(given) },
      }));
      const message = { content: behaviour.content ?? null, tool_calls };
      return sendJson(response, 200, completion(request, message, "tool_calls"));
    }
    case "answer":
      if (request.stream) return streamAnswer(behaviour, request, response);
      return sendJson(
        response,
        200,
        completion(request, { content: behaviour.content }, behaviour.finish ?? "stop", behaviour.usage),
      );
  }
}

const tokens = (text: string) => Math.ceil(text.length / 4);
const usageOf = (request: Received, content: string) => {
  const prompt = request.messages.reduce((sum, message) => sum + tokens(message.content), 0);
  return { prompt_tokens: prompt, completion_tokens: tokens(content), total_tokens: prompt + tokens(content) };
};

const completion = (
  request: Received,
  message: { content: string | null; tool_calls?: unknown[] },
  finish: string,
  usage?: (Behaviour & { kind: "answer" })["usage"],
) => ({
  id: "chatcmpl-stand-in",
  object: "chat.completion",
  created: 0,
  model: MODEL,
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finish }],
  ...(usage !== false && { usage: usage ?? usageOf(request, message.content ?? "") }),
});

function chunk(delta: { content?: string }, finish: string | null) {
  const body = {
    id: "chatcmpl-stand-in",
    object: "chat.completion.chunk",
    created: 0,
    model: MODEL,
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
  return `data: ${JSON.stringify(body)}\n\n`;
}

async function streamAnswer(behaviour: Behaviour & { kind: "answer" }, request: Received, response: ServerResponse) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const piece of behaviour.content.match(/\S+\s*|\s+/g) ?? []) {
    response.write(chunk({ content: piece }, null));
    if (behaviour.pauseMs) await delay(behaviour.pauseMs);
    if (response.destroyed) return;
  }
  response.write(chunk({}, behaviour.finish ?? "stop"));
  const counted = {
    id: "chatcmpl-stand-in",
    object: "chat.completion.chunk",
    created: 0,
    model: MODEL,
    choices: [],
    usage: behaviour.usage || usageOf(request, behaviour.content),
  };
  if (behaviour.usage !== false) response.write(`data: ${JSON.stringify(counted)}\n\n`);
  response.end("data: [DONE]\n\n");
}

function breakOff(request: Received, response: ServerResponse) {
  if (request.stream) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(chunk({ content: "Half an " }, null), () => response.destroy());
  } else {
    response.writeHead(200, { "content-type": "application/json", "content-length": "500" });
    response.write('{"id":"chatcmpl-', () => response.destroy());
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** From the bracket at the beginning to the one that closes it. */
function balanced(text: string): string | undefined {
  let depth = 0;
  for (const [at, character] of [...text].entries()) {
    if (character === "{") depth += 1;
    else if (character === "}" && --depth === 0) return [...text].slice(0, at + 1).join("");
  }
  return undefined;
}

/** Every act that a text asks for: `call <tool> with {…}`, as it stands or as JSON within JSON. */
function actsAskedFor(text: string): { act: string; arguments: Record<string, unknown> }[] {
  const plain = text.replaceAll("\\", "");
  return [...plain.matchAll(/\bcall ([a-z_]+) with (?=\{)/gi)].flatMap(({ 0: found, 1: act, index }) => {
    try {
      return [{ act: act!, arguments: JSON.parse(balanced(plain.slice(index + found.length)) ?? "") }];
    } catch {
      return [];
    }
  });
}

/** A call of a tool, as a model with tools makes it. */
export const calls = (...acts: [name: string, given: unknown][]): Behaviour => ({
  kind: "tool-calls",
  calls: acts.map(([name, given]) => ({ name, arguments: given })),
});

/** An endpoint that refuses tools, before a model. */
export const withoutTools =
  (responder: Responder): Responder =>
  (request) =>
    request.tools.length
      ? { kind: "fail", status: 400, message: `${MODEL} does not support tools` }
      : responder(request);

/**
 * A model that does whatever any text of its prompt asks, whoever wrote it, and tells all that it has read: by calls of
 * all at once where it is offered tools, else one act a turn. In the arguments `everything` stands for the whole prompt.
 */
export const gullible: Responder = ({ messages, tools }) => {
  const prompt = messages.map(({ content }) => content).join("\n");
  const everything = JSON.stringify(prompt.slice(-2_000)).slice(1, -1);
  const done = messages.filter(({ role }) => role === "assistant").length;
  const wanted = actsAskedFor(prompt)
    .slice(done)
    .map(({ act, arguments: given }) => ({
      act,
      arguments: JSON.parse(JSON.stringify(given).replaceAll("everything", everything)) as unknown,
    }));
  const end = { act: "finish", answer: prompt.slice(-4_000) };
  if (!tools.length) return answer(wanted[0] ?? end);
  const offered = wanted.filter(({ act }) => tools.includes(act));
  if (offered.length) return calls(...offered.map((one): [string, unknown] => [one.act, one.arguments]));
  return tools.includes(end.act) ? calls([end.act, { answer: end.answer }]) : calls([tools[0]!, {}]);
};
