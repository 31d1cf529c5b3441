import { z } from "zod";
import { asSystem } from "../../../../core/access/caller.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { derivedId } from "../../../../core/ids.ts";
import { consentId, SERVER } from "../consents/consents.ts";
import { refuseUnless } from "../../../../core/records/keeping/lifecycle.ts";
import { entity, Instant, type Item } from "../../../../core/records/entity.ts";

const MESH = asSystem("discovery");

export const SCANNER_STATES = ["stopped", "running", "paused"] as const;
export type ScannerState = (typeof SCANNER_STATES)[number];

export const MOVES = {
  start: { from: ["stopped"], to: "running" },
  stop: { from: ["running", "paused"], to: "stopped" },
  pause: { from: ["running"], to: "paused" },
  resume: { from: ["paused"], to: "running" },
} as const satisfies Record<string, { from: readonly ScannerState[]; to: ScannerState }>;
export type MoveName = keyof typeof MOVES;

/** The state after a move. Throws 409, naming the state and those from which the move is possible. */
export function scannerAfter(state: ScannerState, move: MoveName): ScannerState {
  refuseUnless(MOVES[move].from, state, move);
  return MOVES[move].to;
}

/** What the scanner was told last: one record, which outlives every node. */
export const Scanner = entity("discovery.scanner", {
  title: "scanner",
  fields: {
    state: z.enum(SCANNER_STATES),
    since: Instant,
    by: PersonId.optional(),
    /** Whose acceptance of which text it runs under. */
    consentId: z.string().optional(),
    consentBy: PersonId.optional(),
  },
});
export type Scanner = Item<typeof Scanner>;
export const SCANNER_ID = derivedId("the scanner of the platform");

/** Whether the text that it runs under is still the one that must be accepted. */
export const consentHolds = (scanner: Scanner | null): boolean =>
  scanner?.consentBy !== undefined && scanner.consentId === consentId(scanner.consentBy, SERVER);

export const scannerOf = (host: Host): Promise<Scanner | null> => host.store(Scanner).one(MESH, { _id: SCANNER_ID });

export const stateNow = async (host: Host): Promise<ScannerState> => (await scannerOf(host))?.state ?? "stopped";
