import { added } from "../../adapters/llm/budget/budget.ts";
import { faultOf, LlmError, type Usage } from "../../adapters/llm/llm.ts";
import { agentActor, type Actor, type AccessRights } from "../../core/access/access.ts";
import { unionOfCompartments } from "../../core/access/barrier.ts";
import { iso } from "../../core/clock.ts";
import type { Host } from "../../core/contract/endpoint.ts";
import { aloneIn, type Job, type JobKind, type JobRun } from "../../core/work/job.ts";
import { dueIn, Overtaken, Stopped, MESH, Writing, type AttemptContext, type ReplyKind } from "./attempt.ts";
import type { Bounds } from "./model-questions.ts";
import { citedNumbers, PlainText } from "./links.ts";
import { asksHow } from "./operations/operations.ts";
import { questionFor, searchFor } from "./prompting.ts";
import { ENDED, type Replied } from "./replies.ts";
import { closest, extracted } from "./quoting/extracting.ts";
import { citable, countedFor, sourcesFor, type ReplyCitation } from "./sources.ts";
import { operationsInstead, type NumberedPassage } from "./passages.ts";
import { unsupportedIn } from "./unsupported.ts";

const LONGEST = 16_000;
const MOST_TOKENS = 1_024;
const SWEPT = 100;
/** A reply mostly waits for the model. */
export const AT_ONCE = 16;
export const MOST_CLAIMS = 10;
const SOON_MS = 100;
const NOTHING = "Nothing that you may read speaks of this.";
const NO_MODEL =
  "No language model is configured (NOT_CONFIGURED): what is answered are the words of records that fit a question, " +
  "and how something is done here.";

const WROTE_NOTHING = "The model gave no answer: it wrote nothing.";
const CUT = "The model's answer was cut off at the length that an answer may have.";
const NO_ORDERS = "No language model is configured (NOT_CONFIGURED), so that nothing is done by words alone.";

/** The person's present rights, reduced to reading: in this set, in these compartments. */
export const readerFor = (
  account: AccessRights,
  { id, problemSetId }: Pick<Replied, "id" | "problemSetId">,
  { name, compartments }: { name: string; compartments: readonly string[] },
): Actor =>
  agentActor(
    account,
    { id: name, execution: id, step: id },
    { problemSetId, compartments, permits: ["*:read"], limits: ["*:read"] },
  );

/** What a reply cost so far: all its questions, including broken-off attempts. */
class Bill {
  total: Usage | undefined;
  readonly add = (usage: Usage): void => {
    if (usage.promptTokens || usage.completionTokens) this.total = this.total ? added(this.total, usage) : usage;
  };
}

async function begun<R extends Replied>(host: Host, kind: ReplyKind<R>, id: string): Promise<Writing<R> | null> {
  const found = (await host.store(kind.entity).one(MESH, { _id: id })) as unknown as R | null;
  if (!found || ENDED.includes(found.status)) return null;
  const writing = new Writing(host, kind, found);
  const fresh = { status: "answering", attempt: found.attempt + 1, text: "", citations: [], dueAt: dueIn(host) };
  await writing.change(fresh).catch((error: unknown) => {
    writing.stop();
    throw error;
  });
  return writing;
}

/** The model's text, as plain text; answers whether its end is missing. Rejects with the model's own error. */
async function byModel<R extends Replied>(
  host: Host,
  writing: Writing<R>,
  {
    said,
    asking,
    sources,
    begun: told,
  }: { said: string; asking: AttemptContext; sources: readonly NumberedPassage[]; begun: () => unknown },
  { signal, spends }: Bounds,
): Promise<boolean> {
  const plain = plainOf(sources);
  let isCut = false;
  const pieces = host.world.llm.stream({
    messages: questionFor({ said, turns: asking.turns, character: asking.character }, sources),
    maxTokens: MOST_TOKENS,
    signal,
    onUsage: spends,
    onCut: () => void (isCut = true),
  });
  for await (const piece of pieces) {
    const text = plain.push(piece);
    if (text) writing.push(text);
    if (writing.text.trim()) told();
    if (writing.text.length > LONGEST) {
      isCut = true;
      break;
    }
  }
  const rest = plain.end();
  if (rest) writing.push(rest);
  return isCut;
}

