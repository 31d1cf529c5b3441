import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Meta } from "../../../core/access/caller.ts";
import { KEY_HEADER } from "../../../core/contract/idempotency.ts";
import type { StreamEvent } from "../../../core/contract/answer.ts";
import type { PublishedEndpoint } from "../../../core/contract/catalogue.ts";
import { invalid, isDetail, isProblem, Problem, tooMany } from "../../../core/problem.ts";
import type { RequestNames } from "../http/request.ts";
import type { Followed } from "../live/following.ts";
import { MOST_STREAMS } from "../live/streams.ts";
import type { Doorkeeper } from "../mcp/mcp.ts";
import { agentCard, extendedCard, type Card, type KnownAgent } from "./card.ts";
import { fault, rpcStatus, taskNotFound } from "./refusals.ts";
import { asWritten, listedBy, orderIn, shownBy, type SentMessage } from "./requests.ts";
import { artifactsOf, contextOf, isAtRest, isOver, refusalInWords, RUNS_IN, taskOf } from "./tasks.ts";
import { taskStatus, type AgentRun } from "./tasks.ts";

/** What the gateway offers A2A beside what it offers MCP. */
export interface A2aDoor extends Doorkeeper {
  again(req: IncomingMessage, meta: Meta): Promise<Meta>;
  follow(req: IncomingMessage, res: ServerResponse, followed: Followed): Promise<void>;
}

/** One request of the protocol: the caller, and the agent addressed. */
export interface A2aRequest {
  door: A2aDoor;
  req: IncomingMessage;
  res: ServerResponse;
  meta: Meta;
  names: RequestNames;
  origin: string;
  /** The agent that the path names. */
  tenant: string | undefined;
  query: URLSearchParams;
}
type Task = ReturnType<typeof taskOf>;

const FIRST_LOOK_MS = 50;
const LAST_LOOK_MS = 1_000;
const MOST_AGENTS = 100;
const PAGE_SIZE = 50;

const ask = async <T>(asking: A2aRequest, action: string, params: object, meta = asking.meta): Promise<T> =>
  (await asking.door.perform(asking.req, action, { ...params }, meta, asking.names)) as T;

const isStatus = (error: unknown, code: number): boolean => isProblem(error) && error.code === code;

/** A run of the addressed agent that the caller may see. Throws TASK_NOT_FOUND. */
export async function runOf(asking: A2aRequest, id: string, meta = asking.meta): Promise<AgentRun> {
  const run = await ask<AgentRun>(asking, "agents.executions.get", { executionId: id }, meta).catch(
    (error: unknown) => {
      throw isStatus(error, 404) || isStatus(error, 400) ? taskNotFound(id) : error;
    },
  );
  if (asking.tenant !== undefined && run.agentId !== asking.tenant) throw taskNotFound(id);
  return run;
}

/** An action's refusal with the names that the client knows. */
function inTheirWords(error: unknown): unknown {
  if (!isProblem(error) || !Array.isArray(error.data?.details)) return error;
  const given = error.data.details.filter(isDetail);
  if (given.some(({ path }) => path === KEY_HEADER)) {
    const message = "This messageId was used with another message.";
    return new Problem(409, "CONFLICT", message, { details: [{ path: "message.messageId", message }] });
  }
  const details = given.map((one) => ({ ...one, path: asWritten(one.path) }));
  return new Problem(error.code, error.type, error.message, { ...error.data, details });
}

/** Begins a task. The message's id makes it unique: a repeated message answers the same task. */
async function begin(asking: A2aRequest, sent: SentMessage): Promise<string> {
  const { tenant, meta } = asking;
  if (tenant === undefined)
    throw invalid([
      { path: "tenant", message: "Name the agent: the skills of your extended card are those you may ask." },
    ]);
  const order = { ...orderIn(sent), agentId: tenant };
  const keyed = { ...meta, idempotencyKey: `a2a ${sent.message.messageId}` };
  const { executionId } = await ask<{ executionId: string }>(asking, "agents.execute", order, keyed).catch(
    (error: unknown) => {
      throw inTheirWords(error);
    },
  );
  return executionId;
}

