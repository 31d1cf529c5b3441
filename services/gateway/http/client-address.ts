import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import { networks, inNetwork } from "../../../adapters/outbound/addresses.ts";

const plain = (address: string): string => (isIPv6(address) ? ipaddr.process(address).toString() : address);

/**
 * One entry of X-Forwarded-For: an address, to which some proxies add a port; undefined where it is neither. An address
 * with a zone is none: the zone is a name within some other machine (RFC 4007 §11), as long as one likes.
 */
function entry(text: string): string | undefined {
  const bare =
    /^\[([\da-f:.]+)\](?::\d{1,5})?$/i.exec(text)?.[1] ?? /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/.exec(text)?.[1] ?? text;
  return ipaddr.IPv4.isValidFourPartDecimal(bare) || (isIPv6(bare) && !bare.includes("%")) ? plain(bare) : undefined;
}

/**
 * Finds a request's client, for limits and audit. Behind our own proxies (addresses or networks) it is the rightmost
 * entry of X-Forwarded-For that is not one of them; the client may have written anything left of it. From any other
 * peer the header is ignored.
 */
export function clientAddress(proxies: readonly string[]): (req: IncomingMessage) => string | undefined {
  if (!proxies.length) return (req) => req.socket.remoteAddress;
  const trusted = networks(proxies.map((text) => (text.includes("/") ? text : `${text}/${isIPv6(text) ? 128 : 32}`)));
  return (req) => {
    let known = req.socket.remoteAddress && plain(req.socket.remoteAddress);
    const forwarded = req.headers["x-forwarded-for"];
    if (typeof forwarded !== "string") return known;
    for (const text of forwarded.split(",").reverse()) {
      if (!known || !inNetwork(known, trusted)) break;
      const address = entry(text.trim());
      if (address === undefined) break;
      known = address;
    }
    return known;
  };
}
