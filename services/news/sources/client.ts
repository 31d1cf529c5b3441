import type { Host } from "../../../core/contract/endpoint.ts";
import type { Domain } from "./events.ts";

/** What others show of a source. */
export interface SourceName {
  name: string;
  domain: Domain;
}
/** Throws 404. */
export const sourceOf = (host: Host, id: number): Promise<SourceName> => host.ask("sources.get", { id });

/** Those of the ids that are sources. */
export const knownSources = (host: Host, ids: readonly number[]): Promise<number[]> =>
  host.ask("sources.known", { ids });
