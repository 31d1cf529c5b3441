import { type SetRole, setPermitsOf } from "../../../config/set-roles.ts";
import { holds } from "../../../core/access/access.ts";
import { asSystem, type Ctx } from "../../../core/access/caller.ts";
import { iso } from "../../../core/clock.ts";
import type { Host } from "../../../core/contract/endpoint.ts";
import { derivedId } from "../../../core/ids.ts";
import { conflict, isConflict, nullIf } from "../../../core/problem.ts";
import { GATE_ACTS, decided, Gate, passingUp, WITHDRAWN, type GateState } from "./gates.ts";
import { GateConfigured, GateCreated, GateDecided, GateEscalated, GateSubmitted } from "./events.ts";

type Decider = { userId: string; role?: string | undefined };

export const gateEvent = (gate: Gate, by: string) => ({
  id: gate.id,
  problemSetId: gate.problemSetId,
  compartments: gate.compartments,
  name: gate.name,
  by,
});

export const settleGate = (
  host: Host,
  caller: Ctx<unknown> | ReturnType<typeof asSystem>,
  gate: Gate,
  act: string,
  to: GateState,
  by: Decider,
  note?: string,
): Promise<Gate> =>
  host.store(Gate).revise(caller, gate, decided(gate, act, to, by, iso(host.world.clock.now()), note), {
    facts: [GateDecided.fact(gate.id, { ...gateEvent(gate, by.userId), status: to, ...(note && { reason: note }) })],
  });

interface Lineage {
  parentId: string | null;
  archived: boolean;
  parentArchived: boolean;
  children: string[];
}
export const lineage = (host: Host, problemSetId: string): Promise<Lineage> =>
  host.ask("problem-sets.lineage", { problemSetId });

/**
 * The linked gate's id follows from the gate and the revision that was escalated, so that a repetition makes no second
 * one.
 */
const linkedId = ({ id, rev }: Gate): string => derivedId(`gate ${id}, escalated from revision ${rev}`);

interface SetMember {
  userId: string;
  role: SetRole;
}

/**
 * Whether anybody in the parent may decide about a gate that they could see there: one in compartments is seen by those
 * read into them, mostly below.
 */
export async function someoneDecides(host: Host, { compartments }: Gate, parentId: string): Promise<boolean> {
  if (!compartments.length) return true;
  const readers = await host.ask<SetMember[]>("problem-sets.readersOf", { problemSetId: parentId, compartments });
  return readers.some(({ role }) => holds(setPermitsOf(role), GATE_ACTS.approve.may));
}

export async function passUp(
  host: Host,
  caller: Ctx<unknown> | ReturnType<typeof asSystem>,
  gate: Gate,
  parentId: string,
  by: Decider,
  reason?: string,
): Promise<Gate> {
  const to = { problemSetId: parentId, gateId: linkedId(gate) };
  const change = {
    ...decided(gate, "escalate", "escalated", by, iso(host.world.clock.now()), reason),
    escalatedTo: to,
  };
  const fact = GateEscalated.fact(gate.id, { ...gateEvent(gate, by.userId), to, ...(reason && { reason }) });
  const escalated = await host.store(Gate).revise(caller, gate, change, { facts: [fact] });
  // The fact would create the linked gate in any case; this creates it before the answer.
  await takeUp.call(host, fact.data as never);
  return escalated;
}

/**
 * Makes the linked gate in the parent. It lies in the compartments of the gate it comes from: escalation shows nothing
 * to anybody new.
 */
export async function takeUp(
  this: Host,
  {
    id,
    to,
    by,
    reason,
  }: { id: string; to: { problemSetId: string; gateId: string }; by: string; reason?: string | undefined },
): Promise<void> {
  const mesh = asSystem("gates");
  const gate = await this.store(Gate).one(mesh, { _id: id });
  if (!gate) return;
  const at = iso(this.world.clock.now());
  const { name, description, tab, compartments, enforcement, approvers } = gate;
  const record = {
    id: to.gateId,
    problemSetId: to.problemSetId,
    name,
    tab,
    compartments,
    enforcement,
    ...(description && { description }),
    ...(approvers && { approvers }),
    status: "submitted",
    submittedBy: gate.submittedBy ?? by,
    submittedAt: at,
    escalatedFrom: { problemSetId: gate.problemSetId, gateId: id },
    decisions: [{ act: "escalate", at, by, ...(reason && { note: reason }), from: "open", to: "submitted" }],
  };
  await this.store(Gate).createOnce(mesh, record, {
    facts: (made: Gate) => [
      GateCreated.fact(made.id, gateEvent(made, by)),
      GateSubmitted.fact(made.id, gateEvent(made, by)),
    ],
  });
}

interface DecidedAbove {
  id: string;
  status: GateState;
  by: string;
  withdrawn?: boolean | undefined;
  reason?: string | undefined;
}

