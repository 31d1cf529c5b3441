import { z } from "zod";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import type { Sealer } from "../../../../core/access/sealed.ts";
import { unprocessable } from "../../../../core/problem.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";
import { last4Of } from "../configurations/views.ts";
import { Schedule } from "./schedules.ts";

/** How far a source's record lets it be trusted: the letters of the Admiralty code. */
export const RELIABILITIES = ["A", "B", "C", "D", "E", "F"] as const;
const KINDS = ["feed", "page"] as const;
const MOST_HEADERS = 20;
const RESERVED = /^(host|content-.*|transfer-encoding|connection|accept-encoding|proxy-.*)$/i;
/** What is shown of a secret: it is refused where it comes back. */
const MASKED = /^[*•●·…]{3,}.{0,4}$/u;
const VALUE = /^[\t\x20-\x7e\x80-\xff]{1,4000}$/;

/** Values of headers may be keys: they are given, and never shown. */
export const Headers = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z0-9!#$%&'*+.^_|~-]{1,100}$/, "This is not the name of a header.")
      .refine((name) => !RESERVED.test(name), "This header is the client's own."),
    z
      .string()
      .refine(
        (value) => MASKED.test(value) || VALUE.test(value),
        "A value has no line breaks, and 4,000 characters of Latin-1 at most.",
      ),
  )
  .refine((headers) => Object.keys(headers).length <= MOST_HEADERS, `At most ${MOST_HEADERS} headers.`);
export type Headers = z.output<typeof Headers>;

/** A header at rest, with what may be told of it. */
interface KeptHeader {
  sealed: string;
  last4?: string | undefined;
  updatedAt: string;
}
const Outcome = z.object({
  ok: z.boolean(),
  message: z.string().optional().describe("The reason, if not."),
  found: z.int().describe("Items that were there."),
  collected: z.int().describe("Of these, new ones."),
});

const place = {
  problemSetId: TextId.optional().describe("The problem set its material belongs to; without one, everybody sees it."),
  compartments: Compartments,
};

/** Something in the open that is looked at again and again. */
export const OsintSource = entity("admin.osint-sources", {
  title: "OSINT source",
  collection: "osint_sources",
  fields: {
    name: z.string().trim().min(1).max(200),
    kind: z.enum(KINDS).describe("`feed`: RSS, Atom or JSON Feed; `page`: one web page, whenever its text changes."),
    address: z.url({ protocol: /^https?$/ }).max(2_048),
    schedule: Schedule,
    reliability: z.enum(RELIABILITIES).default("F").describe("Admiralty code; F: it cannot be judged."),
    ...place,
    active: z.boolean().default(true).describe("Whether it is fetched on its schedule."),
    status: z.enum(["active", "archived"]),
    headers: z.record(
      z.string(),
      z.custom<KeptHeader>((given) => typeof given === "object"),
    ),
    collected: z.int(),
    nextAt: Instant.optional(),
    lastAt: Instant.optional(),
    lastOutcome: Outcome.optional(),
  },
  readonly: ["status", "headers", "collected", "nextAt", "lastAt", "lastOutcome"],
  immutable: ["problemSetId", "compartments"],
  hidden: ["headers"],
  filter: ["status"],
  sort: ["name"],
  lists: [{ by: [] }],
  indexes: [{ fields: ["status", "nextAt"] }],
});
export type OsintSource = Item<typeof OsintSource>;

/** Material of no set is everybody's. */
export const EVERYBODY = "everybody";
/** What a source brought, where the source's material lies. */
export const OsintItem = entity("admin.osint-items", {
  title: "OSINT item",
  collection: "osint_items",
  fields: {
    sourceId: TextId,
    ...place,
    audience: z.literal(EVERYBODY).optional(),
    reliability: z.enum(RELIABILITIES).describe("The source's, when it was collected."),
    title: z.string(),
    text: z.string(),
    url: z.string().optional(),
    publishedAt: Instant.optional(),
  },
  immutable: ["problemSetId", "compartments"],
  hidden: ["audience"],
  barrier: { ...barrier, outside: () => [{ audience: EVERYBODY }] },
  lists: [{ by: ["sourceId"], sort: ["-createdAt"] }],
  indexes: [
    { fields: ["audience", "-createdAt"], sparse: true },
    { fields: ["problemSetId", "-createdAt"], sparse: true },
  ],
});
export type OsintItem = Item<typeof OsintItem>;

export const osintPlace = ({ problemSetId, compartments }: Pick<OsintSource, "problemSetId" | "compartments">) => ({
  compartments,
  ...(problemSetId === undefined ? { audience: EVERYBODY } : { problemSetId }),
});

const HeaderMask = z.object({ set: z.literal(true), last4: z.string().optional(), updatedAt: Instant });
export const SourceView = OsintSource.view
  .extend({ headers: z.record(z.string(), HeaderMask).describe("What is set, never its value.") })
  .meta({ id: "OsintSource" });
export const ItemView = OsintItem.view.meta({ id: "OsintItem" });

export const osintSourceView = ({ headers, ...source }: OsintSource): z.input<typeof SourceView> => ({
  ...source,
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, { last4, updatedAt }]) => [
      name,
      { set: true as const, ...(last4 && { last4 }), updatedAt },
    ]),
  ),
});

/** Headers are for the origin that they were given for: under another address they do not open. */
const ownerOf = (id: string, name: string, address: string): string =>
  `${id} ${name.toLowerCase()} for ${new URL(address).origin}`;

export function sealedHeaders(
  sealer: Sealer,
  { id, address }: Pick<OsintSource, "id" | "address">,
  headers: Headers,
  at: string,
): OsintSource["headers"] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (MASKED.test(value))
        throw unprocessable("MASKED_SECRET", `headers.${name}: this is what is shown of the value, not the value.`);
      const last4 = last4Of(value);
      const sealed = sealer.seal(Buffer.from(value), ownerOf(id, name, address));
      return [name, { sealed, ...(last4 && { last4 }), updatedAt: at }];
    }),
  );
}

/** The headers that may be sent to the source's address: those that were given for its origin. */
export function openedHeaders(
  sealer: Sealer,
  { id, address, headers }: Pick<OsintSource, "id" | "address" | "headers">,
): Headers {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, { sealed }]) => {
      try {
        return [[name, sealer.open(sealed, ownerOf(id, name, address)).toString()]];
      } catch {
        return [];
      }
    }),
  );
}
