import { isGlobal } from "../../../../adapters/discovery/hardware-address.ts";
import type { Sighting } from "../../../../adapters/discovery/port.ts";

/** By what a device is known again, the strongest first. Never its address, which is another's tomorrow. */
export const IDENTITIES = ["did", "serial", "usn", "mac", "instance", "name"] as const;
export type IdentityKind = (typeof IDENTITIES)[number];
export interface Identity {
  kind: IdentityKind;
  value: string;
}

/** Serial numbers that many devices share: too short, or one character again and again. */
const isTelling = (serial: string): boolean => serial.length >= 5 && new Set(serial).size > 1;

/** What a sighting can be known by; a hardware address drawn at random is none. */
export function identitiesOf({
  did,
  serial,
  usn,
  macs,
  instances,
  name,
  manufacturer,
}: Pick<Sighting, "did" | "serial" | "usn" | "macs" | "instances" | "name" | "manufacturer">): Identity[] {
  const small = (text: string): string => text.toLowerCase();
  return [
    ...(did !== undefined ? [{ kind: "did" as const, value: did }] : []),
    ...(serial !== undefined && isTelling(serial)
      ? [{ kind: "serial" as const, value: small(`${manufacturer ?? ""} ${serial}`.trim()) }]
      : []),
    ...(usn !== undefined ? [{ kind: "usn" as const, value: small(usn) }] : []),
    ...macs.filter(isGlobal).map((value) => ({ kind: "mac" as const, value })),
    ...instances.map((value) => ({ kind: "instance" as const, value: small(value) })),
    ...(name !== undefined ? [{ kind: "name" as const, value: small(name) }] : []),
  ];
}

export const textOfIdentity = ({ kind, value }: Identity): string => `${kind}:${value}`;
export function identityOf(text: string): Identity {
  const colon = text.indexOf(":");
  return { kind: text.slice(0, colon) as IdentityKind, value: text.slice(colon + 1) };
}

const rank = (kind: IdentityKind): number => IDENTITIES.indexOf(kind);

/** The strongest of these; undefined where there is none. */
export const strongest = (identities: readonly Identity[]): Identity | undefined =>
  [...identities].sort((one, other) => rank(one.kind) - rank(other.kind))[0];

/** Names are given by whoever likes to: what is stronger identifies. */
export const isStrong = ({ kind }: Identity): boolean => kind !== "name";

/**
 * Whether two that share an identity of this kind are two after all: by something stronger that both have, and that
 * differs.
 */
export function contradicts(one: readonly Identity[], other: readonly Identity[], kind: IdentityKind): boolean {
  return IDENTITIES.slice(0, rank(kind)).some((stronger) => {
    const ours = new Set(one.filter((identity) => identity.kind === stronger).map(({ value }) => value));
    const theirs = other.filter((identity) => identity.kind === stronger);
    return ours.size > 0 && theirs.length > 0 && !theirs.some(({ value }) => ours.has(value));
  });
}
