import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * How far an address reaches. `public`: the internet. `private`: this machine or its own networks, a matter of
 * settings. `forbidden`: never the home of a feed or a webhook (cloud metadata, link-local, multicast, unspecified,
 * unreadable).
 */
export type Reach = "public" | "private" | "forbidden";

/** A network in CIDR form, read once. */
export type CidrNetwork = [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * Addresses outside link-local space where clouds answer with machine credentials: AWS over IPv6, Azure's host agent,
 * Alibaba, Oracle. (169.254.169.254 and the container variants are link-local already.)
 */
const metadata = new Set(["fd00:ec2::254", "fd00:ec2::23", "168.63.129.16", "100.100.100.200", "192.0.0.192"]);

const neverReached = new Set(["unspecified", "broadcast", "multicast", "linkLocal"]);

/** The IPv4 address in the last 32 bits. */
const lastFour = (address: ipaddr.IPv6): ipaddr.IPv4 => new ipaddr.IPv4(address.toByteArray().slice(12));

function reachOfIPv4(address: ipaddr.IPv4): Reach {
  if (metadata.has(address.toString())) return "forbidden";
  const range = address.range();
  if (range === "unicast") return "public";
  return neverReached.has(range) ? "forbidden" : "private";
}

/**
 * Ways to write an IPv4 address in IPv6 (RFC 4291 mapped and compatible, RFC 6052 NAT64, RFC 2765 SIIT, RFC 5214
 * ISATAP). Their packets end at the IPv4 address, so that one decides.
 */
function embeddedIPv4(address: ipaddr.IPv6, range: string): ipaddr.IPv4 | undefined {
  if (range === "ipv4Mapped" || range === "rfc6145") return lastFour(address);
  const [first, second, third] = address.parts;
  // 64:ff9b:1::/48 is a network's own NAT64 (RFC 8215) and stays private; 64:ff9b::/96 is the well-known one.
  if (range === "rfc6052" && third === 0) return lastFour(address);
  const compatible = first === 0 && second === 0 && address.parts.slice(2, 6).every((part) => part === 0);
  const isatap = (address.parts[4] === 0 || address.parts[4] === 0x200) && address.parts[5] === 0x5efe;
  return compatible || isatap ? lastFour(address) : undefined;
}

function reachOfIPv6(address: ipaddr.IPv6): Reach {
  if (metadata.has(address.toString())) return "forbidden";
  const range = address.range();
  if (range === "loopback") return "private";
  if (neverReached.has(range)) return "forbidden";
  const embedded = embeddedIPv4(address, range);
  if (embedded) return reachOfIPv4(embedded);
  // Global unicast is 2000::/3 and nothing else (RFC 4291, IANA); 6to4 and Teredo lie within it but have ranges of
  // their own.
  const global = (address.parts[0]! & 0xe000) === 0x2000;
  return range === "unicast" && global ? "public" : "private";
}

/** Classifies an IPv4 or IPv6 address in text form (no brackets); text that is no address is `forbidden`. */
export function reachOf(text: string): Reach {
  // Stricter than ipaddr.js, which also reads 1.2.3 and 0x7f.1.
  if (isIP(text) === 0) return "forbidden";
  const address = ipaddr.parse(text);
  return address.kind() === "ipv4" ? reachOfIPv4(address as ipaddr.IPv4) : reachOfIPv6(address as ipaddr.IPv6);
}

/** Reads networks such as `10.1.0.0/16`; throws a RangeError that quotes the first it cannot read. */
export function networks(texts: readonly string[]): CidrNetwork[] {
  return texts.map((text) => {
    if (!ipaddr.isValidCIDR(text))
      throw new RangeError(`"${text}" is not a network in CIDR form, such as 10.1.0.0/16.`);
    return ipaddr.parseCIDR(text);
  });
}

/** Whether the address lies in one of the networks; IPv4 and IPv6 never match each other. */
export function inNetwork(text: string, list: readonly CidrNetwork[]): boolean {
  if (list.length === 0 || isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  return list.some(([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits));
}