/** Answers a message about an existing task. Throws where nothing can follow from it. */
async function followUp(asking: A2aRequest, { message }: SentMessage): Promise<object> {
  const { taskId = "", contextId } = message;
  const run = await runOf(asking, taskId);
  if (contextId && contextId !== contextOf(run))
    throw invalid([{ path: "message.contextId", message: "The task is of another context." }]);
  if (isOver(run)) throw fault("UNSUPPORTED_OPERATION", "The task has ended; it takes no further messages.");
  if (run.status !== "waiting")
    throw fault("UNSUPPORTED_OPERATION", "The agent is at work on the task, and takes no messages meanwhile.");
  return { message: refusalInWords(run, asking.origin) };
}

/** How many requests of each person wait for a task. */
const waiting = new Map<string, number>();

/**
 * Begins a task and answers it as `atRest`. Throws 429, and begins nothing, where the person already has too many
 * requests waiting.
 */
async function awaited(asking: A2aRequest, sent: SentMessage): Promise<AgentRun> {
  const { userId } = asking.meta.actor!;
  const others = waiting.get(userId) ?? 0;
  if (others >= MOST_STREAMS)
    throw tooMany(`You wait for ${others} tasks here; send with returnImmediately, and ask for them.`, 5);
  waiting.set(userId, others + 1);
  try {
    return await atRest(asking, await begin(asking, sent));
  } finally {
    const left = waiting.get(userId)! - 1;
    if (left) waiting.set(userId, left);
    else waiting.delete(userId);
  }
}

/**
 * The run once it needs a person or is over, or as it stands when the client disconnects; each look checks the caller's
 * access anew.
 */
async function atRest(asking: A2aRequest, id: string): Promise<AgentRun> {
  let { meta } = asking;
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 2, LAST_LOOK_MS)) {
    const run = await runOf(asking, id, meta);
    if (isAtRest(run) || asking.res.destroyed) return run;
    await delay(pause);
    meta = await asking.door.again(asking.req, meta);
  }
}

export async function send(asking: A2aRequest, sent: SentMessage): Promise<object> {
  if (sent.message.taskId) return followUp(asking, sent);
  const { returnImmediately = false, historyLength } = sent.configuration ?? {};
  const run = returnImmediately ? await runOf(asking, await begin(asking, sent)) : await awaited(asking, sent);
  return { task: taskOf(run, asking.origin, { historyLength }) };
}

export async function show(asking: A2aRequest, id: string): Promise<Task> {
  const { historyLength } = shownBy(asking.query);
  return taskOf(await runOf(asking, id), asking.origin, { historyLength });
}

type Rows = { data: AgentRun[]; meta: { next: string | null; total: number } };

/**
 * The tasks of a context that is no problem set: the one run that the context was made for, if the caller may see it.
 */
async function aloneIn(
  asking: A2aRequest,
  contextId: string,
  states: readonly { status: string }[],
  since = "",
): Promise<Rows> {
  const run = await runOf(asking, contextId).catch((error: unknown) => {
    if (isStatus(error, 404)) return null;
    throw error;
  });
  const isIn = run && (!states.length || states.some(({ status }) => status === run.status));
  const data =
    isIn && contextOf(run) === contextId && Date.parse(run.updatedAt) >= (Date.parse(since) || 0) ? [run] : [];
  return { data, meta: { next: null, total: data.length } };
}

export async function list(asking: A2aRequest): Promise<object> {
  const wanted = listedBy(asking.query);
  const { contextId, status, pageSize = PAGE_SIZE, pageToken, historyLength, statusTimestampAfter } = wanted;
  const none = { tasks: [], nextPageToken: "", pageSize, totalSize: 0 };
  const states = status && status !== "TASK_STATE_UNSPECIFIED" ? RUNS_IN[status] : [];
  if (!states) return none;
  const shown = { historyLength, artifacts: wanted.includeArtifacts === "true" };
  const [first] = states;
  const params = {
    limit: pageSize,
    ...(pageToken && { cursor: pageToken }),
    ...(asking.tenant !== undefined && { agentId: asking.tenant }),
    ...(contextId && { problemSetId: contextId }),
    ...(states.length && { status: states.map((one) => one.status) }),
    ...(first?.waitingFor && { waitingFor: first.waitingFor }),
    ...(statusTimestampAfter && { changedSince: new Date(statusTimestampAfter).toISOString() }),
  };
  const page = await ask<Rows>(asking, "agents.executions.list", params).catch((error: unknown) => {
    if (contextId && isStatus(error, 404)) return aloneIn(asking, contextId, states, wanted.statusTimestampAfter);
    if (pageToken && isStatus(error, 400)) throw invalid([{ path: "pageToken", message: "No page gave this." }]);
    throw error;
  });
  const tasks = page.data.map((run) => taskOf(run, asking.origin, shown));
  return { tasks, nextPageToken: page.meta.next ?? "", pageSize, totalSize: page.meta.total };
}

