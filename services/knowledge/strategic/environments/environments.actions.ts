import { data, list } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { MOST_ROWS, paging, TextId } from "../../../../core/records/entity.ts";
import { DocumentRow, documentRows } from "../../documents/client.ts";
import { Category, Container, EnvironmentView, Filing } from "./environments.ts";
import { unorganizedFor } from "./filings.ts";

export const inEnvironment = (may: string) =>
  ({ path: { envId: TextId.describe("The id of its problem set.") }, within: { set: "envId", may } }) as const;

export const environmentActions = {
  "environments.get": endpoint({
    rest: "GET /environments/by-problem-set/:problemSetId",
    summary: "Show the environment of a problem set with its categories",
    permit: "signed-in",
    path: { problemSetId: TextId },
    within: { set: "problemSetId", may: "environment:read" },
    returns: data(EnvironmentView),
    tool: "show_environment",
    description:
      "Each problem set has one environment, under its own id; it needs no creation. Counts cover what " +
      "you can see.",
    async handler(ctx) {
      const { problemSetId } = ctx.params;
      const [categories, containers, documents, unorganized] = await Promise.all([
        this.store(Category).find(ctx, { problemSetId }, { sort: ["position"] }),
        this.store(Container).find(ctx, { problemSetId }, { fields: ["problemSetId", "compartments", "categoryId"] }),
        this.store(Filing).total(ctx, { problemSetId }),
        unorganizedFor(this, ctx, problemSetId).then((query) => this.store(Filing).total(ctx, query)),
      ]);
      const under = (id: string): number => containers.filter(({ categoryId }) => categoryId === id).length;
      return {
        id: problemSetId,
        problemSetId,
        categories: categories.map((category) => ({ ...category, containers: under(category.id) })),
        containers: containers.length,
        documents: documents.total,
        unorganized: unorganized.total,
      };
    },
  }),

  "environments.listUnorganized": endpoint({
    rest: "GET /environments/:envId/unorganized",
    summary: "List the documents that are in no container",
    permit: "signed-in",
    ...inEnvironment("environment:read"),
    query: { ...paging },
    returns: list(DocumentRow),
    tool: "list_unorganized_documents",
    description: "Newest first. A document that is only in containers that you cannot see appears to be in none.",
    async handler(ctx) {
      const { envId, ...window } = ctx.params;
      const { data: filings, meta } = await this.store(Filing).page(
        ctx,
        { ...window, limit: Math.min(window.limit, MOST_ROWS) },
        await unorganizedFor(this, ctx, envId),
      );
      const ids = filings.map(({ id }) => id);
      return { data: await documentRows(this, ids), meta };
    },
  }),
};
