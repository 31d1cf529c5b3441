import { z } from "zod";
import { unionOfCompartments } from "../../../../core/access/barrier.ts";
import { actorOf, type Caller } from "../../../../core/access/caller.ts";
import { bare, data, list, nothing } from "../../../../core/contract/answer.ts";
import { endpoint, type Host } from "../../../../core/contract/endpoint.ts";
import { invalid } from "../../../../core/problem.ts";
import { Instant, paging, TextId } from "../../../../core/records/entity.ts";
import { PersonId } from "../../../../core/access/person-reference.ts";
import { DocumentRow, documentRows } from "../../documents/client.ts";
import {
  Category,
  Container,
  ContainerRow,
  demandOpen,
  Filing,
  MOST_CONTAINERS_OF_ONE,
  Placement,
} from "./environments.ts";
import { inEnvironment } from "./environments.actions.ts";
import { ContainerChanged, ContainerMade, ContainerRemoved } from "./events.ts";
import { empty, filingFor, setContainers, takeOut, tellEnvironment } from "./filings.ts";

const set = "problemSetId";
export const onContainer = (may: string) => ({ on: Container, by: "containerId", within: { set, may } }) as const;
/** Its revision also rises through containers that the caller cannot see, so it is not shown. */
const withoutRevision = async (host: Host, id: string): Promise<Filing> => ({ ...(await filingFor(host, id)), rev: 0 });
export const onFiling = (may: string) =>
  ({ on: Filing, by: "documentId", loads: withoutRevision, within: { set, may } }) as const;
const what = "container" as const;

const FiledDocument = DocumentRow.extend({ placedAt: Instant, placedBy: PersonId }).meta({ id: "FiledDocument" });
const Containers = data(z.array(Container.view));

const told = ({ id, problemSetId, compartments, name }: Container, caller: Caller) => ({
  ...{ id, problemSetId, compartments, name },
  by: actorOf(caller),
});

/** The category for a container, as the caller sees it. Throws 400 where there is none. */
async function demandCategory(host: Host, caller: Caller, categoryId: string, problemSetId: string): Promise<Category> {
  const category = await host.store(Category).one(caller, { _id: categoryId });
  if (category?.problemSetId !== problemSetId)
    throw invalid([{ path: "categoryId", message: "There is no such category in this environment." }]);
  return category;
}

/** Clears the category of a container if it was removed meanwhile. */
async function withoutGone(host: Host, caller: Caller, container: Container): Promise<Container> {
  const { categoryId } = container;
  if (!categoryId || (await host.store(Category).one(caller, { _id: categoryId }))) return container;
  return host
    .store(Container)
    .change(caller, container.id, (at) => (at.categoryId === categoryId ? { categoryId: null } : null));
}

/** The containers of a document that the caller sees, in the order of placement. */
async function containersOf(host: Host, caller: Caller, documentId: string): Promise<Container[]> {
  const { containerIds } = await host.store(Filing).get(caller, documentId);
  const found = await host.store(Container).many(caller, containerIds);
  return found.sort((one, other) => containerIds.indexOf(one.id) - containerIds.indexOf(other.id));
}

