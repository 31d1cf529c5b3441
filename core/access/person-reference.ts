import { z } from "zod";

const PERSONS = z.registry<{ is: "id" | "did" }>();
const SETS = z.registry<{ isPlace: true }>();

/** The id of a person. Answers show beside it what the person is called: `by` and `byName`, `userId` and `userName`. */
export const PersonId = z.string().min(1).register(PERSONS, { is: "id" });
/** The same for whoever is a member of the record's problem set under this DID; what is no DID names nobody. */
export const personDid = <S extends z.ZodType>(did: S): S => {
  const marked = did.clone() as S;
  PERSONS.add(marked, { is: "did" });
  return marked;
};
/** The id of a record that is a problem set itself: what lies in the record lies in it. */
export const ownSetId = <S extends z.ZodType>(id: S): S => {
  const marked = id.clone() as S;
  SETS.add(marked, { isPlace: true });
  return marked;
};

const TEXTS = z.registry<{ names: true }>();
/** A text in which the DIDs stand of persons that its record names: answers have there what they are called. */
export const textOfPersons = <S extends z.ZodType>(text: S): S => {
  const marked = text.clone() as S;
  TEXTS.add(marked, { names: true });
  return marked;
};

/** Persons who are no longer, and those who have told no name. */
export const ERASED = "(erased)";
export const NAMELESS = "(no name)";

/** A person named in an answer: the object to show the name in, under which field, and the problem set it lies in. */
export interface Reference {
  within: Record<string, unknown>;
  field: string;
  person: string;
  problemSetId: string | undefined;
  /** Where the name takes the place of the DID too. */
  texts?: readonly { within: Record<string, unknown>; field: string }[];
}

type Visit = (value: unknown, problemSetId: string | undefined, found: Reference[]) => void;

interface Def {
  type: string;
  shape?: Record<string, z.core.$ZodType>;
  element?: z.core.$ZodType;
  innerType?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  options?: z.core.$ZodType[];
  left?: z.core.$ZodType;
  right?: z.core.$ZodType;
  out?: z.core.$ZodType;
  getter?: () => z.core.$ZodType;
}
const defOf = (schema: z.core.$ZodType): Def => schema._zod.def as unknown as Def;

/** How it names a person, however it is wrapped. */
function personIn(schema: z.core.$ZodType): "id" | "did" | undefined {
  const { innerType } = defOf(schema);
  return PERSONS.get(schema)?.is ?? (innerType && personIn(innerType));
}

/** `byName` of `by`, `userName` of `userId`, `name` of `id`, `memberNames` of the list `memberDids`. */
const nameFieldOf = (field: string, isList: boolean): string =>
  field === "id" ? "name" : `${field.replace(/(Id|Did)s?$/, "")}Name${isList ? "s" : ""}`;

interface Named {
  field: string;
  nameField: string;
  is: "id" | "did";
  isList: boolean;
}
const namedIn = (shape: Record<string, z.core.$ZodType>): Named[] =>
  Object.entries(shape).flatMap(([field, schema]) => {
    const { element } = defOf(schema);
    const isList = element !== undefined;
    const is = personIn(element ?? schema);
    return is ? [{ field, nameField: nameFieldOf(field, isList), is, isList }] : [];
  });

const known = new WeakMap<z.core.$ZodType, Visit | null>();

function visitIn(schema: z.core.$ZodType): Visit | null {
  const before = known.get(schema);
  if (before !== undefined) return before;
  // A schema that holds itself is met again while it is looked through: what is found then is asked for later.
  known.set(schema, (...given) => known.get(schema)?.(...given));
  const visit = visitBy(schema);
  known.set(schema, visit);
  return visit;
}

function visitBy(schema: z.core.$ZodType): Visit | null {
  const { type, shape, element, valueType, innerType, out, getter, left, right, options = [] } = defOf(schema);
  if (shape) return visitFields(shape);
  const each = type === "array" ? element && visitIn(element) : type === "record" && valueType && visitIn(valueType);
  if (each)
    return (value, set, found) => {
      if (isObject(value)) for (const one of Object.values(value)) each(one, set, found);
    };
  const inner = [innerType, out, getter?.(), left, right, ...options].flatMap((one) => (one && visitIn(one)) || []);
  return inner.length ? (...given) => inner.forEach((visit) => visit(...given)) : null;
}

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === "object";

const fits = (person: unknown, is: "id" | "did"): person is string =>
  typeof person === "string" && (is === "id" || person.startsWith("did:"));

function visitFields(shape: Record<string, z.core.$ZodType>): Visit | null {
  const names = namedIn(shape);
  const taken = names.find(({ nameField }) => nameField in shape);
  if (taken) throw new TypeError(`${taken.nameField} is a field, and what the person in ${taken.field} is called.`);
  const inner = Object.entries(shape).flatMap(([field, schema]) => {
    const visit = visitIn(schema);
    return visit ? [[field, visit] as const] : [];
  });
  if (!names.length && !inner.length) return null;
  const texts = Object.keys(shape).filter((field) => TEXTS.get(shape[field]!));
  const place = Object.keys(shape).find((field) => field === "problemSetId" || SETS.get(shape[field]!));
  return (value, outer, found) => {
    if (!isObject(value)) return;
    const first = found.length;
    const own = place === undefined ? undefined : value[place];
    const problemSetId = typeof own === "string" ? own : outer;
    for (const { field, nameField, is, isList } of names) {
      const named = value[field];
      if (!isList && fits(named, is)) found.push({ within: value, field: nameField, person: named, problemSetId });
      if (!isList || !Array.isArray(named)) continue;
      const within = (value[nameField] = named.map(() => null)) as unknown as Record<string, unknown>;
      for (const [at, person] of named.entries())
        if (fits(person, is)) found.push({ within, field: String(at), person, problemSetId });
    }
    for (const [field, visit] of inner) visit(value[field], problemSetId, found);
    if (texts.length)
      for (const one of found.slice(first)) one.texts = texts.map((field) => ({ within: value, field }));
  };
}

/** Finds the persons that values of a schema name; null where it names none. */
export const referencesIn = (
  schema: z.core.$ZodType,
): ((value: unknown, problemSetId: string | undefined) => Reference[]) | null => {
  const visit = visitIn(schema);
  return (
    visit &&
    ((value, problemSetId) => {
      const found: Reference[] = [];
      visit(value, problemSetId, found);
      return found;
    })
  );
};

const DESCRIPTION = `The person's name, for readers in the same problem set; \`${ERASED}\` after erasure.`;

/** For `z.toJSONSchema` of answers: adds the fields with names. */
export function describeNames({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: object }): void {
  const { shape } = defOf(zodSchema);
  const { properties } = jsonSchema as { properties?: Record<string, object> };
  if (!shape || !properties) return;
  for (const { nameField, isList } of namedIn(shape))
    properties[nameField] = isList
      ? {
          description: `${DESCRIPTION} Null if the name is not shown.`,
          type: "array",
          items: { type: ["string", "null"] },
        }
      : { description: DESCRIPTION, type: "string" };
}
