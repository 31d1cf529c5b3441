import { Assumption, PhaseGate } from "./workflows.ts";

export { PHASES } from "./phases.ts";

/** What a phase gate and an assumption of a decision process are made from. */
export const newPhaseGate = PhaseGate.create;
export const newAssumption = Assumption.create;
