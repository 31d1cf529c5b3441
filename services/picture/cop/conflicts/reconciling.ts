import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { Conflict, differs, type ConflictFinding } from "./conflicts.ts";
import { inPicture } from "../pictures.ts";
import { tellConflicts } from "./telling.ts";

const mesh = asSystem("cop");

/** All conflicts of a picture, or those of these ids. */
export const knownConflicts = (host: Host, picture: string, ids?: Iterable<string>): Promise<Conflict[]> =>
  ids ? host.store(Conflict).many(mesh, [...ids]) : host.store(Conflict).find(mesh, inPicture(picture));

/** What is cleared by ceasing. */
const LASTING: readonly Conflict["state"][] = ["open", "resolved"];

/**
 * Brings conflicts in line with what was found: new ones are added, those that ceased are cleared, those that came back
 * or of which the evidence differs are open again; what somebody waived stays waived.
 */
export async function settleConflicts(
  host: Host,
  picture: string,
  findings: readonly ConflictFinding[],
  before: readonly Conflict[],
): Promise<{ added: number; cleared: number }> {
  const conflicts = host.store(Conflict);
  const known = new Map(before.map((one) => [one.id, one]));
  const opened: Conflict[] = [];
  let added = 0;
  for (const { between: _between, ...finding } of findings) {
    const present = known.get(finding.id);
    known.delete(finding.id);
    if (present?.state === "waived") continue;
    if (present && present.state !== "cleared" && !differs(present, finding)) continue;
    if (present?.state !== "open") added++;
    // A person may have decided meanwhile: on what they saw then, or for good.
    if (present) {
      const after = await conflicts.amend(mesh, present.id, ({ state }) =>
        state === "waived" ? null : { state: "open", clearedAt: null, ...evidenceOf(finding) },
      );
      if (after?.state === "open") opened.push(after);
    } else opened.push((await conflicts.createOnce(mesh, { ...finding, ...inPicture(picture), state: "open" })).record);
  }
  const ceased = [...known.values()].filter(({ state }) => LASTING.includes(state));
  for (const { id } of ceased)
    await conflicts.amend(mesh, id, ({ state }) =>
      LASTING.includes(state) ? { state: "cleared", clearedAt: iso(host.world.clock.now()) } : null,
    );
  await tellConflicts(host, { opened, ended: ceased });
  return { added, cleared: ceased.length };
}

const evidenceOf = ({ severity, summary, evidence }: Omit<ConflictFinding, "between">) => ({
  severity,
  summary,
  evidence,
});
