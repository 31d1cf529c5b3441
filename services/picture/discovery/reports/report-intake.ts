import type { Transport } from "../../../../adapters/discovery/port.ts";
import { sightingOf } from "../../../../adapters/discovery/sightings.ts";
import type { Caller } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { isProblem } from "../../../../core/problem.ts";
import { listOf } from "../access-list/entries.ts";
import type { Device } from "../devices/devices.ts";
import { observe, type ScanContext } from "../devices/observing.ts";
import { noteEmissions } from "../em/emission-store.ts";
import { noteLinks } from "../topology/link-store.ts";
import {
  CollectorReport,
  DeviceReport,
  EmissionReport,
  LinkReport,
  MOST_ROWS_REPORTED,
  REPORT_PARTS,
  readRows,
  type Failed,
} from "./reports.ts";

export interface DiscoveryIntake {
  devices: Device[];
  emissions: number;
  links: number;
  failed: Failed[];
}

/** Notes all that a report tells and that can be read. `mayDeclare`: what it says by hand counts as that. */
export async function takeReport(
  host: Host,
  caller: Caller,
  transport: Transport,
  given: unknown,
  look: ScanContext,
  { mayDeclare = false } = {},
): Promise<DiscoveryIntake> {
  const report = CollectorReport.safeParse(given);
  if (!report.success)
    return {
      devices: [],
      emissions: 0,
      links: 0,
      failed: [{ part: "devices", index: 0, code: "BAD_REQUEST", message: "This is no report." }],
    };
  const parts = report.data;
  const failed: Failed[] = REPORT_PARTS.flatMap((part) =>
    parts[part].length > MOST_ROWS_REPORTED
      ? [{ part, index: MOST_ROWS_REPORTED, code: "TOO_MANY", message: `At most ${MOST_ROWS_REPORTED} rows are read.` }]
      : [],
  );
  const said = readRows("devices", DeviceReport, parts.devices);
  const devices: Device[] = [];
  const whole = { ...look, decides: await listOf(host, look.place.mode) };
  for (const { index, row } of said.read) {
    const device = await observe(host, sightingOf(transport, row), whole).catch((error: unknown) => {
      if (!isProblem(error)) throw error;
      failed.push({ part: "devices", index, code: error.type, message: error.message });
      return null;
    });
    if (device) devices.push(device);
  }
  const heard = readRows("emissions", EmissionReport, parts.emissions);
  const emissions = await noteEmissions(host, caller, heard.read, look.place);
  const linked = readRows("links", LinkReport, parts.links);
  const links = await noteLinks(host, linked.read, look.place, mayDeclare);
  failed.push(...said.failed, ...heard.failed, ...emissions.failed, ...linked.failed, ...links.failed);
  return { devices, emissions: emissions.noted, links: links.noted, failed };
}
