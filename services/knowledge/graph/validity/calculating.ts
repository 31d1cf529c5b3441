import { shortened } from "../../../../core/text/cutting.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { live, liveType } from "../../../../core/contract/live.ts";
import { isConflict, isNotFound, isProblem, nullIf } from "../../../../core/problem.ts";
import { retryOnConflict } from "../../../../core/records/conflict-retry.ts";
import { inTurns } from "../../../../core/work/turns.ts";
import { z } from "zod";
import { documentRecord } from "../../documents/client.ts";
import { preparing, stance } from "../../../news/verification/client.ts";
import {
  approvedObjectives,
  contradiction,
  lastAssessment,
  objectiveRecord,
  takeApart,
  type Objective,
} from "../../strategic/client.ts";
import { ValidityAlerted } from "./events.ts";
import { alarm, FALL_DAYS, isOver, scored, type Bearing, type ValidityEvidence } from "./scoring.ts";
import { alertIdOf, Assertion, pointId, Validity, ValidityAlert, ValidityPoint } from "./validity.ts";

const MESH = asSystem("graph");
const DAY_MS = 86_400_000;
const MOST_ASSERTIONS = 500;
const LONGEST_TITLE = 120;
/** What two sentences have in common only by the way bears on nothing. */
const LEAST_SCORE = 60;
/** A score that moved by less than this is the same one. */
const NOTICEABLE = 0.05;

export const ValidityChanged = liveType("validity.changed", {
  domain: "graph",
  summary: "The validity of an objective that you see changed",
  payload: z.object({ objectiveId: z.string(), score: z.number(), alertId: z.string().optional() }),
  may: "validity:read",
});

const cut = (text: string): string => shortened(LONGEST_TITLE, text);
const quoted = (text: string): string => `"${cut(text)}"`;

/** Statements of others count only if everybody who sees the objective sees them: nothing hidden moves its validity. */
const within = ({ compartments }: Objective, other: { compartments: readonly string[] }): boolean =>
  other.compartments.every((id) => compartments.includes(id));

/** Approved products that bear on an objective, for it or against it. */
async function asserted(host: Host, objective: Objective): Promise<{ against: Bearing[]; for: Bearing[] }> {
  const { problemSetId, statement } = objective;
  const known = await host.store(Assertion).find(MESH, { problemSetId }, { limit: MOST_ASSERTIONS });
  const found: { against: Bearing[]; for: Bearing[] } = { against: [], for: [] };
  if (known.length) await inTurns(preparing());
  for (const assertion of known) {
    if (!within(objective, assertion)) continue;
    const { stance: side, score } = stance(statement, assertion.text);
    if ((side !== "contradict" && side !== "support") || score < LEAST_SCORE) continue;
    const isFor = side === "support";
    // What is as likely as not confirms nothing; that it may be so already stands against what it contradicts.
    const share = isFor ? Math.max(0, 2 * assertion.likelihood - 1) : assertion.likelihood;
    const strength = (share * score) / 100;
    found[isFor ? "for" : "against"].push({ strength, what: `A product says ${quoted(assertion.text)}` });
  }
  return found;
}

/** Other approved objectives that exclude this one. */
async function opposed(host: Host, objective: Objective): Promise<Bearing[]> {
  const all = await approvedObjectives(host, objective.problemSetId);
  const own = takeApart(objective);
  return all.flatMap((other) => {
    if (other.id === objective.id || !within(objective, other)) return [];
    const why = contradiction(own, takeApart(other));
    return why ? [{ strength: other.confidence.value, what: `${quoted(other.statement)}: ${why}` }] : [];
  });
}

/** Documents that are cited, and those of them that were withdrawn. */
async function sourcesOf(host: Host, { citations }: Objective): Promise<{ sources: number; lost: number }> {
  const ids = [...new Set(citations.map(({ documentId }) => documentId))];
  const found = await Promise.all(
    ids.map((id) =>
      documentRecord(host, id).catch((error: unknown) => {
        if (isProblem(error) && [404, 410].includes(error.code)) return null;
        throw error;
      }),
    ),
  );
  return { sources: ids.length, lost: found.filter((one) => one === null || one.status === "withdrawn").length };
}

async function evidenceOf(host: Host, objective: Objective, now: number): Promise<ValidityEvidence> {
  const [assessment, assertions, others, sources] = await Promise.all([
    lastAssessment(host, objective.id),
    asserted(host, objective),
    opposed(host, objective),
    sourcesOf(host, objective),
  ]);
  const affirmed = Math.max(
    Date.parse(objective.decidedAt ?? objective.createdAt),
    assessment ? Date.parse(assessment.at) : 0,
  );
  return {
    days: Math.max(0, (now - affirmed) / DAY_MS),
    contradictions: [...assertions.against, ...others],
    confirmations: assertions.for,
    ...sources,
    assessed: assessment?.status,
  };
}

