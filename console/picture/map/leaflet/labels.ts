/** More names than this would cover one another. */
export const MOST_LABELS = 40;

const overlap = (one: DOMRect, other: DOMRect): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** Whose name is shown rather than another's: what is selected, then points, then lines and areas. */
const rankOf = ({ classList }: HTMLElement): number =>
  classList.contains("first") ? 0 : classList.contains("of-point") ? 1 : 2;

/** Hides names that would lie over others. */
export function clearLabels(place: HTMLElement): void {
  const labels = [...place.querySelectorAll<HTMLElement>(".map-label")].map((label) => ({
    label,
    box: label.getBoundingClientRect(),
  }));
  const kept: DOMRect[] = [];
  for (const { label, box } of labels.toSorted((one, other) => rankOf(one.label) - rankOf(other.label))) {
    const isFree = !kept.some((other) => overlap(box, other));
    label.classList.toggle("covered", !isFree);
    if (isFree) kept.push(box);
  }
}
