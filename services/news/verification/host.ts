import type { Host } from "../../../core/contract/endpoint.ts";
import type { Finding } from "../articles/client.ts";
import type { SourceRecords } from "./reliability/source-records.ts";

/** The service, as its handlers see it. */
export interface Verifier extends Host {
  sources: SourceRecords;
  /** Updates an article with a finding. */
  tell(finding: Finding): Promise<void>;
}
