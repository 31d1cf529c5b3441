import { z } from "zod";
import type { Actor } from "./access.ts";
import type { Caller } from "./caller.ts";
import { Problem } from "../problem.ts";

/** Whose records mix with whose: those of training and of operations never do. */
export const MODES = ["operational", "training"] as const;
export type Mode = (typeof MODES)[number];

/** The mode that somebody works in; who never chose one is in operations. */
export const modeOf = ({ mode }: Pick<Actor, "mode">): Mode => mode ?? "operational";

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