export const containerActions = {
  "containers.list": endpoint({
    rest: "GET /environments/:envId/containers",
    summary: "List the containers of an environment",
    permit: "signed-in",
    ...inEnvironment("environment:read"),
    query: Container.query,
    returns: list(ContainerRow),
    tool: "list_containers",
    description:
      "Containers group the documents of a problem set, in categories; `documents` counts those that you can see.",
    async handler(ctx) {
      const { envId: problemSetId, ...window } = ctx.params;
      const { data: rows, meta } = await this.store(Container).page(ctx, window, { problemSetId });
      const counts = await Promise.all(
        rows.map(({ id }) => this.store(Placement).total(ctx, { problemSetId, containerId: id })),
      );
      return { data: rows.map((row, at) => ({ ...row, documents: counts[at]!.total })), meta };
    },
  }),

  "containers.create": endpoint({
    rest: "POST /environments/:envId/containers",
    summary: "Add a container to an environment",
    permit: "signed-in",
    ...inEnvironment("environment:shape"),
    body: {
      name: Container.create.name,
      description: Container.create.description,
      categoryId: Container.create.categoryId,
      compartments: Container.create.compartments,
    },
    returns: data(Container.view),
    status: 201,
    example: { name: "Bridging equipment", description: "Pontoons, boats and spans: stock, state, moves" },
    description: "It lies in the compartments of its category too: whoever sees the container sees its heading.",
    async handler(ctx) {
      const { envId: problemSetId, ...fields } = ctx.params;
      const { categoryId, compartments } = fields;
      const category = categoryId && (await demandCategory(this, ctx, categoryId, problemSetId));
      const made = await this.store(Container).create(
        ctx,
        {
          ...fields,
          problemSetId,
          compartments: unionOfCompartments([{ compartments }, ...(category ? [category] : [])]),
        },
        { facts: (container: Container) => [ContainerMade.fact(container.id, told(container, ctx))] },
      );
      const container = await withoutGone(this, ctx, made);
      await tellEnvironment(this, { ...container, what });
      return container;
    },
  }),

  "containers.update": endpoint({
    rest: "PUT /containers/:containerId",
    summary: "Change a container, or move it to another category",
    permit: "signed-in",
    ...onContainer("environment:shape"),
    body: Container.change,
    returns: data(Container.view),
    errors: { 422: "The category lies in compartments that the container does not lie in (`NARROWER_CATEGORY`)." },
    async handler(ctx, before) {
      const { categoryId } = ctx.params;
      if (categoryId) demandOpen(before, await demandCategory(this, ctx, categoryId, before.problemSetId));
      const revised = await this.store(Container).revise(ctx, before, ctx.params, {
        facts: (container: Container) => [ContainerChanged.fact(container.id, told(container, ctx))],
      });
      const container = await withoutGone(this, ctx, revised);
      await tellEnvironment(this, { ...container, what });
      return container;
    },
  }),

  "containers.remove": endpoint({
    rest: "DELETE /containers/:containerId",
    summary: "Remove a container",
    permit: "signed-in",
    ...onContainer("environment:shape"),
    returns: nothing(),
    status: 204,
    description: "Its documents are kept; those in no other container become unorganized.",
    async handler(ctx, container) {
      await this.store(Container).remove(ctx, container, {
        facts: [ContainerRemoved.fact(container.id, told(container, ctx))],
      });
      await empty.call(this, container);
      await tellEnvironment(this, { ...container, what });
      return null;
    },
  }),

  "containers.place": endpoint({
    summary: "Where a container lies",
    permit: "signed-in",
    on: Container,
    by: "containerId",
    returns: bare(Container.record.pick({ problemSetId: true, compartments: true })),
    handler: (_ctx, container) => container,
  }),

  "containers.listDocuments": endpoint({
    rest: "GET /containers/:containerId/documents",
    summary: "List the documents in a container",
    permit: "signed-in",
    ...onContainer("environment:read"),
    query: { ...paging },
    returns: list(FiledDocument),
    tool: "list_documents_of_container",
    description: "Most recently placed first.",
    async handler(ctx, { id: containerId, problemSetId }) {
      const { data: placements, meta } = await this.store(Placement).page(ctx, ctx.params, {
        problemSetId,
        containerId,
      });
      const documents = await documentRows(
        this,
        placements.map(({ documentId }) => documentId),
      );
      const known = new Map(documents.map((document) => [document.id, document]));
      const rows = placements.flatMap(({ documentId, placedAt, placedBy }) => {
        const document = known.get(documentId);
        return document ? [{ ...document, placedAt, placedBy }] : [];
      });
      return { data: rows, meta };
    },
  }),

  "placements.list": endpoint({
    rest: "GET /documents/:documentId/containers",
    summary: "List the containers that a document is in",
    permit: "signed-in",
    ...onFiling("environment:read"),
    returns: Containers,
    handler(ctx, { id }) {
      return containersOf(this, ctx, id);
    },
  }),

  "placements.set": endpoint({
    rest: "PUT /documents/:documentId/containers",
    summary: "Set the containers that a document is in",
    permit: "signed-in",
    ...onFiling("environment:file"),
    body: {
      containerIds: z
        .array(TextId)
        .max(MOST_CONTAINERS_OF_ONE)
        .overwrite((ids) => [...new Set(ids)])
        .describe("All containers that you can see; an empty list removes it from all of them."),
    },
    returns: Containers,
    example: { containerIds: [] },
    description:
      "A document may be in several containers. Containers that you cannot see are not changed. The " +
      "agents of each container that it is added to start working on it.",
    async handler(ctx, filing) {
      await setContainers(this, ctx, filing, ctx.params.containerIds);
      return containersOf(this, ctx, filing.id);
    },
  }),

  "placements.remove": endpoint({
    rest: "DELETE /documents/:documentId/containers/:containerId",
    summary: "Remove a document from a container",
    permit: "signed-in",
    ...onFiling("environment:file"),
    path: { containerId: TextId },
    returns: nothing(),
    status: 204,
    async handler(ctx, filing) {
      await takeOut(this, ctx, filing, ctx.params.containerId);
      return null;
    },
  }),
};
