import { onBehalfOf } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { iso } from "../../../../core/clock.ts";
import { isNotFound, isProblem, nullIf } from "../../../../core/problem.ts";
import type { Job, JobRun } from "../../../../core/work/job.ts";
import { documentRecord, type Document } from "../../documents/client.ts";
import { runOf, type RunStep } from "../run-progress.ts";
import { ObjectiveChanged, objectiveEvent } from "../objectives/events.ts";
import { tellLive } from "../objectives/live.ts";
import { Objective } from "../objectives/objectives.ts";
import { readyText, MESH } from "../reading.ts";
import {
  changeBy,
  objectiveContent,
  Extraction,
  extractionId,
  outcomeOf,
  type ExtractionResult,
} from "./extraction.ts";
import type { NamedCandidate } from "./candidates.ts";
import { findObjectives } from "./finding.ts";
import { removeOutdated } from "./outdated.ts";
import type { Memory } from "./model.ts";

export const EXTRACT = "strategic.extract";
export interface ExtractionInput {
  documentId: string;
  version: number;
}
const keyOf = ({ documentId, version }: ExtractionInput): string => `${documentId}:${version}`;
export const extractJobOf = (input: ExtractionInput): string => `${EXTRACT}:${keyOf(input)}`;

/** Starts the extraction of objectives from a version, or joins a run under way. */
export const beginExtraction = async (
  host: Host,
  onlookers: Document,
  input: ExtractionInput,
  by: string,
): Promise<string> => (await host.jobs.add(EXTRACT, { ...input }, { by, onlookers, key: keyOf(input) })).id;

/** How many objectives are written and announced together. */
const BATCH = 10;

/** The record of a run: a new one, the one left by a kill, or an earlier run's, reset. */
async function open(
  host: Host,
  { createdAt, by }: Job,
  { problemSetId, compartments }: Document,
  { documentId, version }: ExtractionInput,
): Promise<Extraction> {
  const run = runOf({ createdAt });
  const anew = { run, by, status: "running" as const, steps: [], found: [] };
  const store = host.store(Extraction);
  const id = extractionId(documentId, version);
  const { record } = await store.createOnce(onBehalfOf("strategic", by), {
    id,
    problemSetId,
    compartments,
    documentId,
    version,
    ...anew,
    told: [],
  });
  if (record.run === run) return record;
  return store.change(MESH, id, (known) => (known.run === run ? null : { ...anew, end: null, failure: null }));
}

/** Adds a step, unless a run before a kill did. */
const tellStep = (host: Host, id: string, step: RunStep): Promise<Extraction> =>
  host
    .store(Extraction)
    .change(MESH, id, ({ steps }) =>
      steps.some(({ stage }) => stage === step.stage) ? null : { steps: [...steps, step] },
    );

/** Writes a found objective; answers its present state, null where a person removed it. */
async function write(
  host: Host,
  { createdAt, by }: Job,
  document: Document,
  version: number,
  found: NamedCandidate,
  isToldBefore: boolean,
): Promise<Objective | null> {
  const store = host.store(Objective);
  const { problemSetId, compartments } = document;
  const told = (objective: Objective) => [
    ObjectiveChanged.fact(objective.id, { ...objectiveEvent(objective, by), change: "extracted" }),
  ];
  let known = await store.get(MESH, found.id).catch(nullIf(isNotFound));
  if (!known) {
    if (isToldBefore) return null;
    const base = { id: found.id, problemSetId, compartments, documentId: document.id };
    const made = await store.createOnce(
      onBehalfOf("strategic", by),
      { ...base, ...objectiveContent(found, version), status: "draft", edited: false, history: [] },
      { facts: told },
    );
    if (made.made) {
      await tellLive(host, made.record);
      return made.record;
    }
    known = made.record;
  }
  if (known.createdAt >= createdAt) return known;
  const at = iso(host.world.clock.now());
  const { rev } = known;
  const after = await store.change(MESH, known.id, (objective) => changeBy(objective, found, version, at), {
    facts: told,
  });
  if (after.rev !== rev) await tellLive(host, after);
  return after;
}

