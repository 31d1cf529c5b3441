import ipaddr from "ipaddr.js";

/**
 * What a client's address is counted by: an IPv4 address itself, of an IPv6 address the network of 64 bits, since any
 * one host can take up all the addresses of its network (RFC 6177, RFC 8981).
 */
export function clientNetwork(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return address ?? "unknown";
  const plain = ipaddr.process(address);
  if (plain.kind() === "ipv4") return plain.toString();
  return ipv6Network(plain as ipaddr.IPv6, 64);
}

/** The network around it: 24 bits of an IPv4 address; 48 of an IPv6 one, which is what a site is given (RFC 6177). */
export function widerNetwork(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return `${address ?? "unknown"}/wider`;
  const plain = ipaddr.process(address);
  if (plain.kind() === "ipv4") return `${plain.toString().split(".", 3).join(".")}.0/24`;
  return ipv6Network(plain as ipaddr.IPv6, 48);
}

const ipv6Network = ({ parts }: ipaddr.IPv6, bits: 48 | 64): string =>
  `${parts
    .slice(0, bits / 16)
    .map((part) => part.toString(16))
    .join(":")}::/${bits}`;