const plainOf = (sources: readonly NumberedPassage[]): PlainText =>
  new PlainText(
    sources.map(({ href }) => href),
    sources.map(({ n }) => n),
  );

/** What the read passages say about a question; where they say nothing, what may help. */
function inWords(
  host: Host,
  found: string,
  { said, sources }: { said: string; sources: readonly NumberedPassage[] },
): string {
  if (!found) return host.world.llm.configured ? NOTHING : `${NOTHING} ${NO_MODEL}`;
  const isBeside = !asksHow(said) && sources.some(({ type }) => type === "operation");
  return isBeside ? `${NOTHING} What may help:\n${found}` : found;
}

/** The answer to a request that nothing can carry out: the operation that does it. */
async function instead<R extends Replied>(
  host: Host,
  kind: ReplyKind<R>,
  { reply }: Writing<R>,
  sources: readonly NumberedPassage[],
): Promise<string> {
  const operations = sources.filter(({ type }) => type === "operation");
  const found = operations.map(({ n, text }) => `${text} [${n}]`);
  return [NO_ORDERS, ...(found.length ? ["What may do it:", ...found] : []), await kind.orders?.(host, reply)]
    .filter((part) => part !== undefined)
    .join("\n");
}

async function byWords<R extends Replied>(
  host: Host,
  kind: ReplyKind<R>,
  writing: Writing<R>,
  {
    said,
    question,
    sources,
    act,
  }: { said: string; question: string; sources: readonly NumberedPassage[]; act: string | undefined },
): Promise<void> {
  const plain = plainOf(sources);
  if (await operationsInstead(host, said)) {
    writing.push(plain.push(act ?? (await instead(host, kind, writing, sources))) + plain.end());
    return;
  }
  const found = extracted(question, sources, said) || closest(question, sources, said);
  const isTold = found !== "" || act === undefined;
  const text = [act, isTold ? inWords(host, found, { said, sources }) : undefined].filter((part) => part !== undefined);
  writing.push(plain.push(text.join("\n")) + plain.end());
}

/** Reads, writes and checks one attempt; answers why another one, by quotation alone, is needed. */
async function attempt<R extends Replied>(
  host: Host,
  kind: ReplyKind<R>,
  writing: Writing<R>,
  job: AbortSignal,
  { fault, bill }: { fault: string | undefined; bill: Bill },
): Promise<string | undefined> {
  const bounds = { signal: AbortSignal.any([job, writing.signal]), spends: bill.add };
  const { by, problemSetId, said } = writing.reply;
  const account = await host.ask<AccessRights | null>("auth.actor", { userId: by });
  if (!account?.roles.length || (problemSetId !== undefined && !Object.hasOwn(account.memberships ?? {}, problemSetId)))
    throw new Stopped("Whoever asked may read nothing here any longer.");
  const [reason, asking] = await Promise.all([
    kind.stopped(host, writing.reply),
    kind.asking(host, writing.reply, account),
  ]);
  if (reason) throw new Stopped(reason);
  if (asking.refusal) throw new Stopped(asking.refusal);
  const reader = readerFor(account, writing.reply, { name: kind.job, compartments: asking.compartments });
  const question = searchFor(said, asking.turns);
  const { sources, unread } = await sourcesFor(host, reader, { said, question, problemSetId });
  // Before the first word: from here on it is known who may read the answer.
  const compartments = unionOfCompartments([writing.reply, ...sources, ...asking.turns]);
  const isLlm = host.world.llm.configured && fault === undefined;
  const method = isLlm ? "llm" : "heuristic";
  await writing.change({ compartments, method, ...(unread.length && { unread }), ...(fault && { reason: fault }) });
  const late = new AbortController();
  const waited = { ...bounds, signal: AbortSignal.any([bounds.signal, late.signal]) };
  // After the first word, which must not be delayed.
  let beside: Promise<string | undefined> | undefined;
  const besides = (): Promise<string | undefined> | undefined =>
    (beside ??= kind.beside?.(host, writing.reply, account, sources, waited).catch(() => undefined));
  let isCut = false;
  if (isLlm)
    try {
      isCut = await byModel(host, writing, { said, asking, sources, begun: besides }, bounds);
    } catch (error) {
      if (writing.signal.aborted) throw writing.signal.reason;
      if (job.aborted || !(error instanceof LlmError)) throw error;
      return faultOf(error);
    }
  else {
    const act = host.world.llm.configured ? undefined : await besides();
    await byWords(host, kind, writing, { said, question, sources, act });
  }
  if (writing.signal.aborted) throw writing.signal.reason;
  if (isLlm && !/[\p{L}\p{N}]/u.test(writing.text)) return WROTE_NOTHING;
  const read = sources.map(({ n, title, text }) => ({ n, text: `${title}\n${text}` }));
  const unsupported = isLlm ? unsupportedIn(writing.text, read, question) : [];
  const cited = new Set(citedNumbers(writing.text));
  const counted = await countedFor(
    host,
    reader,
    { said, problemSetId },
    sources.filter(({ n }) => cited.has(n)),
  );
  if (counted) writing.push(`\n${counted}`);
  const citations: ReplyCitation[] = await citable(
    host,
    reader,
    sources.filter(({ n }) => cited.has(n)),
  );
  // The text is complete: it waits for the work beside it as long as for one answer, not for repeated ones.
  const timer = setTimeout(() => late.abort(), host.world.configurations.llm.timeoutMs);
  await besides();
  clearTimeout(timer);
  await writing.close({
    status: "completed",
    citations,
    endedAt: iso(host.world.clock.now()),
    ...(bill.total && { usage: bill.total }),
    ...(isCut && { reason: CUT }),
    ...(unsupported.length && { unsupported }),
  });
  return undefined;
}

