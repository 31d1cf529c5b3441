import { faultOf, LlmError } from "../../adapters/llm/llm.ts";
import { agentActor, unionOfCompartments, type Actor, type Standing } from "../../core/access/access.ts";
import { asSystem } from "../../core/access/caller.ts";
import { iso } from "../../core/clock.ts";
import type { Host } from "../../core/contract/endpoint.ts";
import { live, type Audience } from "../../core/contract/live.ts";
import { isConflict } from "../../core/problem.ts";
import type { Entity } from "../../core/records/entity.ts";
import type { Store } from "../../core/records/store.ts";
import type { Job, JobRun } from "../../core/work/job.ts";
import { Deltas, type Delta } from "./deltas.ts";
import { named, PlainText } from "./links.ts";
import { questionFor, type Turn } from "./prompting.ts";
import { ENDED, type DeltaEvent, type Replied } from "./replies.ts";
import { citable, extracted, sourcesFor, type Citation, type Source } from "./sources.ts";

const SAVE_MS = 250;
const LONGEST = 16_000;
const MOST_TOKENS = 1_024;
/** Then somebody looks whether it is being written: longer than the lease of the job that writes it. */
const DUE_MS = 30_000;
const SWEPT = 100;
const NOTHING = "Nothing that you may read speaks of this.";

/** Whom an answer is for, and by whom it is given: made before anything is read. */
export interface Asking {
  /** Compartments that may be read in: in the answer there may be anything that lies in them. */
  compartments: readonly string[];
  turns: readonly (Turn & { compartments: string[] })[];
  character?: string;
  /** Why nothing is to be answered. */
  refusal?: string;
}

/** How a domain's replies are written. */
export interface ReplyKind<R extends Replied> {
  entity: Entity;
  job: string;
  delta: DeltaEvent;
  audience(reply: R): Audience;
  /** Who answers, what was said before, or why there is no answer. */
  asking(host: Host, reply: R, account: Standing): Promise<Asking>;
  /** Whether it is to be given up: asked each 250 ms, of the stores. */
  stopped(host: Host, reply: R): Promise<string | undefined>;
  /** Begun beside the writing; what it answers is awaited before the end is told. */
  beside?(host: Host, reply: R, account: Standing, signal: AbortSignal): Promise<void>;
  /** Tells the end. */
  tellEnd(host: Host, reply: R): Promise<unknown>;
}

/** The person's right to read, as they stand now, and no more: in this set, in these compartments. */
export const readerFor = (
  account: Standing,
  { id, problemSetId }: Pick<Replied, "id" | "problemSetId">,
  { name, compartments }: { name: string; compartments: readonly string[] },
): Actor =>
  agentActor(
    account,
    { id: name, execution: id, step: id },
    { problemSetId, compartments, permits: ["*:read"], limits: ["*:read"] },
  );

/** Somebody else writes it, or it is over. */
class Overtaken extends Error {}
/** It is to be given up, for a reason that is told. */
class Stopped extends Error {}

/** One attempt at a reply: what is written goes out in parts, and is stored each 250 ms. */
class Writing<R extends Replied> {
  reply: R;
  text = "";
  readonly #kind: ReplyKind<R>;
  readonly #host: Host;
  readonly #store: Store<Entity>;
  readonly #deltas = new Deltas();
  readonly #end = new AbortController();
  #saving: Promise<unknown> = Promise.resolve();
  #isSaving = false;
  #flush: NodeJS.Timeout | undefined;
  readonly #saver: NodeJS.Timeout;

