import ipaddr from "ipaddr.js";

/**
 * What a client's address is counted by: an IPv4 address itself, of an IPv6 address the network of 64 bits, since any one host
 * can take up all the addresses of its network (RFC 6177, RFC 8981).
 */
export function clientNetwork(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return address ?? "unknown";
  const plain = ipaddr.process(address);
  if (plain.kind() === "ipv4") return plain.toString();
  return `${(plain as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16)).join(":")}::/64`;
}
