import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { newId } from "../../../../core/ids.ts";
import { isNotFound, nullIf } from "../../../../core/problem.ts";
import { entity } from "../../../../core/records/entity.ts";
import { z } from "zod";

/** What a change is about: a source of statements, or the judgements of a set. */
export const JUDGEMENTS = "judgements";
const Subjects = z.array(z.string());

/**
 * What changed in a set's graph, under the set's id: `changes` counts, `log` names what the last of them were about,
 * and `open` what somebody is changing right now.
 */
export const GraphMark = entity("graph.marks", {
  title: "mark of a graph",
  fields: {
    changes: z.int(),
    log: z.array(z.object({ at: z.int(), about: Subjects })).default([]),
    open: z.array(z.object({ token: z.string(), about: Subjects, until: z.number() })).default([]),
  },
  barrier: { set: "id" },
});
export type Mark = Pick<z.output<typeof GraphMark.record>, "changes" | "log" | "open">;

/** The mesh's own hand. */
export const MESH = asSystem("graph");

/** A change that nobody closed by then is over: whoever comes by closes it. */
const OVER_MS = 60_000;
const MOST_LOGGED = 100;
const MOST_NAMED = 1_000;
const NEW: Mark = { changes: 0, log: [], open: [] };

/** The last changes, as many as there is room for. */
function kept(log: Mark["log"]): Mark["log"] {
  let named = 0;
  const first = log.slice(-MOST_LOGGED).findLastIndex(({ about }) => (named += about.length) > MOST_NAMED);
  return log.slice(-MOST_LOGGED).slice(first + 1);
}

const logged = ({ changes, log }: Mark, about: readonly string[]): Pick<Mark, "changes" | "log"> => ({
  changes: changes + 1,
  log: kept([...log, { at: changes + 1, about: [...about] }]),
});

/** A mark written before changes had a log, has none. */
const whole = (mark: Partial<Mark> | null): Mark => ({
  changes: mark?.changes ?? 0,
  log: mark?.log ?? [],
  open: mark?.open ?? [],
});

async function write(host: Host, problemSetId: string, decide: (mark: Mark) => Partial<Mark> | null): Promise<void> {
  const store = host.store(GraphMark);
  const change = () => store.change(MESH, problemSetId, (mark) => decide(whole(mark)));
  if (await change().catch(nullIf(isNotFound))) return;
  await store.createOnce(MESH, { id: problemSetId, ...NEW });
  await change();
}

export const markOf = async (host: Host, problemSetId: string): Promise<Mark> =>
  whole((await host.store(GraphMark).collection.findById(problemSetId)) as Partial<Mark> | null);

/** Closes what somebody left open, as if it had happened: they were killed before they could say. */
export const closeOver = (host: Host, problemSetId: string): Promise<void> =>
  write(host, problemSetId, (mark) => {
    const over = mark.open.filter(({ until }) => until <= host.world.clock.now());
    if (!over.length) return null;
    return {
      ...logged(
        mark,
        over.flatMap(({ about }) => about),
      ),
      open: mark.open.filter((one) => !over.includes(one)),
    };
  });

export const isOver = (host: Host, { open }: Mark): boolean =>
  open.some(({ until }) => until <= host.world.clock.now());

/**
 * Changes what views are made of. It says so before, durably, and that it is done after: from the first moment on that
 * the change is stored every reader, on whatever node, looks at what it is about, and a kill in between changes nothing
 * of that.
 */
export async function changing<T>(
  host: Host,
  problemSetId: string,
  about: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const token = newId();
  const until = host.world.clock.now() + OVER_MS;
  await write(host, problemSetId, ({ open }) => ({ open: [...open, { token, about: [...about], until }] }));
  try {
    return await work();
  } finally {
    await write(host, problemSetId, (mark) => ({
      ...logged(mark, about),
      open: mark.open.filter((one) => one.token !== token),
    }));
  }
}
