import type { Sighting } from "./port.ts";
import { sightingOf, words } from "./sightings.ts";

export const SSDP_GROUP = "239.255.255.250";
export const SSDP_PORT = 1900;

const MOST_LINES = 64;
/** Uniform names of devices (UPnP Device Architecture 2.0 §1.1.4): the part after `::` is one of their services. */
const UUID = /^uuid:([0-9A-Za-z-]{1,68})(?:::|$)/;

/** The search for everything (UPnP Device Architecture 2.0 §1.3.2), to be answered within this many seconds. */
export const ssdpSearch = (seconds: number): Buffer =>
  Buffer.from(
    [
      "M-SEARCH * HTTP/1.1",
      `HOST: ${SSDP_GROUP}:${SSDP_PORT}`,
      'MAN: "ssdp:discover"',
      `MX: ${seconds}`,
      "ST: ssdp:all",
      "",
      "",
    ].join("\r\n"),
  );

/** The headers of an answer or an announcement; malformed lines are skipped. */
function headersOf(text: string): Map<string, string> | undefined {
  const [first = "", ...lines] = text.split(/\r?\n/, MOST_LINES);
  if (!/^(?:HTTP\/1\.[01] 200\b|NOTIFY \* HTTP\/1\.[01])/i.test(first)) return undefined;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (/^[a-z0-9.-]{1,40}$/.test(name) && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
}

/**
 * The device in an answer; undefined without one, or for a goodbye. Its LOCATION is never fetched: nobody listed it.
 */
export function ssdpSighting(bytes: Buffer, address: string): Sighting | undefined {
  const headers = headersOf(bytes.subarray(0, 8_192).toString("utf8"));
  if (!headers || /byebye/i.test(headers.get("nts") ?? "")) return undefined;
  const usn = UUID.exec(headers.get("usn") ?? "")?.[1];
  const kind = words(headers.get("st") ?? headers.get("nt"), 80);
  if (!usn && !kind) return undefined;
  return sightingOf("ssdp", {
    usn: usn?.toLowerCase(),
    addresses: [address],
    model: headers.get("server"),
    services: [{ type: kind ?? "ssdp" }],
  });
}
