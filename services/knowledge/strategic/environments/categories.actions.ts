import { actorOf, type Caller } from "../../../../core/access/caller.ts";
import { data, nothing } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { conflict, invalid } from "../../../../core/problem.ts";
import { TextId } from "../../../../core/records/entity.ts";
import { Category, Container, demandOpen } from "./environments.ts";
import { inEnvironment } from "./environments.actions.ts";
import { CategoryMade, CategoryRemoved } from "./events.ts";
import { regroup, tellEnvironment } from "./filings.ts";

const onCategory = {
  on: Category,
  by: "categoryId",
  within: { set: "problemSetId", may: "environment:shape" },
} as const;

const told = ({ id, problemSetId, compartments, name }: Category, caller: Caller) => ({
  ...{ id, problemSetId, compartments, name },
  by: actorOf(caller),
});
const what = "category" as const;

export const categoryActions = {
  "categories.create": endpoint({
    rest: "POST /environments/:envId/categories",
    summary: "Add a category to an environment",
    permit: "signed-in",
    ...inEnvironment("environment:shape"),
    body: {
      name: Category.create.name,
      description: Category.create.description,
      position: Category.create.position,
      compartments: Category.create.compartments,
    },
    returns: data(Category.view),
    status: 201,
    example: { name: "Logistics" },
    async handler(ctx) {
      const { envId: problemSetId, ...fields } = ctx.params;
      const made = await this.store(Category).create(
        ctx,
        { ...fields, problemSetId },
        { facts: (category: Category) => [CategoryMade.fact(category.id, told(category, ctx))] },
      );
      await tellEnvironment(this, { ...made, what });
      return made;
    },
  }),

  "categories.update": endpoint({
    rest: "PUT /categories/:categoryId",
    summary: "Change a category",
    permit: "signed-in",
    ...onCategory,
    body: Category.change,
    returns: data(Category.view),
    async handler(ctx, category) {
      const changed = await this.store(Category).revise(ctx, category, ctx.params);
      await tellEnvironment(this, { ...changed, what });
      return changed;
    },
  }),

  "categories.remove": endpoint({
    rest: "DELETE /categories/:categoryId",
    summary: "Remove a category",
    permit: "signed-in",
    ...onCategory,
    query: { moveTo: TextId.optional().describe("The category that its containers stand under from then on.") },
    returns: nothing(),
    status: 204,
    description:
      "A category that has containers requires `moveTo`. Containers that you cannot see are moved too " +
      "if they may lie there; otherwise they are left without a category.",
    errors: {
      409: "It has containers, and `moveTo` is missing.",
      422: "`moveTo` lies in compartments that a container does not lie in (`NARROWER_CATEGORY`).",
    },
    async handler(ctx, category) {
      const { id, problemSetId } = category;
      const { moveTo } = ctx.params;
      const containers = await this.store(Container).find(ctx, { problemSetId, categoryId: id });
      if (containers.length && moveTo === undefined)
        throw conflict(
          `Containers stand under it (${containers.length}): name the category that they move to (moveTo).`,
          {
            containers: containers.length,
          },
        );
      if (moveTo !== undefined) {
        const target = moveTo === id ? null : await this.store(Category).one(ctx, { _id: moveTo });
        if (target?.problemSetId !== problemSetId)
          throw invalid([{ path: "moveTo", message: "Name another category of this environment." }]);
        for (const container of containers) demandOpen(container, target);
      }
      await this.store(Category).remove(ctx, category, {
        facts: [CategoryRemoved.fact(id, { ...told(category, ctx), ...(moveTo && { moveTo }) })],
      });
      await regroup.call(this, { id, problemSetId, moveTo });
      await tellEnvironment(this, { ...category, what });
      return null;
    },
  }),
};
