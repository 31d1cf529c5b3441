import { onBehalfOf } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { isNotFound, isProblem, nullIf } from "../../../../core/problem.ts";
import type { Job, JobRun, Onlookers } from "../../../../core/work/job.ts";
import { inTurns } from "../../../../core/work/turns.ts";
import { unread } from "../../languages.ts";
import { documentRecord } from "../../documents/client.ts";
import { GraphBuilt } from "../events.ts";
import { tellGraph } from "../live.ts";
import { OsintEvent } from "../osint/osint.ts";
import { involved, ofEvent } from "../osint/stating.ts";
import { lookForDuplicates } from "../resolution/judging.ts";
import { keep, takeBack, type NewStatement } from "../statements/keeping.ts";
import { MESH } from "../statements/marks.ts";
import { Statement } from "../statements/statements.ts";
import { BUILD, Build, buildId, buildJobOf, keyOf, type BuildInput } from "./builds.ts";
import { extractGraph, EXTRACTOR, MOST_LEFT_OUT, type ExtractedGraph } from "./extraction.ts";
import { accepted, pointedAt } from "./model.ts";
import { statementsOf } from "./stating.ts";
import { documentToRead, eventSource, eventToRead, type Readable, type Readables } from "./texts.ts";

/** Has something read into the graph; joins a run that has not ended. */
export const beginBuild = async (host: Host, onlookers: Onlookers, input: BuildInput, by: string): Promise<string> =>
  (await host.jobs.add(BUILD, { ...input }, { by, onlookers, key: keyOf(input) })).id;

const eventIn = (host: Host, input: BuildInput): Promise<OsintEvent | null> =>
  "eventId" in input ? host.store(OsintEvent).one(MESH, { _id: input.eventId }) : Promise.resolve(null);

async function read(host: Host, { text, skipped, strange }: Readable, signal: AbortSignal): Promise<ExtractedGraph> {
  const pointed = await pointedAt(host, text, signal);
  const isForeign = strange !== undefined;
  return inTurns(extractGraph(text, { skipped, isForeign, more: accepted(text, pointed) }), { signal });
}

/** The record of a build: a new one, or the one that is there, begun anew where something else is read. */
async function open(host: Host, { input, by }: Job<BuildInput>, readables: Readables): Promise<Build> {
  const { problemSetId, compartments } = readables.texts[0]!.of;
  const event = await eventIn(host, input);
  const fields = {
    ...{ id: buildId(input), problemSetId, compartments, by, jobId: buildJobOf(input), extractor: EXTRACTOR },
    ...{ title: readables.title, version: readables.version, digest: readables.digest },
    ...("documentId" in input ? { documentId: input.documentId } : { eventId: input.eventId }),
    ...(event?.storyId !== undefined && { storyId: event.storyId }),
    status: "running" as const,
  };
  const store = host.store(Build);
  const { record } = await store.createOnce(onBehalfOf("graph", by), fields);
  if (record.status === "completed" && record.digest === readables.digest) return record;
  if (record.status === "running" && record.digest === readables.digest) return record;
  const { title, digest } = readables;
  return store.change(MESH, record.id, () => ({ status: "running", title, digest, by, failure: null, endedAt: null }));
}

/** What another version, or the same source before, said and this one does not. */
async function forgetEarlier(
  host: Host,
  { source, texts }: Pick<Readables, "source" | "texts">,
  now: readonly NewStatement[],
): Promise<void> {
  const { problemSetId } = texts[0]!.of;
  const kept = new Set(now.map(({ id }) => id));
  const gone: string[] = [];
  for await (const slice of host
    .store(Statement)
    .slices(MESH, { source, method: { $ne: "manual" } }, { fields: ["source"] }))
    gone.push(...slice.map(({ id }) => id).filter((id) => !kept.has(id)));
  for (let from = 0; from < gone.length; from += 500)
    await takeBack(host, { problemSetId, source, _id: { $in: gone.slice(from, from + 500) } });
}

/** Whether it is still there to be told of. */
async function isThere(host: Host, input: BuildInput): Promise<boolean> {
  if ("eventId" in input) return (await eventIn(host, input)) !== null;
  const document = await documentRecord(host, input.documentId).catch(nullIf(isNotFound));
  return document !== null && document.status !== "withdrawn" && document.version === input.version;
}

