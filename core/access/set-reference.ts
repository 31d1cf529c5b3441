import { z } from "zod";
import type { Actor } from "./access.ts";

const NAMES_A_SET = z.registry<{ shownTo: "members" }>();

/**
 * The id of a problem set above the one that a record lies in. Whoever is no member of that set does not learn that it
 * exists: `hiderOf` takes the field out of every answer, and what cannot be without it. Views have it optional, or
 * within what is.
 */
export const HigherSetId = z.string().min(1).max(64).register(NAMES_A_SET, { shownTo: "members" });

export const isHigherSetId = (schema: z.core.$ZodType): boolean => NAMES_A_SET.get(schema) !== undefined;

type IsHidden = (setId: string) => boolean;
/** A value without what is hidden in it; undefined where nothing of it can be shown. */
type Hide = (value: unknown, isHidden: IsHidden) => unknown;

/** How to read a definition of Zod's: of each kind of schema, those inside of it. */
interface Def {
  type: string;
  shape?: Record<string, z.core.$ZodType>;
  element?: z.core.$ZodType;
  innerType?: z.core.$ZodType;
  options?: z.core.$ZodType[];
  left?: z.core.$ZodType;
  right?: z.core.$ZodType;
  items?: z.core.$ZodType[];
  rest?: z.core.$ZodType | null;
  valueType?: z.core.$ZodType;
  out?: z.core.$ZodType;
  getter?: () => z.core.$ZodType;
}

const known = new WeakMap<z.core.$ZodType, Hide | null>();

/** What takes the ids of higher sets out of values of a schema; null where there are none. */
function hideIn(schema: z.core.$ZodType): Hide | null {
  const before = known.get(schema);
  if (before !== undefined) return before;
  // A schema that holds itself is met again while it is looked through: what is found then is asked for later.
  known.set(schema, (value, isHidden) => known.get(schema)?.(value, isHidden) ?? value);
  const found = hideBy(schema);
  known.set(schema, found);
  return found;
}

function hideBy(schema: z.core.$ZodType): Hide | null {
  if (NAMES_A_SET.get(schema))
    return (value, isHidden) => (typeof value === "string" && isHidden(value) ? undefined : value);
  const def = schema._zod.def as unknown as Def;
  const { shape, element, valueType, innerType, out, getter } = def;
  if (shape) return hideInFields(shape);
  if (def.type === "array" && element) return hideInRows(hideIn(element));
  if (def.type === "record" && valueType) return hideInValues(hideIn(valueType));
  if (def.type === "nullable" && innerType) return orNull(hideIn(innerType));
  const inner = [innerType, out, getter?.(), def.left, def.right, ...(def.options ?? [])]
    .filter((one) => one !== undefined)
    .map(hideIn)
    .filter((one) => one !== null);
  return inner.length ? (value, isHidden) => inner.reduce<unknown>((left, hide) => hide(left, isHidden), value) : null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

function hideInFields(shape: Record<string, z.core.$ZodType>): Hide | null {
  const fields = Object.entries(shape).flatMap(([name, field]) => {
    const hide = hideIn(field);
    return hide ? [{ name, hide, isNeeded: field._zod.optout !== "optional" }] : [];
  });
  if (!fields.length) return null;
  return (value, isHidden) => {
    if (!isObject(value)) return value;
    const shown = { ...value };
    for (const { name, hide, isNeeded } of fields) {
      if (shown[name] === undefined) continue;
      shown[name] = hide(shown[name], isHidden);
      if (shown[name] !== undefined) continue;
      if (isNeeded) return undefined;
      delete shown[name];
    }
    return shown;
  };
}

const hideInRows = (hide: Hide | null): Hide | null =>
  hide &&
  ((value, isHidden) =>
    Array.isArray(value) ? value.map((row) => hide(row, isHidden)).filter((row) => row !== undefined) : value);

const hideInValues = (hide: Hide | null): Hide | null =>
  hide &&
  ((value, isHidden) =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value)
            .map(([name, one]) => [name, hide(one, isHidden)])
            .filter(([, one]) => one !== undefined),
        )
      : value);

const orNull = (hide: Hide | null): Hide | null =>
  hide && ((value, isHidden) => (value === null ? null : (hide(value, isHidden) ?? null)));

/** What an actor is shown of an answer; null where the schema names no set that could be hidden. */
export function hiderOf(schema: z.core.$ZodType): ((value: unknown, actor: Actor | undefined) => unknown) | null {
  const hide = hideIn(schema);
  return (
    hide &&
    ((value, actor) => {
      if (actor?.omniscient) return value;
      const shown = hide(value, (setId) => !Object.hasOwn(actor?.memberships ?? {}, setId));
      if (shown === undefined)
        throw new TypeError("An answer cannot be without a problem set that its reader may not know of.");
      return shown;
    })
  );
}
