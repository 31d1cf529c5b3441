import type { EntitySeen } from "../vocabulary.ts";
import type { GraphLine } from "./choosing.ts";
import { shortened, withRoom, type LabelAsked } from "./labels.ts";
import { onPage, type PictureView, type Point } from "./layout.ts";

/** An entity where it stands on the page. */
export interface PlacedEntity extends Point {
  entity: EntitySeen;
  radius: number;
  /** It has a ring around it. */
  isCentre: boolean;
}

/** The better connected, the larger; smaller in all where they stand close. */
const radiusOf = ({ degree }: EntitySeen, isCentre: boolean, scale: number): number =>
  (isCentre ? 15 : Math.min(13, 6 + 1.6 * Math.sqrt(degree))) * Math.min(1, Math.max(0.55, scale * 1.4));

export function placed(
  nodes: readonly EntitySeen[],
  places: ReadonlyMap<string, Readonly<Point>>,
  view: PictureView,
  centre: string | undefined,
): Map<string, PlacedEntity> {
  const drawn = new Map<string, PlacedEntity>();
  for (const entity of nodes) {
    const place = places.get(entity.id);
    if (!place) continue;
    const isCentre = entity.id === centre;
    drawn.set(entity.id, { ...onPage(place, view), entity, isCentre, radius: radiusOf(entity, isCentre, view.scale) });
  }
  return drawn;
}

const RING = 7;
/** Below its shape, or else above it. */
function namePlaces({ x, y, radius, isCentre }: PlacedEntity): Point[] {
  const rim = radius + (isCentre ? RING : 0);
  return [
    { x, y: y + rim + 13 },
    { x, y: y - rim - 6 },
  ];
}
export const middle = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 + 4 });

/** Where texts have room: what is pointed at and the centre first, then the best connected, then what lines say. */
export function textsOf(
  drawn: ReadonlyMap<string, PlacedEntity>,
  lines: readonly GraphLine[],
  lit: string | undefined,
  centre: string | undefined,
): ReadonlyMap<string, Readonly<Point>> {
  const rank = (id: string): number => (id === lit ? 2 : id === centre ? 1 : 0);
  const names: LabelAsked[] = [...drawn.values()]
    .sort((one, other) => rank(other.entity.id) - rank(one.entity.id) || other.entity.degree - one.entity.degree)
    .map((one) => ({ id: one.entity.id, text: shortened(one.entity.name), places: namePlaces(one) }));
  const touches = ({ from, to }: GraphLine): number => Math.max(rank(from), rank(to));
  const words: LabelAsked[] = lines
    .toSorted((one, other) => touches(other) - touches(one) || other.voices - one.voices)
    .flatMap(({ id, from, to, words: text }) => {
      const [one, other] = [drawn.get(from), drawn.get(to)];
      return one && other ? [{ id, text, places: [middle(one, other)] }] : [];
    });
  return withRoom([...names, ...words], [...drawn.values()]);
}