async function readInto(host: Host, run: JobRun<BuildInput>): Promise<unknown> {
  const { job, signal, progress } = run;
  const { input } = job;
  const event = await eventIn(host, input);
  if ("eventId" in input && !event) return { gone: true };
  const readables =
    "documentId" in input
      ? await documentToRead(host, input.documentId, input.version)
      : await eventToRead(host, event!);
  const record = await open(host, job, readables);
  if (record.status === "completed") return { statements: record.statements };
  const found: ExtractedGraph[] = [];
  for (const readable of readables.texts) {
    await progress("reading", found.length, readables.texts.length);
    found.push(await read(host, readable, signal));
  }
  const said = found.flatMap((extracted, at) => statementsOf(readables.texts[at]!.of, extracted));
  const about = event ? [...ofEvent(event), ...involved(event, readables, found)] : [];
  await progress("writing", 0, said.length);
  await keep(host, job.by, [...said, ...about]);
  for (const source of new Set([readables.source, ...(event ? [eventSource(event)] : [])]))
    await forgetEarlier(host, { ...readables, source }, [...said, ...about]);
  await conclude(host, record, readables, found, said.length + about.length);
  // Withdrawn, or followed by another version meanwhile: nothing of it stays.
  if (!(await isThere(host, input))) await forgetVersion(host, readables);
  await lookForDuplicates(host, record.problemSetId);
  await tellGraph(host, { ...record, what: "build" });
  return { statements: said.length + about.length };
}

const forgetVersion = (host: Host, { source, version, texts }: Readables): Promise<number> =>
  takeBack(host, { problemSetId: texts[0]!.of.problemSetId, source, version });

async function conclude(
  host: Host,
  { id, by, ...build }: Build,
  { texts }: Readables,
  found: readonly ExtractedGraph[],
  statements: number,
) {
  const [entities, relations] = [
    new Set(found.flatMap((one) => one.entities.map(({ key }) => key))).size,
    found.reduce((sum, one) => sum + one.relations.length, 0),
  ];
  const leftOut = found
    .flatMap((one) => one.leftOut)
    .sort((one, other) => other.times - one.times)
    .slice(0, MOST_LEFT_OUT);
  const method = found.some((one) => one.entities.some((entity) => entity.method === "llm")) ? "llm" : "heuristic";
  const strange = method === "llm" ? undefined : texts.find((one) => one.strange !== undefined)?.strange;
  const notice = strange === undefined ? null : unread(strange, "for names");
  const { problemSetId, compartments, title, documentId, storyId } = build;
  const told = { id, problemSetId, compartments, by, title, entities, relations };
  const of = { ...(documentId !== undefined && { documentId }), ...(storyId !== undefined && { storyId }) };
  await host.store(Build).change(
    MESH,
    id,
    ({ status }) =>
      status === "completed"
        ? null
        : {
            status: "completed",
            method,
            entities,
            relations,
            statements,
            leftOut,
            notice,
            endedAt: iso(host.world.clock.now()),
          },
    { facts: [GraphBuilt.fact(id, { ...told, ...of })] },
  );
}

/** Reads what it is told to; what has no text, or is gone, is said so. Killed at any moment it is done again, once. */
export async function buildGraph(this: Host, run: JobRun<BuildInput>): Promise<unknown> {
  try {
    return await readInto(this, run);
  } catch (error) {
    if (!isProblem(error) || ![404, 410, 422].includes(error.code)) throw error;
    await giveUpBuild.call(this, run.job as unknown as Job, error.message);
    return { failed: error.message };
  }
}

/** What failed for good is told to whoever looks. */
export async function giveUpBuild(this: Host, { input }: Job, failure: string): Promise<void> {
  const id = buildId(input as unknown as BuildInput);
  const endedAt = iso(this.world.clock.now());
  await this.store(Build)
    .change(MESH, id, ({ status }) => (status === "running" ? { status: "failed", failure, endedAt } : null))
    .catch(nullIf(isNotFound));
}

/** Hears that a document was withdrawn: what it said goes, and nothing else. */
export async function forgetDocument(
  this: Host,
  { id, problemSetId }: { id: string; problemSetId: string },
): Promise<void> {
  await takeBack(this, { problemSetId, source: `document:${id}` });
  await this.store(Build).removeAll(MESH, { documentId: id });
}

/** Hears that an article of the news was removed. */
export async function forgetArticle(this: Host, { id }: { id: number }): Promise<void> {
  const sets = new Set<string>();
  for await (const slice of this.store(Statement).slices(
    MESH,
    { articleId: id },
    { fields: ["problemSetId", "source"] },
  ))
    for (const { problemSetId, source } of slice) sets.add(JSON.stringify([problemSetId, source]));
  for (const one of sets) {
    const [problemSetId, source] = JSON.parse(one) as [string, string];
    await takeBack(this, { problemSetId, source, articleId: id });
  }
}
