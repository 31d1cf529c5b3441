import type { z } from "zod";
import type { Host } from "../../../core/contract/endpoint.ts";
import type { Guarded } from "./gates.ts";

/** What a gate is made from. */
export { newGate } from "./gates.ts";

/** A hard gate that guards a step and is not approved. */
export interface Guard {
  id: string;
  name: string;
  status: string;
}
/** The gates that stop a step: whoever does it asks for them first. */
export const guardsOf = (host: Host, guarded: { problemSetId: string } & z.output<typeof Guarded>): Promise<Guard[]> =>
  host.ask("gates.guarding", guarded);

/** A gate as the children of its set see it. */
export interface OfferedGate {
  kind: "gate";
  sourceId: string;
  compartments: string[];
  title: string;
  text: string;
  status: string;
}
/** The gates of a set, all or one. */
export const offeredGates = (host: Host, wanted: { problemSetId: string; gateId?: string }): Promise<OfferedGate[]> =>
  host.ask("gates.offered", wanted);
