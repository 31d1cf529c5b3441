import { macOf } from "../../../../adapters/discovery/hardware-address.ts";
import { plain } from "../../../../core/text/plain.ts";
import { holdsAddress, networkOf, numbered, rangeOf, addressText, type AddressRange } from "./addresses.ts";

/** The last three are what an emergency disconnect blocks beside hardware addresses and DIDs. */
export const BY = ["mac", "oui", "ip", "cidr", "range", "did", "name", "serial", "usn", "instance"] as const;
export type By = (typeof BY)[number];
export const ENTRY_KINDS = ["allow", "block"] as const;

/** What an entry says of whom. */
export interface Rule {
  kind: (typeof ENTRY_KINDS)[number];
  by: By;
  /** As `valueFor` wrote it. */
  value: string;
  /** Put there by an emergency disconnect. */
  emergency?: boolean | undefined;
}
/** What of a device is held against the list. */
export interface Matched {
  macs: readonly string[];
  addresses: readonly string[];
  did?: string | undefined;
  name?: string | undefined;
  /** Whatever else it is known by, as `serial:…`. */
  identities: readonly string[];
}

export const ACCESS_DECISIONS = ["undecided", "allowed", "blocked", "disconnected"] as const;
export type AccessDecision = (typeof ACCESS_DECISIONS)[number];

const stretchText = ({ family, from, to }: AddressRange, between: string): string =>
  `${addressText({ family, value: from })}${between}${addressText({ family, value: to })}`;

const words = (text: string): string | undefined => plain(text).toLowerCase() || undefined;
const FORMS: Readonly<Record<By, (text: string) => string | undefined>> = {
  mac: macOf,
  oui: (text) => {
    const digits = text.toLowerCase().replace(/[:.-]/g, "");
    return /^[0-9a-f]+$/.test(digits) && [6, 7, 9].includes(digits.length) ? digits : undefined;
  },
  ip: (text) => {
    const address = numbered(text);
    return address && addressText(address);
  },
  cidr: (text) => {
    const network = networkOf(text);
    return network && `${addressText({ family: network.family, value: network.from })}/${network.bits}`;
  },
  range: (text) => {
    const range = rangeOf(text);
    return range && stretchText(range, "-");
  },
  did: (text) => (/^did:[a-z0-9]+:[\w.:%-]+$/.test(text) ? text : undefined),
  name: words,
  serial: words,
  usn: words,
  instance: words,
};

/** A value in the form in which it is kept and compared; undefined where it does not fit its kind. */
export const valueFor = (by: By, text: string): string | undefined => FORMS[by](text.trim());

const OUI_LENGTHS = [6, 7, 9];
const stretchOf = ({ by, value }: Rule): AddressRange =>
  by === "ip" ? rangeOf(`${value}-${value}`)! : by === "cidr" ? networkOf(value)! : rangeOf(value)!;

interface Side {
  exact: Set<string>;
  stretches: AddressRange[];
}
function sideOf(rules: readonly Rule[]): Side {
  const isStretch = ({ by }: Rule): boolean => by === "ip" || by === "cidr" || by === "range";
  return {
    exact: new Set(rules.filter((rule) => !isStretch(rule)).map(({ by, value }) => `${by}:${value}`)),
    stretches: rules.filter(isStretch).map(stretchOf),
  };
}

function fits({ exact, stretches }: Side, { macs, addresses, did, name, identities }: Matched): boolean {
  if (did !== undefined && exact.has(`did:${did}`)) return true;
  if (name !== undefined && exact.has(`name:${plain(name).toLowerCase()}`)) return true;
  if (identities.some((identity) => exact.has(identity))) return true;
  for (const mac of macs) {
    const digits = mac.replaceAll(":", "");
    if (exact.has(`mac:${mac}`) || OUI_LENGTHS.some((length) => exact.has(`oui:${digits.slice(0, length)}`)))
      return true;
  }
  if (!stretches.length) return false;
  return addresses.some((text) => {
    const address = numbered(text);
    return address !== undefined && stretches.some((one) => holdsAddress(one, address));
  });
}

/** The list, made ready to be asked of many devices: any block wins, then any allow; else nothing is decided. */
export function matcher(rules: readonly Rule[]): (device: Matched) => AccessDecision {
  const cut = sideOf(rules.filter(({ kind, emergency }) => kind === "block" && emergency));
  const block = sideOf(rules.filter(({ kind, emergency }) => kind === "block" && !emergency));
  const allow = sideOf(rules.filter(({ kind }) => kind === "allow"));
  return (device) =>
    fits(cut, device)
      ? "disconnected"
      : fits(block, device)
        ? "blocked"
        : fits(allow, device)
          ? "allowed"
          : "undecided";
}
