import { z } from "zod";
import { Sealer } from "../../../../core/access/sealed.ts";
import { iso } from "../../../../core/clock.ts";
import type { Host } from "../../../../core/contract/endpoint.ts";
import { invalid, unprocessable } from "../../../../core/problem.ts";
import type { Tool } from "./tools.ts";

const MOST_HEADERS = 20;
/** Headers that frame a request, or that are set automatically. */
const RESERVED = new Set([
  "host",
  "content-length",
  "content-type",
  "transfer-encoding",
  "connection",
  "accept-encoding",
  "idempotency-key",
]);
const MASK = /^[*•…●]{2,}|[*•●]{3,}/;

export const Headers = z
  .record(
    z.string().regex(/^[A-Za-z0-9-]{1,80}$/, "A header's name."),
    z
      .string()
      .min(1)
      .max(4_096)
      .regex(/^[\t\x20-\x7e]+$/, "Printable ASCII.")
      .nullable(),
  )
  .describe("Sent with each call: absent keeps, null removes. Values are stored sealed and never returned.");
export type GivenHeaders = z.output<typeof Headers>;

const sealerOf = (host: Host): Sealer => new Sealer(host.world, "agent tool headers");
const ownerOf = (tool: string, name: string): string => `tool ${tool} header ${name}`;

/** Headers after a change: those that it does not name stay. */
export function changedHeaders(
  host: Host,
  tool: string,
  before: Tool["headers"],
  given: GivenHeaders,
): Tool["headers"] {
  const named = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const);
  const reserved = named.find(([name]) => RESERVED.has(name));
  if (reserved) throw invalid([{ path: `headers.${reserved[0]}`, message: "This header is set by the platform." }]);
  const masked = named.find(([, value]) => value !== null && MASK.test(value));
  if (masked) throw unprocessable("MASK", `headers.${masked[0]}: this is a mask, not a secret.`);
  const sealer = sealerOf(host);
  const updatedAt = iso(host.world.clock.now());
  const kept = before.filter(({ name }) => !named.some(([other]) => other === name));
  const fresh = named.flatMap(([name, value]) =>
    value === null
      ? []
      : [{ name, sealed: sealer.seal(Buffer.from(value), ownerOf(tool, name)), last4: last4Of(value), updatedAt }],
  );
  const all = [...kept, ...fresh].sort((one, other) => (one.name < other.name ? -1 : 1));
  if (all.length > MOST_HEADERS) throw invalid([{ path: "headers", message: `At most ${MOST_HEADERS} headers.` }]);
  return all;
}

/** The end of a secret, by which people recognise it; empty for a short one. */
const last4Of = (value: string): string => (value.length >= 16 ? value.slice(-4) : "");

export const openHeaders = (host: Host, { id, headers }: Pick<Tool, "id" | "headers">): Record<string, string> => {
  const sealer = sealerOf(host);
  return Object.fromEntries(
    headers.map(({ name, sealed }) => [name, sealer.open(sealed, ownerOf(id, name)).toString("utf8")]),
  );
};
