import cues from "../../../../data/graph/cues.json" with { type: "json" };

const ROLES = [...cues.roles].sort((one, other) => other.length - one.length);
/** How many words of what is said behind a comma may stand before the office. */
const APPOSITION = 5;

/** What somebody is said to be, before or behind their name, and where: offsets into the part given. */
export function roleIn({
  before,
  after,
}: {
  before: string;
  after: string;
}): { value: string; from: "before" | "after"; start: number; end: number } | undefined {
  const front = before.toLowerCase();
  for (const role of ROLES) {
    const start = front.length - role.length - 1;
    if (
      start >= 0 &&
      front.slice(start, -1) === role &&
      /\s$/.test(front) &&
      !/[\p{L}-]/u.test(front[start - 1] ?? " ")
    )
      return { value: before.slice(start, -1), from: "before", start, end: start + role.length };
  }
  if (!after.startsWith(", ")) return undefined;
  const stretch = after
    .slice(2)
    .split(/[.;:,]/, 1)[0]!
    .toLowerCase();
  for (const role of ROLES) {
    const at = stretch.indexOf(role);
    if (at < 0 || /[\p{L}-]/u.test(stretch[at - 1] ?? " ") || /[\p{L}-]/u.test(stretch[at + role.length] ?? " "))
      continue;
    if (stretch.slice(0, at).split(" ").length > APPOSITION) continue;
    const start = at + 2;
    return { value: after.slice(start, start + role.length), from: "after", start, end: start + role.length };
  }
  return undefined;
}
