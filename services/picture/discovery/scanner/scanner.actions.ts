import { z } from "zod";
import { personOf } from "../../../../core/access/access.ts";
import { TRANSPORTS, type Transport } from "../../../../adapters/discovery/port.ts";
import { data } from "../../../../core/contract/answer.ts";
import type { Ctx } from "../../../../core/access/caller.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { operationalOnly, simulates } from "../../../../core/access/training-mode.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { iso } from "../../../../core/clock.ts";
import { Instant } from "../../../../core/records/entity.ts";
import { invalid } from "../../../../core/problem.ts";
import { SERVER } from "../consents/consents.ts";
import { demandConsent } from "../consents/giving.ts";
import { ADMINISTER, INSPECT, OPERATE } from "../reach.ts";
import { Target } from "../targets/targets.ts";
import { configDefaults, configsOf, TransportConfig } from "./configs.ts";
import {
  consentHolds,
  scannerAfter,
  Scanner,
  SCANNER_ID,
  SCANNER_STATES,
  scannerOf,
  type MoveName,
} from "./scanner.ts";

const ConfigView = TransportConfig.record
  .pick({ transport: true, enabled: true, intervalSeconds: true, timeoutMs: true, via: true })
  .meta({ id: "DiscoveryTransport" });
const Status = z
  .object({
    state: z.enum(SCANNER_STATES),
    since: Instant.nullable(),
    by: PersonId.nullable().describe("Who told it so."),
    consentHolds: z
      .boolean()
      .describe("Whether the text that it was started under is the present one; nothing is sent otherwise."),
    transports: z.array(ConfigView),
    targets: z.object({
      total: z.int().describe("Of those that you see."),
      enabled: z.int(),
      scanning: z.int().describe("Under way now."),
    }),
  })
  .meta({ id: "ScannerStatus" });

async function statusOf(host: Host, ctx: Ctx<unknown>): Promise<z.input<typeof Status>> {
  const count = (query: object): Promise<number> => host.store(Target).count(ctx, { ...query });
  const [scanner, transports, total, enabled, scanning] = await Promise.all([
    scannerOf(host),
    configsOf(host),
    count({}),
    count({ enabled: true }),
    count({ enabled: true, isUnderWay: true }),
  ]);
  return {
    state: scanner?.state ?? "stopped",
    since: scanner?.since ?? null,
    by: scanner?.by ?? null,
    consentHolds: consentHolds(scanner),
    transports,
    targets: { total, enabled, scanning },
  };
}

async function move(host: Host, ctx: Ctx<unknown>, name: MoveName, more: object = {}) {
  if (simulates(ctx)) throw operationalOnly("the scanner reaches out of the platform");
  const at = iso(host.world.clock.now());
  const store = host.store(Scanner);
  await store.createOnce(ctx, { id: SCANNER_ID, state: "stopped", since: at });
  await store.change(ctx, SCANNER_ID, ({ state }) => ({
    state: scannerAfter(state, name),
    since: at,
    by: ctx.meta.actor!.userId,
    ...more,
  }));
  return statusOf(host, ctx);
}

const CONFLICT = {
  409: "Its current state does not allow it (`INVALID_TRANSITION`), or you are in training (`OPERATIONAL_ONLY`).",
};
const operating = { permit: OPERATE, returns: data(Status), errors: CONFLICT } as const;

export const scannerActions = {
  getStatus: endpoint({
    rest: "GET /status",
    summary: "Show the state of the scanner",
    permit: INSPECT,
    returns: data(Status),
    tool: "show_scanner",
    description: "Whether it runs, who started it, by which transports it looks, and how many targets there are.",
    handler(ctx) {
      return statusOf(this, ctx);
    },
  }),

  start: endpoint({
    ...operating,
    rest: "POST /start",
    summary: "Start scanning",
    errors: { ...CONFLICT, 403: "You have not accepted the present text for `server` (`CONSENT_REQUIRED`)." },
    description:
      "Requires a person who has accepted the legal text (`GET /api/discovery/legal-consent/server`). " +
      "Scanning continues over restarts until somebody stops it. Packets are sent only to scan targets, " +
      "and to segments of the interfaces named in `PUT /api/discovery/scanner/:transport/config`.",
    async handler(ctx) {
      const consentBy = personOf(ctx.meta.actor);
      const consent = await demandConsent(this, consentBy, SERVER);
      return move(this, ctx, "start", { consentBy, consentId: consent.id });
    },
  }),

  stop: endpoint({
    ...operating,
    rest: "POST /stop",
    summary: "Stop scanning",
    handler(ctx) {
      return move(this, ctx, "stop");
    },
  }),

  pause: endpoint({
    ...operating,
    rest: "POST /pause",
    summary: "Pause scanning",
    handler(ctx) {
      return move(this, ctx, "pause");
    },
  }),

  resume: endpoint({
    ...operating,
    rest: "POST /resume",
    summary: "Resume paused scanning",
    handler(ctx) {
      return move(this, ctx, "resume");
    },
  }),

  configure: endpoint({
    rest: "PUT /scanner/:transport/config",
    summary: "Change how the scanner uses a transport",
    permit: ADMINISTER,
    stepUp: true,
    path: { transport: z.enum(TRANSPORTS).describe("How the transport scans.") },
    body: TransportConfig.update,
    returns: data(ConfigView),
    example: { intervalSeconds: 120, via: ["192.168.1.10"] },
    description: "Omitted fields stay unchanged.",
    async handler(ctx) {
      const { transport, ...change } = ctx.params as { transport: Transport } & Record<string, unknown>;
      if (simulates(ctx)) throw operationalOnly("the scanner reaches out of the platform");
      if (change["via"] !== undefined && transport !== "mdns" && transport !== "ssdp")
        throw invalid([{ path: "via", message: "Only mdns and ssdp ask segments." }]);
      const store = this.store(TransportConfig);
      const given = { ...configDefaults(transport), id: transport };
      await store.createOnce(ctx, given);
      return store.change(ctx, transport, () => change);
    },
  }),
};