/** The score of a week ago, or the first since; undefined without any. */
async function scoreBefore(host: Host, objectiveId: string, now: number): Promise<number | undefined> {
  const store = host.store(ValidityPoint);
  const week = iso(now - FALL_DAYS * DAY_MS);
  const [before] = await store.find(MESH, { objectiveId, at: { $lte: week } }, { sort: ["-at"], limit: 1 });
  const [first] = before ? [] : await store.find(MESH, { objectiveId }, { sort: ["at"], limit: 1 });
  return (before ?? first)?.score;
}

/** What belongs to a validity as it stands: its point, and its alert. Made by whoever finds them missing. */
async function settle(host: Host, validity: Validity, before: number | undefined, by: string): Promise<void> {
  const { id: objectiveId, problemSetId, compartments, statement, score, parts, changedAt, alertId } = validity;
  const place = { problemSetId, compartments, objectiveId };
  const id = pointId(objectiveId, Date.parse(changedAt));
  const [points, alerts] = [host.store(ValidityPoint), host.store(ValidityAlert)];
  if (!(await points.one(MESH, { _id: id })))
    await points.createOnce(MESH, { id, ...place, score, parts, at: changedAt });
  if (alertId === undefined || (await alerts.one(MESH, { _id: alertId }))) return;
  const reason = alarm(score, before) ?? "low";
  const told = { id: alertId, ...place, title: cut(statement), score, reason, by };
  await alerts.createOnce(
    MESH,
    { id: alertId, ...place, statement, reason, score, ...(before !== undefined && { before }), status: "open" },
    { facts: [ValidityAlerted.fact(objectiveId, told)] },
  );
}

async function closeAlert(host: Host, alertId: string): Promise<void> {
  const closedAt = iso(host.world.clock.now());
  await host
    .store(ValidityAlert)
    .amend(MESH, alertId, ({ status }) => (status === "closed" ? null : { status: "closed", closedAt }))
    .catch(nullIf(isNotFound));
}

/** Calculates how far an objective still holds; writes a point where that changed, opens and closes its alert. */
export function calculate(host: Host, objective: Objective): Promise<Validity> {
  const store = host.store(Validity);
  const { id, problemSetId, compartments, statement, createdBy } = objective;
  return retryOnConflict(async () => {
    const now = host.world.clock.now();
    const at = iso(now);
    const { score, parts } = scored(await evidenceOf(host, objective, now));
    const [known, before] = await Promise.all([store.one(MESH, { _id: id }), scoreBefore(host, id, now)]);
    const isSame = known !== null && Math.abs(known.score - score) < NOTICEABLE;
    const open = known?.alertId;
    const closes = open !== undefined && isOver(score, before);
    const opens = open === undefined && alarm(score, before) !== undefined;
    const alertId = closes ? null : opens ? alertIdOf(id, at) : undefined;
    const times = { at, nextAt: iso(now + DAY_MS), changedAt: isSame ? known.changedAt : at };
    const validity = known
      ? await store.revise(MESH, known, { statement, score: isSame ? known.score : score, parts, ...times, alertId })
      : (
          await store.createOnce(MESH, {
            ...{ id, problemSetId, compartments, statement, score, parts, ...times },
            ...(alertId && { alertId }),
          })
        ).record;
    await settle(host, validity, before, createdBy);
    if (closes) await closeAlert(host, open);
    if (!isSame)
      await live(host, {
        event: ValidityChanged,
        to: { problemSetId, compartments },
        data: { objectiveId: id, score, ...(validity.alertId !== undefined && { alertId: validity.alertId }) },
      });
    return validity;
  });
}

/** States in which it makes no sense to ask how far an objective holds. */
export const isOut = ({ status }: Pick<Objective, "status">): boolean =>
  status === "rejected" || status === "superseded";

/** Calculates anew what is known by now of an objective; one that is gone, or given up, is forgotten or at rest. */
export async function recalculate(host: Host, objectiveId: string): Promise<void> {
  const objective = await objectiveRecord(host, objectiveId).catch(nullIf(isNotFound));
  if (objective && !isOut(objective)) {
    await calculate(host, objective).catch(nullIf(isConflict));
    return;
  }
  const known = await host.store(Validity).one(MESH, { _id: objectiveId });
  if (known?.alertId !== undefined) await closeAlert(host, known.alertId);
  await host.store(Validity).removeAll(MESH, { _id: objectiveId });
  // A superseded objective keeps its history; a removed one leaves nothing.
  if (objective) return;
  await host.store(ValidityPoint).removeAll(MESH, { objectiveId });
  await host.store(ValidityAlert).removeAll(MESH, { objectiveId });
}
