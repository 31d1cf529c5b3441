import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { inTurns } from "../../../../core/work/turns.ts";
import { LayerFeature } from "../generation/features.ts";
import { Conflict } from "./conflicts.ts";
import { Contradictions } from "./finding.ts";

const mesh = asSystem("cop");
/** Of a picture with more features the first so many are compared. */
const MOST_COMPARED = 50_000;

/**
 * Brings the conflicts of a problem set in line with what its COP shows: new ones are added, those that ceased are
 * cleared, those that came back are open again; what somebody waived stays waived.
 */
export async function findConflicts(host: Host, problemSetId: string): Promise<{ added: number; cleared: number }> {
  const features = await host
    .store(LayerFeature)
    .find(mesh, { problemSetId, onCop: true }, { sort: ["_id"], limit: MOST_COMPARED });
  const findings = await inTurns(new Contradictions(features, host.world.clock.now()).all());
  const conflicts = host.store(Conflict);
  const known = new Map((await conflicts.find(mesh, { problemSetId })).map((one) => [one.id, one]));
  let added = 0;
  for (const finding of findings) {
    const before = known.get(finding.id);
    known.delete(finding.id);
    if (before?.state === "waived" || before?.state === "open") continue;
    added++;
    if (before) await conflicts.amend(mesh, before.id, () => ({ state: "open", clearedAt: null, ...textOf(finding) }));
    else await conflicts.createOnce(mesh, { ...finding, problemSetId, state: "open" });
  }
  const ceased = [...known.values()].filter(({ state }) => state === "open");
  for (const { id } of ceased)
    await conflicts.amend(mesh, id, ({ state }) =>
      state === "open" ? { state: "cleared", clearedAt: iso(host.world.clock.now()) } : null,
    );
  return { added, cleared: ceased.length };
}

const textOf = ({ severity, summary, evidence }: { severity: string; summary: string; evidence: object }) => ({
  severity,
  summary,
  evidence,
});
