import { mdnsQuestion, mdnsSightings, offeredKinds, recordsOf, ALL_SERVICES } from "./mdns.ts";
import type { Sighting, SweepTransport } from "./port.ts";
import { mergeSightings } from "./sightings.ts";
import { ssdpSearch, ssdpSighting } from "./ssdp.ts";

/** The most packets read in one sweep, and the most questions asked. */
const MOST_PACKETS = 2_000;
const MOST_KINDS = 32;
/** The most sightings of one sweep: further devices of a flooded segment are ignored. */
const MOST_LOOKS = 1_000;

/** The sightings of one sweep, read alike from a socket or from a file. */
export interface Gathering {
  first: Buffer;
  /** Reads a packet; answers the question that follows from it, if any. */
  take(packet: Buffer, address: string): Buffer | undefined;
  sightings(): Sighting[];
}

const byHost = (): Gathering => {
  const asked = new Set([ALL_SERVICES]);
  const found: Sighting[] = [];
  let packets = 0;
  return {
    first: mdnsQuestion([ALL_SERVICES]),
    take(packet, address) {
      if (++packets > MOST_PACKETS || found.length >= MOST_LOOKS) return undefined;
      const records = recordsOf(packet);
      found.push(...mdnsSightings(records, address));
      const kinds = offeredKinds(records)
        .filter((kind) => !asked.has(kind))
        .slice(0, Math.max(0, MOST_KINDS - asked.size));
      for (const kind of kinds) asked.add(kind);
      return kinds.length ? mdnsQuestion(kinds) : undefined;
    },
    sightings: () => together(found, ({ name, instances }) => name ?? instances[0]),
  };
};

const byUsn = (waitMs: number): Gathering => {
  const found: Sighting[] = [];
  let packets = 0;
  return {
    first: ssdpSearch(Math.min(5, Math.max(1, Math.floor(waitMs / 1_000)))),
    take(packet, address) {
      const one = ++packets > MOST_PACKETS || found.length >= MOST_LOOKS ? undefined : ssdpSighting(packet, address);
      if (one) found.push(one);
      return undefined;
    },
    sightings: () => together(found, ({ usn, addresses }) => usn ?? addresses[0]),
  };
};

/** Sightings of one device in several packets are merged. */
const together = (found: readonly Sighting[], by: (one: Sighting) => string | undefined): Sighting[] =>
  [...Map.groupBy(found, by)].flatMap(([name, looks]) =>
    name === undefined ? looks : [mergeSightings(looks as [Sighting, ...Sighting[]])],
  );

export const gathering = (transport: SweepTransport, waitMs: number): Gathering =>
  transport === "mdns" ? byHost() : byUsn(waitMs);