/** Writes a reply; if its model fails, it is written again from quotations. */
async function writeReply<R extends Replied>(
  host: Host,
  kind: ReplyKind<R>,
  { job, signal }: JobRun<{ id: string }>,
): Promise<void> {
  const bill = new Bill();
  let fault: string | undefined;
  for (;;) {
    const writing = await begun(host, kind, job.input.id).catch((error: unknown) => {
      if (error instanceof Overtaken) return null;
      throw error;
    });
    if (!writing) return;
    try {
      fault = await attempt(host, kind, writing, signal, { fault, bill });
    } catch (error) {
      if (error instanceof Overtaken) return;
      if (!(error instanceof Stopped)) throw error;
      fault = undefined;
      const endedAt = iso(host.world.clock.now());
      await writing.close({ status: "stopped", reason: error.message, endedAt, usage: bill.total });
    } finally {
      writing.stop();
    }
    if (fault === undefined) return void (await kind.tellEnd(host, writing.reply));
  }
}

/** The job has failed too often: the reply fails with it. */
async function giveUp<R extends Replied>(
  host: Host,
  kind: ReplyKind<R>,
  { input }: Job<{ id: string }>,
  reason: string,
): Promise<void> {
  const change = { status: "failed", reason, dueAt: null, seat: null, endedAt: iso(host.world.clock.now()) };
  const failed = await host
    .store(kind.entity)
    .amend(MESH, input.id, ({ status }: any) => (ENDED.includes(status) ? null : change));
  if (failed) await kind.tellEnd(host, failed as unknown as R);
}

/** The job that writes replies of a kind. */
export const replyJob = <R extends Replied>(kind: ReplyKind<R>): JobKind<{ id: string }> => ({
  attempts: MOST_CLAIMS,
  concurrency: AT_ONCE,
  backoffMs: SOON_MS,
  run(this: Host, run) {
    return writeReply(this, kind, run);
  },
  failed(this: Host, job, reason) {
    return giveUp(this, kind, job, reason);
  },
});

/** Has a reply written now; harmless where that is under way. */
export async function begin(host: Host, { job }: { job: string }, reply: Replied): Promise<void> {
  const { id, by } = reply;
  await host.jobs.add(job, { id }, { by, onlookers: aloneIn(reply), key: id });
}

/** Replies that are owed without a job: a kill can come between the two. */
export async function sweep<R extends Replied>(host: Host, kind: ReplyKind<R>): Promise<void> {
  const due = { dueAt: { $lte: iso(host.world.clock.now()) } };
  const owed = await host.store(kind.entity).find(MESH, due, { sort: ["dueAt"], limit: SWEPT });
  for (const reply of owed) await begin(host, kind, reply as unknown as R);
}
