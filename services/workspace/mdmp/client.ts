import type { Host } from "../../../core/contract/endpoint.ts";
import type { DesignGiven } from "./from-design.ts";
import { Assumption, PhaseGate } from "./workflows.ts";

export { PHASES, TITLES, type Phase } from "./process/phases.ts";

/** What a phase gate and an assumption of a decision process are made from. */
export const newPhaseGate = PhaseGate.create;
export const newAssumption = Assumption.create;

/** Takes a design over into planning: into all decision processes of the set, and those that begin later. */
export const takeOverDesign = (host: Host, given: DesignGiven): Promise<null> => host.ask("mdmp.takeOver", given);
