import type { Host } from "../../../core/endpoint.ts";
import type { SourceRecords } from "./records.ts";

/** The service, as its handlers see it. */
export interface Verifier extends Host {
  sources: SourceRecords;
}
