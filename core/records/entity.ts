import { z } from "zod";
import type { Barrier } from "../access/barrier.ts";
import type { Index } from "./documents.ts";
import { barrierIndex, listIndexes, mayLackText, type ListDeclaration } from "./list-indexes.ts";
import { PLACE, type Most } from "./keeping/quota.ts";
import { iso } from "../clock.ts";
import { ownSetId, PersonId } from "../access/person-reference.ts";
import { isHigherSetId } from "../access/set-reference.ts";
import { TOTAL_BOUND } from "./reading/search.ts";
import { TRACE } from "../events/traces.ts";

/** Ids: numbers where Document 1 says numbers, UUIDv7 text elsewhere. */
export const NumberId = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
export const textId = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    // White space alone names nothing: a mistake in the field, and not a record that is not there.
    .refine((id) => id === "" || /\S/.test(id), "Must not be empty.");
export const TextId = textId(64);
/** Any offset in; stored and sent in UTC with milliseconds. */
export const Instant = z.iso
  .datetime({ offset: true })
  .overwrite((instant) =>
    isCanonical(instant) || Number.isNaN(Date.parse(instant)) ? instant : iso(Date.parse(instant)),
  );
/** Among what the pattern allows, only the form that we write has this length and this end. */
const isCanonical = (instant: string): boolean => instant.length === 24 && instant.endsWith("Z");
/**
 * A computed number: rounded to six decimals, small ones to six significant digits. Given or measured numbers stay as
 * they are.
 */
export const Figure = z
  .number()
  .overwrite((value) => (Math.abs(value) < 1 ? Number(value.toPrecision(6)) : Math.round(value * 1e6) / 1e6));

/** Answers carry at most this many rows; a larger `limit` is clamped, and `meta.limit` says so. */
export const MOST_ROWS = 100;

export const paging = {
  page: z.int().min(1).max(1_000_000).default(1).describe("Counts from 1."),
  limit: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(20)
    .describe(`Rows per page; more than ${MOST_ROWS} is reduced to that, and \`meta.limit\` says so.`),
};
/** The query of a long feed, which goes on by a cursor instead of pages. */
export const feeding = {
  cursor: z.string().max(500).optional().describe("`meta.next` of the previous page; without it, the first page."),
  limit: paging.limit,
};

export const PageMeta = z.object({
  total: z.int().describe(`Exact up to ${TOTAL_BOUND}; beyond that it is ${TOTAL_BOUND}, and \`more\` is present.`),
  more: z.literal(true).optional().describe("There are more than `total`."),
  page: z.int(),
  limit: z.int(),
});
export const CursorMeta = z.object({
  limit: z.int(),
  next: z.string().nullable().describe("Opaque; send it back as `cursor` for what follows. Null at the end."),
});

/** What `sort` of a list says. */
export const ORDER = "Field to sort by; a leading `-` reverses the order. What lacks the field comes last.";

const STORED = z.registry<{ as: unknown }>();
/** A field of which somebody may send less than a record may hold, since records are also made from several others. */
export const storedAs = <S extends z.ZodType>(sent: S, as: z.ZodType): S => {
  STORED.add(sent, { as });
  return sent;
};
/** These fields as a record holds them. */
const held = (fields: Shape): Shape =>
  Object.fromEntries(
    Object.entries(fields as Record<string, z.ZodType>).map(([key, field]) => {
      const as = STORED.get(field)?.as as z.ZodType | undefined;
      return [key, as && field.description ? as.describe(field.description) : (as ?? field)];
    }),
  );

type Shape = z.ZodRawShape;
type Key<S extends Shape> = keyof S & string;

export interface Traits<S extends Shape> {
  fields: S;
  /** `number`: from an atomic counter. Default `uuid`. */
  id?: "number" | "uuid";
  /** Defaults to the entity's name. */
  collection?: string;
  /** Set by the service, never by a client. */
  readonly?: readonly Key<S>[];
  /** Set at creation, never again. */
  immutable?: readonly Key<S>[];
  /** Stored, never sent, and so neither filtered nor sorted by. */
  hidden?: readonly Key<S>[];
  /** Equality filters of the list; each is a query parameter and wants an index. */
  filter?: readonly Key<S>[];
  /** Beside `createdAt` and `updatedAt`. */
  sort?: readonly Key<S>[];
  barrier?: Barrier;
  /** How many one owner has at most; `store.create` holds it. */
  most?: Most;
  /** Others follow its changes: the store marks each record that was written, until they have seen it. */
  traced?: true;
  /** The lists that the API offers: each has its indexes, for every filter and every order. */
  lists?: readonly ListDeclaration[];
  /** Whatever else is looked for. */
  indexes?: readonly Index[];
  /** The name of one in words of the domain, for messages and docs; defaults to the entity's name. */
  title?: string;
}

/** Zod applies defaults inside `.partial()`, so a PATCH would silently reset every field it leaves out. */
const bare = (field: z.core.$ZodType): z.ZodType =>
  field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType) : (field as z.ZodType);

const pick = (shape: Shape, keys: readonly string[]): Shape =>
  Object.fromEntries(keys.map((key) => [key, shape[key]!]));
const without = (shape: Shape, keys: readonly string[] = []): Shape =>
  Object.fromEntries(Object.entries(shape).filter(([key]) => !keys.includes(key)));
const optional = (shape: Shape): Shape =>
  Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, bare(field).optional()]));
/** Filters that do not say what they are say at least what they do. */
const saying = (filters: Shape): Shape =>
  Object.fromEntries(
    Object.entries(filters as Record<string, z.ZodType>).map(([key, field]) => [
      key,
      field.description ? field : field.describe(`Only those with this \`${key}\`.`),
    ]),
  );