  constructor(host: Host, kind: ReplyKind<R>, reply: R) {
    [this.#host, this.#kind, this.reply, this.#store] = [host, kind, reply, host.store(kind.entity)];
    this.#saver = setInterval(() => this.#save(), SAVE_MS);
  }

  /** Aborts when it is overtaken, or to be given up. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  push(text: string): void {
    this.text += text;
    this.#tell(this.#deltas.push(text, performance.now()));
    this.#arm();
  }

  /** Changes the record of the reply, one change after the other. */
  change(change: Record<string, unknown>): Promise<void> {
    return (this.#saving = this.#saving.then(async () => {
      const item = this.reply as never;
      this.reply = (await this.#store.revise(US, item, change).catch((error: unknown) => {
        throw isConflict(error) ? new Overtaken() : error;
      })) as unknown as R;
    })) as Promise<void>;
  }

  /** Tells what is left, and stores the end. */
  async close(change: Record<string, unknown>): Promise<void> {
    this.stop();
    this.#tell(this.#deltas.rest(performance.now()));
    await this.change({ ...change, text: this.text, dueAt: null });
  }

  stop(): void {
    clearTimeout(this.#flush);
    clearInterval(this.#saver);
  }

  #arm(): void {
    const wait = this.#deltas.waitMs(performance.now());
    if (wait === undefined || this.#flush) return;
    this.#flush = setTimeout(() => {
      this.#flush = undefined;
      this.#tell(this.#deltas.due(performance.now()));
      this.#arm();
    }, wait);
  }

  #tell(deltas: readonly Delta[]): void {
    const { id: messageId, attempt } = this.reply;
    for (const delta of deltas)
      void live(this.#host, {
        event: this.#kind.delta,
        to: this.#kind.audience(this.reply),
        data: { messageId, attempt, ...delta },
      });
  }

  #save(): void {
    if (this.#isSaving) return;
    this.#isSaving = true;
    const look = async (): Promise<void> => {
      const reason = await this.#kind.stopped(this.#host, this.reply);
      if (reason) throw new Stopped(reason);
      if (this.text.length > this.reply.text.length)
        await this.change({ text: this.text.replace(/[\uD800-\uDBFF]$/, ""), dueAt: this.due() });
    };
    look()
      .catch((error: unknown) => this.#end.abort(error))
      .finally(() => {
        this.#isSaving = false;
      });
  }

  due(): string {
    return iso(this.#host.world.clock.now() + DUE_MS);
  }
}

const US = asSystem("staff");

async function begun<R extends Replied>(host: Host, kind: ReplyKind<R>, id: string): Promise<Writing<R> | null> {
  const found = (await host.store(kind.entity).one(US, { _id: id })) as unknown as R | null;
  if (!found || ENDED.includes(found.status)) return null;
  const writing = new Writing(host, kind, found);
  const fresh = { status: "answering", attempt: found.attempt + 1, text: "", citations: [], dueAt: writing.due() };
  await writing.change(fresh).catch((error: unknown) => {
    writing.stop();
    throw error;
  });
  return writing;
}

/** What the model writes, as plain text. Rejects with the model's own error. */
async function byModel<R extends Replied>(
  host: Host,
  writing: Writing<R>,
  {
    said,
    asking,
    sources,
    begun: told,
  }: { said: string; asking: Asking; sources: readonly Source[]; begun: () => void },
  signal: AbortSignal,
): Promise<Replied["usage"]> {
  const plain = plainOf(sources);
  let usage: Replied["usage"];
  const pieces = host.world.llm.stream({
    messages: questionFor({ said, turns: asking.turns, character: asking.character }, sources),
    maxTokens: MOST_TOKENS,
    signal,
    onUsage: (used) => {
      usage = used;
    },
  });
  for await (const piece of pieces) {
    const text = plain.push(piece);
    if (text) writing.push(text);
    told();
    if (writing.text.length > LONGEST) break;
  }
  const rest = plain.end();
  if (rest) writing.push(rest);
  return usage;
}

const plainOf = (sources: readonly Source[]): PlainText =>
  new PlainText(
    sources.map(({ href }) => href),
    sources.map(({ n }) => n),
  );

function byWords<R extends Replied>(writing: Writing<R>, said: string, sources: readonly Source[]): void {
  const plain = plainOf(sources);
  writing.push(plain.push(extracted(said, sources) || NOTHING) + plain.end());
}

/** Reads, writes and checks one attempt; answers why a further one is to be made, by words alone. */
async function attempt<R extends Replied>(
  host: Host,
  kind: ReplyKind<R>,
  writing: Writing<R>,
  job: AbortSignal,
  fault: string | undefined,
): Promise<string | undefined> {
  const signal = AbortSignal.any([job, writing.signal]);
  const { by, problemSetId, said } = writing.reply;
  const account = await host.ask<Standing | null>("auth.actor", { userId: by });
  if (!account?.roles.length || (problemSetId !== undefined && !Object.hasOwn(account.memberships ?? {}, problemSetId)))
    throw new Stopped("Whoever asked may read nothing here any longer.");
  const [reason, asking] = await Promise.all([
    kind.stopped(host, writing.reply),
    kind.asking(host, writing.reply, account),
  ]);
  if (reason) throw new Stopped(reason);
  if (asking.refusal) throw new Stopped(asking.refusal);
  const reader = readerFor(account, writing.reply, { name: kind.job, compartments: asking.compartments });
  const { sources, unread } = await sourcesFor(host, reader, { question: said, problemSetId });
  // Before the first word: who may read the answer is known then.
  const compartments = unionOfCompartments([writing.reply, ...sources, ...asking.turns]);
  const isLlm = host.world.llm.configured && fault === undefined;
  const method = isLlm ? "llm" : "heuristic";
  await writing.change({ compartments, method, ...(unread.length && { unread }), ...(fault && { reason: fault }) });
  // Behind the first word, which nothing is to keep waiting.
  let beside: Promise<void> | undefined;
  const besides = (): void => {
    beside ??= kind.beside?.(host, writing.reply, account, signal).catch(() => undefined);
  };
  let usage: Replied["usage"];
  if (isLlm)
    try {
      usage = await byModel(host, writing, { said, asking, sources, begun: besides }, signal);
    } catch (error) {
      if (writing.signal.aborted) throw writing.signal.reason;
      if (job.aborted || !(error instanceof LlmError)) throw error;
      return faultOf(error);
    }
  else byWords(writing, said, sources);
  if (writing.signal.aborted) throw writing.signal.reason;
  const cited = new Set(named(writing.text));
  const citations: Citation[] = await citable(
    host,
    reader,
    sources.filter(({ n }) => cited.has(n)),
  );
  besides();
  await beside;
  await writing.close({
    status: "completed",
    citations,
    endedAt: iso(host.world.clock.now()),
    ...(usage && { usage }),
  });
  return undefined;
}

/** Writes a reply; one whose model breaks off is written anew, in the words of what was read. */
export async function write<R extends Replied>(
  host: Host,
  kind: ReplyKind<R>,
  { job, signal }: JobRun<{ id: string }>,
): Promise<void> {
  let fault: string | undefined;
  for (;;) {
    const writing = await begun(host, kind, job.input.id).catch((error: unknown) => {
      if (error instanceof Overtaken) return null;
      throw error;
    });
    if (!writing) return;
    try {
      fault = await attempt(host, kind, writing, signal, fault);
    } catch (error) {
      if (error instanceof Overtaken) return;
      if (!(error instanceof Stopped)) throw error;
      fault = undefined;
      await writing.close({ status: "stopped", reason: error.message, endedAt: iso(host.world.clock.now()) });
    } finally {
      writing.stop();
    }
    if (fault === undefined) return void (await kind.tellEnd(host, writing.reply));
  }
}

/** Its job has failed too often: so has the reply. */
export async function giveUp<R extends Replied>(
  host: Host,
  kind: ReplyKind<R>,
  { input }: Job<{ id: string }>,
  reason: string,
): Promise<void> {
  const change = { status: "failed", reason, dueAt: null, endedAt: iso(host.world.clock.now()) };
  const failed = await host
    .store(kind.entity)
    .amend(US, input.id, ({ status }: any) => (ENDED.includes(status) ? null : change));
  if (failed) await kind.tellEnd(host, failed as unknown as R);
}

/** Has a reply written, now; harmless where that is under way. */
export async function begin(
  host: Host,
  { job }: { job: string },
  { id, by }: Pick<Replied, "id" | "by">,
): Promise<void> {
  await host.jobs.add(job, { id }, { by, key: id });
}

/** Replies that are owed and that no job writes: a kill can come between the two. */
export async function sweep<R extends Replied>(host: Host, kind: ReplyKind<R>): Promise<void> {
  const due = { dueAt: { $lte: iso(host.world.clock.now()) } };
  const owed = await host.store(kind.entity).find(US, due, { sort: ["dueAt"], limit: SWEPT });
  for (const reply of owed) await begin(host, kind, reply as unknown as R);
}

export const dueNow = (host: Host): string => iso(host.world.clock.now() + DUE_MS);