export async function cancel(asking: A2aRequest, id: string): Promise<Task> {
  const before = await runOf(asking, id);
  if (isOver(before) && before.status !== "cancelled") throw fault("TASK_NOT_CANCELABLE", "The task has ended.");
  await ask(asking, "agents.executions.cancel", { executionId: id }).catch((error: unknown) => {
    throw isStatus(error, 409) ? fault("TASK_NOT_CANCELABLE", (error as Problem).message) : error;
  });
  return taskOf(await runOf(asking, id), asking.origin);
}

const frame = (value: unknown, event?: string): string =>
  `${event ? `event: ${event}\n` : ""}data: ${JSON.stringify(value)}\n\n`;

/** gRPC codes of reasons that end a stream; any other reason means that the connection was lost. */
const BROKEN: Readonly<Record<string, number>> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  INTERNAL: 500,
};

/** Writes changes of a run as events of the protocol: the task first, then its updates. */
function writerOf({ origin, names }: A2aRequest): (event: StreamEvent) => string {
  let told: AgentRun | undefined;
  return ({ event, data }) => {
    if (event === "error") {
      const { code, message } = (data as { error: { code: string; message: string } }).error;
      return frame(rpcStatus(new Problem(BROKEN[code] ?? 503, code, message), names.outside), "error");
    }
    if (event !== "run") return "";
    const run = data as AgentRun;
    const before = told;
    told = run;
    if (!before) return frame({ task: taskOf(run, origin) });
    if (run.rev === before.rev) return "";
    const of = { taskId: run.id, contextId: contextOf(run) };
    const artifacts = before.answer ? [] : artifactsOf(run);
    return [
      ...artifacts.map((artifact) => frame({ artifactUpdate: { ...of, artifact, lastChunk: true } })),
      frame({ statusUpdate: { ...of, status: taskStatus(run, origin) } }),
    ].join("");
  };
}

async function follow(asking: A2aRequest, id: string, served: PublishedEndpoint): Promise<void> {
  const { door, req, res, meta, names } = asking;
  const requestId = names.outside;
  const followed = { served, params: { executionId: id }, meta: { ...meta, requestId }, requestId };
  await door.follow(req, res, { ...followed, write: writerOf(asking) });
}

/** Answers a message with a stream: of its task, or of one message where no task follows. */
export async function sendStreaming(asking: A2aRequest, sent: SentMessage, served: PublishedEndpoint): Promise<void> {
  if (!sent.message.taskId) return follow(asking, await begin(asking, sent), served);
  const said = await followUp(asking, sent);
  asking.res
    .writeHead(200, { "Content-Type": served.contract.returns.contentType, "Cache-Control": "no-store" })
    .end(frame(said));
}

export async function subscribe(asking: A2aRequest, id: string, served: PublishedEndpoint): Promise<void> {
  if (isOver(await runOf(asking, id)))
    throw fault("UNSUPPORTED_OPERATION", "The task has ended: there is nothing to follow.");
  return follow(asking, id, served);
}

/** The card for the caller: of one agent, or of up to a hundred that they may see. */
export async function card(asking: A2aRequest): Promise<Card> {
  const { origin, tenant } = asking;
  if (tenant !== undefined) return agentCard(origin, await ask<KnownAgent>(asking, "agents.get", { agentId: tenant }));
  const { data } = await ask<{ data: KnownAgent[] }>(asking, "agents.list", {
    status: "active",
    sort: "name",
    limit: MOST_AGENTS,
  });
  return extendedCard(origin, data);
}
