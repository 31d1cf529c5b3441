import { onBehalfOf } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { live } from "../../../../core/contract/live.ts";
import { isNotFound, isProblem, nullIf } from "../../../../core/problem.ts";
import type { Job, JobRun } from "../../../../core/work/job.ts";
import { inTurns } from "../../../../core/work/turns.ts";
import { documentRecord, type Document, type WholeText } from "../../documents/client.ts";
import { asked, chunksOf, type Memory } from "../extraction/model.ts";
import { runOf, type RunStep } from "../run-progress.ts";
import { strangeLanguage, unread } from "../../languages.ts";
import { readyText, MESH } from "../reading.ts";
import { acceptFindings, findingsOf, reviewed, reviewQuestion, type Finding } from "./findings.ts";
import { Review, ReviewChanged, reviewId } from "./reviews.ts";
import type { Remark } from "./wording.ts";

export const REVIEW = "strategic.review";
export interface ReviewInput {
  documentId: string;
  version: number;
}
const keyOf = ({ documentId, version }: ReviewInput): string => `${documentId}:${version}`;
export const reviewJobOf = (input: ReviewInput): string => `${REVIEW}:${keyOf(input)}`;

type Asked = Pick<Job, "createdAt" | "by">;

/** The record of a run, created once. */
async function open(
  host: Host,
  { createdAt, by }: Asked,
  document: Document,
  { documentId, version }: ReviewInput,
): Promise<Review> {
  const { problemSetId, compartments } = document;
  const run = runOf({ createdAt });
  const id = reviewId(documentId, version, run);
  const none = { findings: [], steps: [], applied: [], failed: [] };
  const { record } = await host.store(Review).createOnce(onBehalfOf("strategic", by), {
    id,
    problemSetId,
    compartments,
    documentId,
    version,
    run,
    by,
    status: "running",
    ...none,
  });
  return record;
}

/** Starts the review of a version, or joins one under way. */
export async function beginReview(
  host: Host,
  document: Document,
  input: ReviewInput,
  by: string,
): Promise<{ jobId: string; review: Review }> {
  await host.store(Review).demandRoom({ documentId: document.id });
  const job = await host.jobs.add(REVIEW, { ...input }, { by, onlookers: document, key: keyOf(input) });
  return { jobId: job.id, review: await open(host, job, document, input) };
}

export const tellLive = (
  host: Host,
  { id, problemSetId, compartments, documentId, status }: Review,
): Promise<unknown> =>
  live(host, { event: ReviewChanged, to: { problemSetId, compartments }, data: { id, documentId, status } });

/** A new review supersedes the document's undecided ones. */
async function supersede(host: Host, { id, documentId }: Review): Promise<void> {
  const store = host.store(Review);
  for (const other of await store.find(MESH, { documentId, status: "open" }, { fields: ["id"] })) {
    if (other.id === id) continue;
    const changed = await store.amend(MESH, other.id, ({ status }) =>
      status === "open" ? { status: "superseded" } : null,
    );
    if (changed) await tellLive(host, changed);
  }
}

interface Reading {
  memory: Memory;
  signal: AbortSignal;
  keep: () => Promise<void>;
}

async function findFindings(
  host: Host,
  whole: WholeText,
  reading: Reading,
  told: string | undefined,
): Promise<{ findings: Finding[]; end: RunStep }> {
  const { signal, memory } = reading;
  const byRules = await inTurns(reviewed(whole), { signal });
  const byModel: Remark[] = [];
  let isAnswered = false;
  for (const chunk of host.world.llm.configured ? chunksOf(whole, () => true) : []) {
    const answer = await asked(host, reviewQuestion, whole.text.slice(chunk.start, chunk.end), reading);
    if (!answer) continue;
    isAnswered = true;
    byModel.push(...acceptFindings(whole, chunk, answer, byRules));
  }
  const findings = findingsOf(whole, byRules, byModel);
  const { fault } = memory;
  const method = isAnswered ? ("llm" as const) : ("heuristic" as const);
  const count = { done: findings.length, total: findings.length };
  const strange = isAnswered ? undefined : strangeLanguage(whole.text, told);
  const said = {
    ...(fault !== undefined && { fault }),
    ...(strange !== undefined && { notice: unread(strange, "for wording") }),
  };
  return { findings, end: { stage: "completed", ...count, method, ...said } };
}

/** Reviews a version. After a kill the result is the same: all findings are written at once. */
export async function reviewDocument(
  this: Host,
  { job, signal, progress }: JobRun<ReviewInput, Memory>,
): Promise<unknown> {
  const { input } = job;
  const store = this.store(Review);
  try {
    const { document, whole } = await readyText(this, input.documentId, input.version, signal);
    const review = await open(this, job, document, input);
    let now = review;
    if (review.status === "running") {
      const memory: Memory = job.state ?? { answers: {} };
      const keep = (): Promise<void> => progress("reviewing", 0, 1, memory);
      await store.change(MESH, review.id, ({ steps }) => (steps.length ? null : { steps: [{ stage: "reviewing" }] }));
      await keep();
      const told = document.versions.find(({ version }) => version === input.version)?.language;
      const { findings, end } = await findFindings(this, whole, { memory, signal, keep }, told);
      now = await store.change(MESH, review.id, ({ status }) =>
        status === "running" ? { status: "open", findings, end } : null,
      );
      await tellLive(this, now);
    }
    if (now.status === "open") await supersede(this, now);
    return { reviewId: now.id, findings: now.findings.length };
  } catch (error) {
    if (!isProblem(error) || ![404, 410, 422].includes(error.code)) throw error;
    await fail(this, job as unknown as Job, { code: error.type, message: error.message });
    return { failed: error.type };
  }
}

async function fail(host: Host, job: Job, failure: { code: string; message: string }): Promise<void> {
  const input = job.input as unknown as ReviewInput;
  const document = await documentRecord(host, input.documentId).catch(nullIf(isNotFound));
  if (!document) return;
  const { id } = await open(host, job, document, input);
  await host
    .store(Review)
    .amend(MESH, id, ({ status }) => (status === "running" ? { status: "failed", failure } : null));
}

/** Announces the final failure to followers. */
export const giveUpReview = function (this: Host, job: Job, message: string): Promise<void> {
  return fail(this, job, { code: "FAILED", message });
};
