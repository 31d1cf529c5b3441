import { z } from "zod";
import { memberOf } from "../../../core/access/access.ts";
import type { Ctx } from "../../../core/access/caller.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { conflict, invalid } from "../../../core/problem.ts";
import { Gate, Guarded, stops } from "./gates.ts";
import { placeOfMission } from "../missions/client.ts";

const READ = "gates:read";

/**
 * Who is told, before the answer, that a gate stops what they guard: a step of theirs judged before must not be written
 * after.
 */
const GUARDIANS: Readonly<Record<z.output<typeof Guarded>["kind"], string>> = {
  "mdmp-transition": "mdmp.obstructed",
  "design-handoff": "design.obstructed",
};

/** Calls it for a new gate that stops something. */
export async function bar(host: Host, gate: Gate): Promise<void> {
  if (!gate.guards || !stops(gate)) return;
  await host.ask(GUARDIANS[gate.guards.kind], { subject: gate.guards.subject });
}

/** Throws 400 where nothing has the step: such a gate would stop nobody. */
async function demandStep(host: Host, { kind, step }: z.output<typeof Guarded>): Promise<void> {
  if (step === undefined) return;
  const steps = kind === "mdmp-transition" ? await host.ask<string[]>("mdmp.phases", {}) : [];
  if (steps.includes(step)) return;
  const message = steps.length
    ? `Must be the phase that is left: one of ${steps.map((one) => `\`${one}\``).join(", ")}.`
    : "A handoff has no steps: leave it out.";
  throw invalid([{ path: "guards.step", message }]);
}

/**
 * In which compartments a gate that guards something lies: whoever meets it must be able to see it, and whoever sets it
 * up to see what it guards.
 */
export async function guardedCompartments(
  host: Host,
  ctx: Ctx<{ problemSetId: string; compartments: string[] }>,
  guards: z.output<typeof Guarded>,
): Promise<string[]> {
  await demandStep(host, guards);
  if (guards.kind === "design-handoff") {
    const { problemSetId, compartments } = ctx.params;
    if (guards.subject !== problemSetId)
      throw invalid([{ path: "guards.subject", message: "A design has the id of its problem set." }]);
    if (compartments.length) throw conflict("The gate would lie in a compartment that the design does not lie in.");
    return [];
  }
  const place = await placeOfMission(ctx, guards.subject);
  memberOf(ctx.meta.actor, place.problemSetId, READ);
  if (place.problemSetId !== ctx.params.problemSetId)
    throw invalid([{ path: "guards.subject", message: "This mission lies in another problem set." }]);
  if (ctx.params.compartments.some((id) => !place.compartments.includes(id)))
    throw conflict("The gate would lie in a compartment that the mission does not lie in.");
  return place.compartments;
}
