import { z } from "zod";
import { reachOf } from "../../../../adapters/outbound/addresses.ts";
import { TRANSPORTS, type Transport } from "../../../../adapters/discovery/port.ts";
import { asSystem } from "../../../../core/access/caller.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { Problem } from "../../../../core/problem.ts";
import { entity, type Item } from "../../../../core/records/entity.ts";
import { numbered } from "../access-list/addresses.ts";

const MESH = asSystem("discovery");

const isSender = (text: string): boolean => numbered(text)?.family === 4 && reachOf(text) !== "forbidden";
const Via = z.string().max(15).refine(isSender, "An IPv4 address of an interface of ours.");

/** How the scanner uses a transport. */
export const TransportConfig = entity("discovery.transports", {
  title: "transport",
  fields: {
    transport: z.enum(TRANSPORTS),
    enabled: z.boolean().default(true),
    intervalSeconds: z
      .int()
      .min(10)
      .max(86_400)
      .default(300)
      .describe("Between two sweeps; a device is lost after three without it, and at least ten minutes."),
    timeoutMs: z.int().min(100).max(10_000).default(1_000).describe("How long an answer is waited for."),
    via: z
      .array(Via)
      .max(8)
      .default([])
      .describe(
        "For `mdns` and `ssdp`: the addresses of our interfaces from which segments are asked. Without one, none is.",
      ),
  },
  readonly: ["transport"],
});
export type TransportConfig = Item<typeof TransportConfig>;

export const configDefaults = (transport: Transport) => ({
  transport,
  enabled: true,
  intervalSeconds: 300,
  timeoutMs: 1_000,
  via: [] as string[],
});
export type Configured = ReturnType<typeof configDefaults>;

/** What holds for each transport now, where nobody said otherwise the defaults. */
export async function configsOf(host: Host): Promise<Configured[]> {
  const kept = new Map(
    (await host.store(TransportConfig).many(MESH, [...TRANSPORTS])).map((one) => [one.transport, one]),
  );
  return TRANSPORTS.map((transport) => kept.get(transport) ?? configDefaults(transport));
}

/** What holds for a transport. Throws 409 where it is switched off. */
export async function demandEnabled(host: Host, transport: Transport): Promise<Configured> {
  const config = (await configsOf(host)).find((one) => one.transport === transport)!;
  if (!config.enabled) throw new Problem(409, "TRANSPORT_OFF", `The transport ${transport} is switched off.`);
  return config;
}
