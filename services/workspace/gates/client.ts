import { Gate } from "./gates.ts";

/** What a gate is made from. */
export const newGate = Gate.create;