const foundOf = (
  { id, statement, kind, method, confidence, citations }: NamedCandidate,
  outcome: ExtractionResult["outcome"],
): ExtractionResult => ({
  objectiveId: id,
  outcome,
  statement,
  kind,
  method,
  confidence,
  citation: citations[0]!,
});

/** Objectives that earlier runs over any version of the document announced. */
async function toldBefore(host: Host, documentId: string): Promise<Set<string>> {
  const before = await host.store(Extraction).find(MESH, { documentId }, { fields: ["told"] });
  return new Set(before.flatMap(({ told }) => told));
}

/**
 * Extracts objectives from a version. After a kill it continues after the last announced one; ids are derived, so that
 * nothing is created twice.
 */
async function extractFrom(
  host: Host,
  { job, signal, progress }: JobRun<ExtractionInput, Memory>,
  { document, whole }: Awaited<ReturnType<typeof readyText>>,
): Promise<{ found: number; method: string; notice?: string }> {
  const { input } = job;
  const { documentId, version } = input;
  const record = await open(host, job as unknown as Job, document, input);
  if (record.status === "completed") return { found: record.found.length, method: record.end?.method ?? "heuristic" };
  const memory: Memory = job.state ?? { answers: {} };
  const keep = (): Promise<void> => progress("finding", 0, 1, memory);
  await tellStep(host, record.id, { stage: "finding" });
  await keep();
  const language = document.versions.find((one) => one.version === version)?.language;
  const { found, method, fault, notice } = await findObjectives(host, whole, { memory, signal, keep }, language);
  const before = await toldBefore(host, documentId);
  let now = await tellStep(host, record.id, { stage: "writing", total: found.length });
  const done = new Set(now.found.map(({ objectiveId }) => objectiveId));
  const left = found.filter(({ id }) => !done.has(id));
  for (let from = 0; from < left.length; from += BATCH) {
    signal.throwIfAborted();
    const batch = left.slice(from, from + BATCH);
    const written = await Promise.all(
      batch.map(async (one) =>
        foundOf(
          one,
          outcomeOf(
            await write(host, job as unknown as Job, document, version, one, before.has(one.id)),
            job.createdAt,
          ),
        ),
      ),
    );
    now = await host.store(Extraction).change(MESH, record.id, (known) => ({
      found: [...known.found, ...written],
      told: [...new Set([...known.told, ...batch.map(({ id }) => id)])],
    }));
    await progress("writing", now.found.length, found.length, memory);
  }
  if (version === document.version) await removeOutdated(host, { documentId, by: job.by }, whole, found);
  const end: RunStep = {
    stage: "completed",
    done: now.found.length,
    total: found.length,
    method,
    ...(fault && { fault }),
    ...(notice && { notice }),
  };
  await host.store(Extraction).change(MESH, record.id, () => ({ status: "completed", end }));
  return { found: now.found.length, method, ...(notice && { notice }) };
}

/** Extracts objectives from a version; a version without text, or a removed one, is a failure of the run. */
export async function extractObjectives(this: Host, run: JobRun<ExtractionInput, Memory>): Promise<unknown> {
  const { job, signal } = run;
  const { documentId, version } = job.input;
  try {
    return await extractFrom(this, run, await readyText(this, documentId, version, signal));
  } catch (error) {
    if (!isProblem(error) || ![404, 410, 422].includes(error.code)) throw error;
    await fail(this, job as unknown as Job, { code: error.type, message: error.message });
    return { failed: error.type };
  }
}

async function fail(host: Host, job: Job, failure: { code: string; message: string }): Promise<void> {
  const input = job.input as unknown as ExtractionInput;
  const document = await documentRecord(host, input.documentId).catch(nullIf(isNotFound));
  if (!document) return;
  const { id } = await open(host, job, document, input);
  await host.store(Extraction).change(MESH, id, () => ({ status: "failed", failure }));
}

/** Announces the final failure to followers. */
export const giveUpExtraction = function (this: Host, job: Job, message: string): Promise<void> {
  return fail(this, job, { code: "FAILED", message });
};
