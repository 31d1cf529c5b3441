import { FrequencyHz } from "../em/bands.ts";
import { isIP } from "node:net";
import { z } from "zod";
import { macOf } from "../../../../adapters/discovery/hardware-address.ts";
import { asItCame } from "../../../../core/contract/input/names.ts";
import type { Detail } from "../../../../core/problem.ts";
import { Instant } from "../../../../core/records/entity.ts";

const Text = z.string().min(1).max(200);
const Mac = z.string().min(12).max(17);
const Address = z.string().min(2).max(45);

/** What somebody says of a device; all of it optional, none of it proved. */
export const ReportedDevice = {
  // A device's own name, in which anything can stand.
  name: asItCame(Text.optional()),
  did: z.string().min(7).max(500).optional(),
  serial: Text.optional(),
  usn: Text.optional(),
  mac: Mac.optional(),
  macs: z.array(Mac).max(32).optional(),
  instances: z.array(Text).max(32).optional(),
  addresses: z.array(Address).max(32).optional(),
  manufacturer: Text.optional(),
  model: Text.optional(),
  services: z
    .array(z.strictObject({ type: Text, port: z.int().min(1).max(65_535).optional(), banner: Text.optional() }))
    .max(32)
    .optional(),
};
type Reported = z.output<typeof DeviceReport>;

/** What a person mistyped: of a collector's many rows it is left out, of the one device that somebody reports it is said. */
export const unreadable = ({
  mac,
  macs = [],
  addresses = [],
}: Pick<Reported, "mac" | "macs" | "addresses">): Detail[] => [
  ...[{ path: "mac", text: mac }, ...macs.map((text, at) => ({ path: `macs.${at}`, text }))].flatMap(({ path, text }) =>
    text === undefined || macOf(text)
      ? []
      : [{ path, message: "Must be a hardware address, such as 00:1b:c5:00:00:01." }],
  ),
  ...addresses.flatMap((text, at) =>
    isIP(text) ? [] : [{ path: `addresses.${at}`, message: "Must be an IP address, such as 10.1.0.7." }],
  ),
];
export const DeviceReport = z.strictObject(ReportedDevice);

export const EmissionReport = z.strictObject({
  frequencyHz: FrequencyHz.describe("The middle of it."),
  bandwidthHz: z.number().min(0).max(10e9).default(0),
  powerDbm: z.number().min(-200).max(120),
  at: Instant.optional().describe("Now, unless said otherwise; not more than five minutes ahead."),
  source: z.string().min(1).max(120).optional().describe("What measured it."),
  label: z.string().min(1).max(120).optional(),
});
export type EmissionReport = z.output<typeof EmissionReport>;

/** One end of a link: by any hardware address of its interfaces, else by what it is called, else by its address. */
const End = z
  .strictObject({
    deviceId: z.string().max(64).optional(),
    did: z.string().max(500).optional(),
    macs: z.array(Mac).max(32).optional(),
    name: Text.optional(),
    address: Address.optional(),
  })
  .refine((end) => Object.keys(end).length > 0, "Say which device it is.");
export type End = z.output<typeof End>;

export const EVIDENCE = ["manual", "lldp", "cdp", "bridge", "arp", "route", "probe", "mdns", "ssdp", "other"] as const;
export const LinkReport = z.strictObject({
  from: End.describe("Who says so: what has the neighbour."),
  to: End.describe("The neighbour."),
  evidence: z.enum(EVIDENCE),
  confidence: z.number().min(0).max(1).optional(),
  cost: z.number().gt(0).max(1e6).optional(),
  present: z.boolean().default(true).describe("False, by hand: there is no such link, whatever is seen."),
});
export type LinkReport = z.output<typeof LinkReport>;

/** Rows that are looked at of one report, of each kind. */
export const MOST_ROWS_REPORTED = 1_000;

/** A collector's report: rows are looked at one by one, so that a bad one costs itself. */
export const CollectorReport = z.object({
  devices: z.array(z.unknown()).default([]),
  emissions: z.array(z.unknown()).default([]),
  links: z.array(z.unknown()).default([]),
});

export const REPORT_PARTS = ["devices", "emissions", "links"] as const;
export interface Failed {
  part: (typeof REPORT_PARTS)[number];
  index: number;
  code: string;
  message: string;
}

/** The rows of a part that can be read, and why the others cannot. */
export function readRows<S extends z.ZodType>(
  part: Failed["part"],
  schema: S,
  rows: readonly unknown[],
): { read: { index: number; row: z.output<S> }[]; failed: Failed[] } {
  const read: { index: number; row: z.output<S> }[] = [];
  const failed: Failed[] = [];
  for (const [index, given] of rows.slice(0, MOST_ROWS_REPORTED).entries()) {
    const { success, data, error } = schema.safeParse(given);
    if (success) read.push({ index, row: data });
    else {
      const [first] = error.issues;
      const where = first!.path.join(".");
      failed.push({ part, index, code: "VALIDATION_ERROR", message: `${where && `${where}: `}${first!.message}` });
    }
  }
  return { read, failed };
}
