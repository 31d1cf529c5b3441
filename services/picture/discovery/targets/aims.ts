import { reachOf } from "../../../../adapters/outbound/addresses.ts";
import { networkOf, numbered, addressText } from "../access-list/addresses.ts";

/** Addresses that one target may have altogether: an IPv4 network of 22 bits. */
export const MOST_ADDRESSES = 1_024;
const WIDTH = { 4: 32, 6: 128 } as const;
const MOST_BITS = 10;

/** A label of letters, digits and hyphens, and more of them after dots; not all digits, which is how addresses go wrong. */
const NAME = /^(?=.{1,253}$)(?!.*\.\d+$)(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,62})(?:\.[a-z0-9][a-z0-9-]{0,62})*$/i;

export type AimEntry = { name: string } | { addresses: string[] };

/** Whether a packet may go there at all: to no group, no broadcast, and no address where a cloud hands out secrets. */
export const mayProbe = (address: string): boolean => reachOf(address) !== "forbidden";

/** What an entry of a target lists; what is wrong with it otherwise, in words. */
export function listed(text: string): AimEntry | { wrong: string; forbidden?: true } {
  const forbidden = {
    wrong: "No group, broadcast or link-local address, and none that serves metadata.",
    forbidden: true,
  } as const;
  const single = numbered(text);
  if (single) {
    const address = addressText(single);
    return mayProbe(address) ? { addresses: [address] } : forbidden;
  }
  if (text.includes("/")) {
    const network = networkOf(text);
    if (!network) return { wrong: "This is no network, such as 10.1.0.0/24." };
    const { family, bits } = network;
    if (WIDTH[family] - bits > MOST_BITS)
      return { wrong: `At most ${MOST_ADDRESSES} addresses: /${WIDTH[family] - MOST_BITS} or narrower.` };
    // The first and the last address of an IPv4 network are the network's own and its broadcast.
    const isWide = family === 4 && bits < 31;
    const addresses: string[] = [];
    for (let value = network.from + (isWide ? 1n : 0n); value <= network.to - (isWide ? 1n : 0n); value++)
      addresses.push(addressText({ family, value }));
    return addresses.every(mayProbe) ? { addresses } : forbidden;
  }
  return NAME.test(text)
    ? { name: text.toLowerCase() }
    : { wrong: "An address, a network such as 10.1.0.0/24, or a name." };
}

/** Where a pass over a target goes, in order: its addresses, pinned, and with the name that one was resolved from. */
export interface Pinned {
  address: string;
  host?: string | undefined;
}

/** Resolves names and looks at each address that comes of it, so that a name leads to nothing that may not be listed. */
export async function pinned(
  hosts: readonly string[],
  resolve: (name: string) => Promise<string[]>,
  mostOfName = 8,
): Promise<Pinned[]> {
  const found: Pinned[] = [];
  for (const text of hosts) {
    const one = listed(text);
    if ("wrong" in one) continue;
    if ("addresses" in one) found.push(...one.addresses.map((address) => ({ address })));
    else
      for (const address of (await resolve(one.name)).filter(mayProbe).slice(0, mostOfName))
        found.push({ address, host: one.name });
  }
  return [...new Map(found.map((one) => [`${one.address} ${one.host ?? ""}`, one])).values()].slice(0, MOST_ADDRESSES);
}