const clearable = (shape: Shape, create: Shape): Shape =>
  Object.fromEntries(
    Object.entries(shape).map(([key, field]) => [
      key,
      create[key] instanceof z.ZodOptional ? (field as z.ZodType).nullable() : field,
    ]),
  );

const stamps = { rev: z.int(), createdAt: Instant, updatedAt: Instant, createdBy: z.string() };
type Stamps = typeof stamps;

/** What lies in compartments is counted apart: a refusal that counted it too would tell of it. */
const mostIn = (most: Most | undefined, barrier: Barrier | undefined): Most | undefined =>
  most && barrier?.compartments && most.per.includes(barrier.set)
    ? { ...most, per: [...most.per, barrier.compartments] }
    : most;

/**
 * Says what a record is, once: what is stored, what a client may set, change, filter and sort by, which barrier it
 * stands behind, which indexes it wants. Everything else (validation, docs, stores, lists) is derived from it.
 */
export function entity<
  const N extends string,
  S extends Shape,
  const I extends "number" | "uuid" = "uuid",
  const R extends Key<S> = never,
  const M extends Key<S> = never,
  const H extends Key<S> = never,
  const F extends Key<S> = never,
>(
  name: N,
  traits: Traits<S> & {
    id?: I;
    readonly?: readonly R[];
    immutable?: readonly M[];
    hidden?: readonly H[];
    filter?: readonly F[];
  },
) {
  const { fields, hidden = [], filter = [], barrier } = traits;
  const leaking = hidden.find((key) => filter.includes(key as never) || traits.sort?.includes(key));
  if (leaking) throw new TypeError(`${name}.${leaking} is hidden: filtering or sorting by it would leak it.`);
  if (barrier && barrier.set !== "id" && !traits.immutable?.includes(barrier.set as M))
    throw new TypeError(`${name}.${barrier.set} is a barrier: it must be immutable.`);

  type Id = I extends "number" ? typeof NumberId : typeof TextId;
  const kind = traits.id === "number" ? NumberId : TextId;
  const id = (barrier?.set === "id" ? ownSetId(kind) : kind) as Id;
  const create = without(fields, traits.readonly) as Omit<S, R>;
  const update = optional(without(create as Shape, traits.immutable)) as {
    [K in Exclude<Key<S>, R | M>]: z.ZodOptional<S[K] extends z.ZodDefault<infer T> ? T : S[K]>;
  };
  const change = clearable(update, create as Shape) as {
    [K in Exclude<Key<S>, R | M>]: S[K] extends z.ZodOptional<infer T>
      ? z.ZodNullable<z.ZodOptional<T>>
      : (typeof update)[K];
  };
  const sortable = ["createdAt", "updatedAt", ...(traits.sort ?? [])].flatMap((key) => [key, `-${key}`]);
  const filters = saying(optional(pick(fields, filter))) as {
    [K in F]: z.ZodOptional<S[K] extends z.ZodDefault<infer T> ? T : S[K]>;
  };
  const sort = z
    .enum(sortable as [string, ...string[]])
    .default("-createdAt")
    .describe(ORDER);
  const query = { ...filters, sort, ...paging };
  // Members of a problem set may know one another, readers and writers alike.
  const stamped = barrier || "problemSetId" in fields ? { ...stamps, createdBy: PersonId } : stamps;
  const record = z.object({ id, ...held(fields), ...stamped }) as unknown as z.ZodObject<{ id: Id } & S & Stamps>;
  const shown = Object.entries(without(record.shape, hidden)).map(([key, field]) => [
    key,
    isHigherSetId(field) && key !== barrier?.set ? z.optional(field) : field,
  ]);
  const view = z.object(Object.fromEntries(shown)) as unknown as z.ZodObject<{ id: Id } & Omit<S, H> & Stamps>;
  return {
    name,
    title: traits.title ?? name,
    collection: traits.collection ?? name.replace(/\W/g, "_"),
    idKind: (traits.id ?? "uuid") as "number" | "uuid",
    barrier,
    most: mostIn(traits.most, barrier),
    traced: traits.traced,
    indexes: [
      ...(traits.lists ?? []).flatMap((listed) =>
        listIndexes(listed, traits, { filter, sort: ["-createdAt", "-updatedAt", ...(traits.sort ?? [])] }),
      ),
      ...(traits.indexes ?? []),
      ...barrierIndex(barrier),
      ...(traits.traced ? [{ fields: [TRACE], sparse: true }] : []),
      ...(traits.most ? [{ fields: [PLACE], unique: true, sparse: true }] : []),
    ],
    filter: filter as readonly string[],
    lacking: new Set((traits.sort ?? []).filter((key) => mayLackText(fields[key]))),
    /** The whole stored record. */
    record,
    /** What may be sent. */
    view,
    /** Shapes (not schemas) of the bodies of create and update and of the list's query, for `endpoint`. */
    create,
    update,
    /** As `update`, and null clears what is optional. */
    change,
    query,
    id,
  };
}

/** Any entity, as stores and mixins see it. */
export interface Entity {
  name: string;
  title: string;
  collection: string;
  idKind: "number" | "uuid";
  barrier: Barrier | undefined;
  most: Most | undefined;
  traced: true | undefined;
  indexes: readonly Index[];
  filter: readonly string[];
  /** Orders by a text, or an instant, that a record may lack. */
  lacking: ReadonlySet<string>;
  record: z.ZodObject;
  view: z.ZodObject;
  create: Shape;
  update: Shape;
  change: Shape;
  query: Shape;
  id: z.ZodType;
}

/** The stored form of an entity: `type Mission = Item<typeof Mission>`. */
export type Item<E extends { record: z.ZodType }> = z.output<E["record"]>;
/** The type of an entity's id. */
export type IdOf<E extends { id: z.ZodType }> = z.output<E["id"]>;
