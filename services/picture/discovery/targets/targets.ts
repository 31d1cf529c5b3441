import { z } from "zod";
import { PROBES } from "../../../../adapters/discovery/port.ts";
import { entity, Instant, type Item } from "../../../../core/records/entity.ts";
import { invalid, unprocessable, type Detail } from "../../../../core/problem.ts";
import { outsideIndexes } from "../../place.ts";
import { sight, watched } from "../reach.ts";
import { listed, MOST_ADDRESSES } from "./aims.ts";

const MOST_PORTS = 32;
export const MOST_A_SECOND = 50;
const MOST_TARGETS = 200;

const Port = z.int().min(1).max(65_535);

/** A place to scan: what is listed here is all that is ever sent to. */
export const Target = entity("discovery.scan-targets", {
  title: "scan target",
  fields: {
    ...watched,
    name: z.string().trim().min(1).max(120),
    hosts: z
      .array(z.string().min(1).max(253))
      .min(1)
      .max(64)
      .describe(`Addresses, names, and networks up to /22 (IPv6: /118); ${MOST_ADDRESSES} addresses altogether.`),
    ports: z.array(Port).min(1).max(MOST_PORTS),
    transports: z.array(z.enum(PROBES)).min(1).max(3).default(["tcp"]),
    path: z
      .string()
      .max(200)
      .regex(/^\/[\w./~-]*$/, "A path, such as /devices.json.")
      .default("/")
      .describe("Where a collector answers with its report."),
    ratePerSecond: z.int().min(1).max(MOST_A_SECOND).default(10).describe("Probes a second."),
    intervalSeconds: z.int().min(30).max(86_400).default(300).describe("Between two passes."),
    enabled: z.boolean().default(true),
    nextAt: Instant,
    lastScannedAt: Instant.optional(),
    found: z.int().optional().describe("Devices that the last pass found."),
    isUnderWay: z.boolean().optional(),
    position: z.int().optional().describe("Probes of the present pass that were sent."),
    total: z.int().optional(),
    passId: z.string().optional(),
    pass: z
      .object({
        pinned: z.array(z.object({ address: z.string(), host: z.string().optional() })),
        found: z.array(z.string()),
      })
      .optional(),
  },
  readonly: [
    "audience",
    "mode",
    "nextAt",
    "lastScannedAt",
    "found",
    "isUnderWay",
    "position",
    "total",
    "passId",
    "pass",
  ],
  immutable: ["problemSetId", "compartments"],
  hidden: ["audience", "mode", "passId", "pass"],
  filter: ["problemSetId"],
  barrier: sight,
  most: {
    count: MOST_TARGETS,
    per: ["mode"],
    refusal: (count) => unprocessable("TOO_MANY_TARGETS", `There are at most ${count} scan targets.`),
  },
  lists: [{ by: ["problemSetId"] }],
  indexes: [...outsideIndexes, { fields: ["enabled", "nextAt"] }],
});
export type Target = Item<typeof Target>;

/** What a target is before a pass, and after it was changed. */
export const unscanned = (at: string) => ({
  nextAt: at,
  ...{ isUnderWay: null, position: null, total: null, passId: null, pass: null },
});

/** Throws 400 for what cannot be read, and 422 for what nothing may be sent to; both name every such entry. */
export function demandListable({
  hosts = [],
  ports = [],
}: {
  hosts?: readonly string[] | undefined;
  ports?: readonly number[] | undefined;
}): void {
  const entries = hosts.map((text, at) => ({ path: `hosts.${at}`, one: listed(text) }));
  const faults = entries.flatMap(({ path, one }) => ("wrong" in one ? [{ path, ...one }] : []));
  const unreadable = [
    ...ports.flatMap((port, at) =>
      ports.indexOf(port) === at ? [] : [{ path: `ports.${at}`, message: "It is listed already." }],
    ),
    ...faults.filter(({ forbidden }) => !forbidden).map(({ path, wrong: message }) => ({ path, message })),
    ...beyond(entries),
  ];
  const forbidden = faults.filter((fault) => fault.forbidden).map(({ path, wrong: message }) => ({ path, message }));
  if (unreadable.length) throw invalid([...unreadable, ...forbidden]);
  if (forbidden.length) throw unprocessable("FORBIDDEN_ADDRESS", forbidden[0]!.message, forbidden);
}

/** The entry from which on there are too many addresses. */
function beyond(entries: readonly { path: string; one: ReturnType<typeof listed> }[]): Detail[] {
  let count = 0;
  for (const { path, one } of entries) {
    count += "addresses" in one ? one.addresses.length : 1;
    if (count > MOST_ADDRESSES)
      return [{ path, message: `These are more than ${MOST_ADDRESSES} addresses altogether.` }];
  }
  return [];
}
