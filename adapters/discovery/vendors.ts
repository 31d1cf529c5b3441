import { createRequire } from "node:module";

/** Digits of a prefix: the longest assignment wins (IEEE MA-S, MA-M, MA-L). */
const LENGTHS = [9, 7, 6];

let table: Readonly<Record<string, string>> | undefined;

/** The manufacturer of an interface, by its globally assigned address. The table takes 32 MB, from first use on. */
export function vendorOf(mac: string): string | undefined {
  table ??= createRequire(import.meta.url)("oui-data") as Record<string, string>;
  const digits = mac.replaceAll(":", "").toUpperCase();
  const found = LENGTHS.map((length) => table![digits.slice(0, length)]).find((text) => text !== undefined);
  const name = found?.split("\n", 1)[0]?.trim();
  return (name?.endsWith(",") ? name.slice(0, -1) : name)?.slice(0, 120);
}
