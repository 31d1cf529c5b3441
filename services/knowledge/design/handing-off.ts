import type { Ctx } from "../../../core/access/caller.ts";
import { actorOf, asSystem } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { nextId } from "../../../core/contract/repeatable.ts";
import { nullIf, Problem } from "../../../core/problem.ts";
import { retryOnConflict } from "../../../core/records/conflict-retry.ts";
import { guardsOf, type Guard } from "../../workspace/gates/client.ts";
import { takeOverDesign } from "../../workspace/mdmp/client.ts";
import {
  Design,
  DesignSection,
  differences,
  Handoff,
  saidInAll,
  snapshotOf,
  type Difference,
  type SentSection,
} from "./design.ts";
import { DesignHandedOff } from "./events.ts";
import { missingIn, type Missing, type DesignValues } from "./sections.ts";

const MESH = asSystem("design");

export const sectionsOf = (host: Host, ctx: Ctx<unknown>, problemSetId: string): Promise<DesignSection[]> =>
  host.store(DesignSection).find(ctx, { problemSetId });

export interface PreparedHandoff {
  sections: SentSection[];
  hash: string;
  missing: Missing[];
  /** Hard gates that are not approved. */
  gates: Guard[];
  last: Handoff | null;
  differences: Difference[];
}

/** What would go over now, what stands in its way, and what is otherwise than at the last handoff. */
export async function prepare(host: Host, ctx: Ctx<unknown>, problemSetId: string): Promise<PreparedHandoff> {
  const [records, gates, design] = await Promise.all([
    sectionsOf(host, ctx, problemSetId),
    guardsOf(host, { problemSetId, kind: "design-handoff", subject: problemSetId }),
    host.store(Design).one(ctx, { _id: problemSetId }),
  ]);
  const last = design?.handoffId ? await host.store(Handoff).one(ctx, { _id: design.handoffId }) : null;
  const { sections, hash } = snapshotOf(records);
  return {
    ...{ sections, hash, gates, last },
    missing: missingIn(saidInAll(records)),
    differences: differences(last?.sections ?? [], sections),
  };
}

const hindrances = ({ missing, gates }: Pick<PreparedHandoff, "missing" | "gates">): Problem | undefined => {
  if (missing.length)
    return new Problem(409, "INCOMPLETE", missing.map(({ message }) => message).join(" "), {
      details: missing.map(({ section, field, message }) => ({ path: `${section}.${field}`, message })),
    });
  if (gates.length)
    return new Problem(409, "BLOCKED", gates.map(({ name, status }) => `The gate "${name}" is ${status}.`).join(" "), {
      details: gates,
    });
  return undefined;
};

/**
 * Hands the design over, once for what it says: the same again is the handoff that was. Throws 409 for what is missing,
 * for hard gates, and where the design says otherwise than whoever pushed it has read (`wanted`).
 */
export async function handOff(
  host: Host,
  ctx: Ctx<unknown>,
  problemSetId: string,
  wanted: string | undefined,
): Promise<{ handoff: Handoff; duplicate: boolean }> {
  const [designs, handoffs] = [host.store(Design), host.store(Handoff)];
  await designs.createOnce(MESH, { id: problemSetId, number: 0 });
  return retryOnConflict(async () => {
    const design = await designs.get(ctx, problemSetId);
    const { sections, hash, last, ...rest } = await prepare(host, ctx, problemSetId);
    if (wanted !== undefined && wanted !== hash)
      throw new Problem(409, "CHANGED", "The design says otherwise now than it did under this hash; read it again.", {
        details: { hash },
      });
    if (last && design.hash === hash) return { handoff: last, duplicate: true };
    const hindered = hindrances(rest);
    if (hindered) throw hindered;
    const [number, by] = [design.number + 1, actorOf(ctx)];
    const at = iso(host.world.clock.now());
    const id = nextId(ctx, Handoff.name);
    const handoff = await handoffs.create(ctx, { id, problemSetId, number, hash, sections, by, at });
    const facts = [DesignHandedOff.fact(problemSetId, { problemSetId, handoffId: handoff.id, number, hash, by })];
    try {
      await designs.revise(
        ctx,
        design,
        { number, hash, handoffId: handoff.id },
        // A gate that was put in the way since is asked for anew.
        { where: { obstructions: design.obstructions ?? null }, facts },
      );
    } catch (error) {
      await handoffs.remove(ctx, handoff).catch(nullIf(() => true));
      throw error;
    }
    return { handoff, duplicate: false };
  });
}

/** A gate counts from its answer on: handoffs that were judged before it, and are not written yet, are judged again. */
export async function obstruct(host: Host, problemSetId: string): Promise<void> {
  await host.store(Design).collection.updateMany({ _id: problemSetId }, { $inc: { obstructions: 1 } });
}

/** Planning gets what was handed over: told again until it has it. */
export async function deliver(this: Host, { handoffId }: { handoffId: string }): Promise<void> {
  const handoff = await this.store(Handoff).one(MESH, { _id: handoffId });
  if (!handoff) return;
  const { problemSetId, number, hash, at, by } = handoff;
  const { assumptions = [], constraints = [] } = Object.assign({}, ...handoff.sections) as DesignValues;
  await takeOverDesign(this, {
    ...{ problemSetId, number, hash, at, by },
    assumptions: assumptions.map(({ id, ...given }) => ({ id: id!, ...given })),
    constraints: constraints.map(({ id, ...given }) => ({ id: id!, ...given })),
  });
}
