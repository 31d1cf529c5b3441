import { z } from "zod";
import { unionOfCompartments } from "../../../../core/access/barrier.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { barrier, Compartments } from "../../../../core/access/place.ts";
import { derivedId } from "../../../../core/ids.ts";
import { conflict, unprocessable } from "../../../../core/problem.ts";
import { entity, Instant, TextId, type Item } from "../../../../core/records/entity.ts";

/** The most containers of a document that one person sees. */
export const MOST_CONTAINERS_OF_ONE = 20;

const set = TextId.describe("The problem set, and so the environment, that it lies in.");

/** A heading above containers. */
export const Category = entity("strategic.categories", {
  title: "category",
  fields: {
    problemSetId: set,
    compartments: Compartments,
    name: z.string().trim().min(1).max(200),
    description: z.string().max(2_000).optional(),
    position: z.int().min(0).max(10_000).default(0).describe("Place among its kind, the lowest first."),
  },
  immutable: ["problemSetId", "compartments"],
  barrier,
  most: {
    count: 200,
    per: ["problemSetId"],
    refusal: (count) => conflict(`An environment has at most ${count} categories in the same compartments.`),
  },
  indexes: [{ fields: ["problemSetId", "position"] }],
});
export type Category = Item<typeof Category>;
const CategoryRow = Category.view
  .extend({ containers: z.int().describe("How many containers that you see stand under it.") })
  .meta({ id: "EnvironmentCategory" });

/** A place for documents; a document may be in several. */
export const Container = entity("strategic.containers", {
  title: "container",
  fields: {
    problemSetId: set,
    compartments: Compartments,
    categoryId: TextId.optional().describe("The category that it stands under."),
    name: z.string().trim().min(1).max(200),
    description: z.string().max(4_000).optional().describe("What belongs in it; suggestions use its words."),
    agents: z.array(z.object({ agentId: z.string(), by: PersonId, at: Instant })).default([]),
  },
  readonly: ["agents"],
  hidden: ["agents"],
  immutable: ["problemSetId", "compartments"],
  filter: ["categoryId"],
  sort: ["name"],
  barrier,
  most: {
    count: 500,
    per: ["problemSetId"],
    refusal: (count) => conflict(`An environment has at most ${count} containers in the same compartments.`),
  },
  lists: [{ by: ["problemSetId"] }],
});
export type Container = Item<typeof Container>;
export const ContainerRow = Container.view
  .extend({ documents: z.int().describe("How many documents that you see sit in it; exact to 10,000.") })
  .meta({ id: "ContainerWithCount" });

/**
 * This domain's record about a document of the domain `documents`, under the document's id: its containers. It lies
 * where the document does; nobody learns of containers that they cannot see.
 */
export const Filing = entity("strategic.filings", {
  title: "document",
  fields: {
    problemSetId: set,
    compartments: Compartments,
    placings: z.array(z.object({ containerId: TextId, by: z.string(), at: Instant })),
    containerIds: z.array(TextId),
    /** Whether a container is visible to everybody who sees the document. */
    isFiled: z.boolean(),
    /** Otherwise, the compartments of containers that only some of its readers see, in the form of `keyOf`. */
    narrow: z.array(z.string()),
    /** Stems of its newest text, the most frequent first: `[stem, count]`. */
    words: z.array(z.tuple([z.string(), z.int()])).default([]),
    /** The version of that text. */
    read: z.int().default(0),
  },
  immutable: ["problemSetId", "compartments"],
  barrier,
  indexes: [
    {
      fields: ["problemSetId", "isFiled", "narrow", "compartments", "-createdAt"],
      enumerated: ["isFiled", "narrow"],
      hiddenBy: "compartments",
    },
    { fields: ["containerIds"] },
  ],
});
export type Filing = Item<typeof Filing>;

/** One document in one container, derived from the document's filing: visible to those who see both. */
export const Placement = entity("strategic.placements", {
  title: "placement",
  fields: {
    problemSetId: set,
    compartments: Compartments,
    documentId: TextId,
    containerId: TextId,
    placedBy: PersonId,
    placedAt: Instant,
  },
  immutable: ["problemSetId", "compartments", "documentId", "containerId"],
  barrier,
  lists: [
    { by: ["problemSetId"], sort: ["-createdAt"] },
    { by: ["problemSetId", "containerId"], sort: ["-createdAt"] },
  ],
  indexes: [{ fields: ["documentId"] }, { fields: ["containerId"] }, { fields: ["placedBy"] }],
});
export type Placement = Item<typeof Placement>;

export const placementId = (documentId: string, containerId: string): string =>
  derivedId(`placement of ${documentId} in ${containerId}`);

/** Whether everybody who sees the one also sees the other, by compartments. */
const isOpenTo = (one: { compartments: readonly string[] }, other: { compartments: readonly string[] }) =>
  other.compartments.every((id) => one.compartments.includes(id));

/** A key for the compartments of containers. */
export const keyOf = (compartments: readonly string[]): string => JSON.stringify([...compartments].sort());

/** The fields of a filing for a document in these containers. */
export function filingFields(
  filing: Pick<Filing, "compartments">,
  placings: Filing["placings"],
  held: readonly Container[],
) {
  const there = new Map(held.map((container) => [container.id, container]));
  const kept = placings.filter(({ containerId }) => there.has(containerId));
  const containerIds = kept.map(({ containerId }) => containerId);
  const holding = held.filter(({ id }) => containerIds.includes(id));
  const isFiled = holding.some((container) => isOpenTo(filing, container));
  const narrow = isFiled ? [] : [...new Set(holding.map((container) => keyOf(container.compartments)))].sort();
  return { placings: kept, containerIds, isFiled, narrow };
}

/** The place of a document's placement: visible to those who see both document and container. */
export const jointPlace = (filing: Pick<Filing, "problemSetId" | "compartments">, container: Container) => ({
  problemSetId: filing.problemSetId,
  compartments: unionOfCompartments([filing, container]),
});

/** Throws 422 where somebody could see the container but not its category. */
export function demandOpen(container: Pick<Container, "compartments">, category: Category): void {
  if (!isOpenTo(container, category))
    throw unprocessable(
      "NARROWER_CATEGORY",
      "This category lies in compartments that the container does not lie in: not all who see it would see " +
        "its heading.",
      { field: "categoryId" },
    );
}

export const EnvironmentView = z
  .object({
    id: TextId.describe("The problem set's own: a set has one environment."),
    problemSetId: TextId,
    categories: z.array(CategoryRow).describe("By their position."),
    containers: z.int().describe("How many of what follows you see."),
    documents: z.int(),
    unorganized: z.int().describe("Documents that sit in no container that you see."),
  })
  .meta({ id: "Environment" });
