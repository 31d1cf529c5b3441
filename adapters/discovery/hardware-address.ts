const FORM = /^(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}$|^[0-9a-f]{12}$|^(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}$/;

/** A hardware address in any of its usual forms, as `aa:bb:cc:dd:ee:ff`; undefined for an invalid one. */
export function macOf(text: string): string | undefined {
  const small = text.trim().toLowerCase();
  if (!FORM.test(small)) return undefined;
  return small
    .replace(/[^0-9a-f]/g, "")
    .match(/../g)!
    .join(":");
}

const LOCAL = 0x02;
const GROUP = 0x01;

/** Whether it identifies one interface in the whole world: not a randomised address, and not a group's (IEEE 802). */
export function isGlobal(mac: string): boolean {
  const first = Number.parseInt(mac.slice(0, 2), 16);
  return (first & (LOCAL | GROUP)) === 0 && mac !== "00:00:00:00:00:00";
}
