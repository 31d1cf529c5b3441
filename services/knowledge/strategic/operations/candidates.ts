import { upTo } from "../../../../core/text/cutting.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { isProblem, isUnserved } from "../../../../core/problem.ts";
import type { Objective } from "../objectives/objectives.ts";
import type { ResourceCandidate } from "./matching.ts";

/** The most staff positions matched with resources, and registered resources of each name. */
const MOST_POSITIONS = 100;
const MOST_NAMED = 20;

interface Position {
  id: string;
  title: string;
  abbreviation?: string;
}
interface Registered {
  id: string;
  name: string;
  problemSetId?: string;
  compartments?: string[];
}

async function positionsOf(ctx: Ctx<unknown>, problemSetId: string): Promise<ResourceCandidate[]> {
  const query = { id: problemSetId, limit: MOST_POSITIONS };
  const { data } = await ctx.call<{ data: Position[] }, object>("problem-sets.positions.list", query);
  return data.map(({ id, title, abbreviation }) => ({ type: "position", id, title, abbreviation }));
}

/**
 * Registered resources of a name that the caller sees, except in compartments that the objective lacks: everybody who
 * sees the objective sees its plan. None where the installation has no register, or not for the caller.
 */
async function registered(ctx: Ctx<unknown>, name: string, objective: Objective): Promise<ResourceCandidate[]> {
  const { problemSetId, compartments } = objective;
  const query = { q: upTo(200, name), problemSetId, limit: MOST_NAMED };
  try {
    const { data } = await ctx.call<{ data: Registered[] }, object>("resources.search", query);
    return data
      .filter((one) => one.problemSetId === problemSetId)
      .filter((one) => (one.compartments ?? []).every((id) => compartments.includes(id)))
      .map((one) => ({ type: "resource", id: one.id, title: one.name }));
  } catch (error) {
    if (isUnserved(error) || (isProblem(error) && error.code === 403)) return [];
    throw error;
  }
}

/** Candidates for each of these names. */
export async function candidatesFor(
  ctx: Ctx<unknown>,
  objective: Objective,
  names: readonly string[],
): Promise<(name: string) => readonly ResourceCandidate[]> {
  if (!names.length) return () => [];
  const positions = await positionsOf(ctx, objective.problemSetId);
  const found = new Map<string, readonly ResourceCandidate[]>();
  for (const name of new Set(names)) found.set(name, [...positions, ...(await registered(ctx, name, objective))]);
  return (name) => found.get(name) ?? [];
}