/** What was decided about a linked gate in the parent is decided about the gate it came from. */
export async function handDown(this: Host, { id, status, by, withdrawn, reason }: DecidedAbove): Promise<void> {
  const mesh = asSystem("gates");
  const linked = await this.store(Gate).one(mesh, { _id: id });
  if (!linked?.escalatedFrom) return;
  if (withdrawn) return comeBack(this, linked.escalatedFrom.gateId, id, by, reason);
  await this.store(Gate).amend(
    mesh,
    linked.escalatedFrom.gateId,
    (gate) =>
      gate.status === "escalated" && gate.escalatedTo?.gateId === id
        ? decided(gate, "parent-decision", status, { userId: by }, iso(this.world.clock.now()), reason)
        : null,
    // Passed on downward, since a gate may have been escalated through several sets.
    {
      facts: (gate: Gate) => [GateDecided.fact(gate.id, { ...gateEvent(gate, by), status, ...(reason && { reason }) })],
    },
  );
}

/** A gate that was taken back from above is what it was before, and is decided here again. */
async function comeBack(host: Host, id: string, linkedId: string, by: string, reason?: string): Promise<void> {
  const change = (gate: Gate) =>
    gate.status === "escalated" && gate.escalatedTo?.gateId === linkedId
      ? {
          ...decided(
            gate,
            "withdraw",
            passingUp(gate)?.from ?? "open",
            { userId: by },
            iso(host.world.clock.now()),
            reason,
          ),
          escalatedTo: null,
        }
      : null;
  const told = (gate: Gate) =>
    GateConfigured.fact(gate.id, {
      ...gateEvent(gate, by),
      reopened: true,
      was: "escalated",
      status: gate.status,
      ...(reason && { reason }),
    });
  await host.store(Gate).amend(asSystem("gates"), id, change, { facts: (gate: Gate) => [told(gate)] });
}

/**
 * Takes a gate back that waits above. The gate above is settled first, by compare-and-set: either the parent decides, or
 * it is withdrawn; what follows below is brought about by the fact, whatever happens.
 */
export async function withdraw(host: Host, gate: Gate, by: string, reason: string): Promise<Gate> {
  const mesh = asSystem("gates");
  const linkedId = gate.escalatedTo!.gateId;
  const linked = await host.store(Gate).one(mesh, { _id: linkedId });
  if (!linked || !isWaiting(linked)) throw conflict("It is decided above already.");
  if (linked.escalatedTo) await withdraw(host, linked, by, reason);
  const fact = { ...gateEvent(linked, by), status: "expired", withdrawn: true, reason } as const;
  await host.store(Gate).amend(
    mesh,
    linkedId,
    (above) => {
      if (!isWaiting(above)) throw conflict("It is decided above already.");
      return decided(above, WITHDRAWN, "expired", { userId: by }, iso(host.world.clock.now()), reason);
    },
    { facts: () => [GateDecided.fact(linkedId, fact)] },
  );
  await handDown.call(host, { id: linkedId, status: "expired", by, withdrawn: true, reason });
  return host.store(Gate).get(mesh, gate.id);
}

const isWaiting = ({ status }: Gate): boolean => ["open", "submitted", "escalated"].includes(status);

/** Expires or escalates gates past their deadline. A node that looks later finds them decided. */
export async function passDeadlines(this: Host): Promise<void> {
  const mesh = asSystem("gates");
  const due = await this.store(Gate).find(
    mesh,
    { status: { $in: ["open", "submitted"] }, deadline: { $lte: iso(this.world.clock.now()) } },
    { sort: ["deadline"], limit: 500 },
  );
  for (const gate of due) {
    const parentId = gate.onDeadline === "escalate" ? await deciderAbove(this, gate) : null;
    const by = { userId: mesh.meta.actor!.userId };
    const passing = parentId
      ? passUp(this, mesh, gate, parentId, by, "The deadline passed.")
      : settleGate(this, mesh, gate, "deadline", "expired", by, "The deadline passed.");
    await passing.catch(nullIf(isConflict));
  }
}

/** The parent, where there is one that could decide. */
async function deciderAbove(host: Host, gate: Gate): Promise<string | null> {
  const { parentId, archived: shelved, parentArchived } = await lineage(host, gate.problemSetId);
  return parentId && !shelved && !parentArchived && (await someoneDecides(host, gate, parentId)) ? parentId : null;
}

/** Closes the linked gates above where the original was decided below meanwhile: nobody there is asked any longer. */
export async function settleAbove(host: Host, linkedId: string, by: string, reason: string): Promise<void> {
  const mesh = asSystem("gates");
  const linked = await host.store(Gate).one(mesh, { _id: linkedId });
  if (!linked || !isWaiting(linked)) return;
  await settleGate(host, mesh, linked, "decision-below", "approved", { userId: by }, reason);
  if (linked.escalatedTo) await settleAbove(host, linked.escalatedTo.gateId, by, reason);
}
