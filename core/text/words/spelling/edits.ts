const USUAL = 64;
const rows = [new Uint16Array(USUAL), new Uint16Array(USUAL), new Uint16Array(USUAL)] as const;

/**
 * The number of letters to insert, delete, replace or swap with their neighbour (optimal string alignment, Damerau
 * 1964); `most` + 1 for more than `most`.
 */
export function editsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  const room = other.length + 1;
  let [before, last, next]: Uint16Array[] =
    room <= USUAL ? [...rows] : [new Uint16Array(room), new Uint16Array(room), new Uint16Array(room)];
  for (let at = 0; at < room; at++) last![at] = at;
  for (let row = 1; row <= one.length; row++) {
    next![0] = row;
    let least = row;
    for (let at = 1; at < room; at++) {
      const same = one[row - 1] === other[at - 1];
      let edits = Math.min(next![at - 1]! + 1, last![at]! + 1, last![at - 1]! + (same ? 0 : 1));
      if (row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1])
        edits = Math.min(edits, before![at - 2]! + 1);
      next![at] = edits;
      if (edits < least) least = edits;
    }
    if (least > most) return most + 1;
    [before, last, next] = [last, next, before];
  }
  return Math.min(most + 1, last![other.length]!);
}
