import { z } from "zod";
import type { Caller } from "./caller.ts";
import { Problem } from "../problem.ts";

/**
 * Whether what this caller starts stays inside the platform: a person in training. Asked wherever an effect outside
 * begins on somebody's request (mail, chat, webhook, money, chain, disconnecting a device); work that goes on later
 * carries the answer in its record. The answer to a simulated act says `simulated: true`.
 */
export const simulates = ({ meta: { actor } }: Pick<Caller, "meta">): boolean => actor?.mode === "training";

/** The field by which an answer says that its act was simulated. */
export const Simulated = z.literal(true).optional().describe("You are in training: nothing left the platform.");

/** Refuses, in training, what can neither be simulated nor done to operational records. */
export const operationalOnly = (what: string): Problem =>
  new Problem(
    409,
    "OPERATIONAL_ONLY",
    `You are in training, and ${what}. PUT /api/user-mode takes you back to operations.`,
  );
