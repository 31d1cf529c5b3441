import { actorOf, type Caller } from "../../../../core/access/caller.ts";
import { data, list, nothing } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { demandNameable } from "./naming.ts";
import { WorkspaceMade, WorkspaceRemoved } from "../events.ts";
import { tellGraph } from "../live.ts";
import { Workspace } from "./workspaces.ts";

const set = "problemSetId";
export const reading = { set, may: "graph:read" } as const;
const editing = { set, may: "graph:edit" } as const;
export const onWorkspace = { on: Workspace, by: "id" } as const;

const told = ({ id, problemSetId, compartments, name }: Workspace, caller: Caller) => ({
  ...{ id, problemSetId, compartments, name },
  by: actorOf(caller),
});

export const workspaceActions = {
  "workspaces.list": endpoint({
    rest: "GET /workspaces",
    summary: "List graph workspaces",
    permit: "signed-in",
    within: reading,
    query: Workspace.query,
    returns: list(Workspace.view),
    tool: "list_graph_workspaces",
    description: "From one problem set, or, without one, from all that you are a member of.",
    handler(ctx) {
      return this.store(Workspace).page(ctx, ctx.params);
    },
  }),

  "workspaces.create": endpoint({
    rest: "POST /workspaces",
    summary: "Add a graph workspace",
    permit: "signed-in",
    within: editing,
    body: Workspace.create,
    returns: data(Workspace.view),
    status: 201,
    description:
      "A workspace is a part of the problem set's graph: what certain documents, stories or entities " +
      "contribute. It stores nothing of its own; removing it removes nothing from the graph. It names only what all " +
      "see who see it.",
    example: { problemSetId: "a problem set's id", name: "Crossings" },
    async handler(ctx) {
      await demandNameable(this, ctx, ctx.params);
      const made = await this.store(Workspace).create(ctx, ctx.params, {
        facts: (one: Workspace) => [WorkspaceMade.fact(one.id, told(one, ctx))],
      });
      await tellGraph(this, { ...made, what: "workspace" });
      return made;
    },
  }),

  "workspaces.get": endpoint({
    rest: "GET /workspaces/:id",
    summary: "Show one graph workspace",
    permit: "signed-in",
    within: reading,
    ...onWorkspace,
    returns: data(Workspace.view),
    handler: (_ctx, workspace) => workspace,
  }),

  "workspaces.update": endpoint({
    rest: "PUT /workspaces/:id",
    summary: "Change a graph workspace",
    permit: "signed-in",
    within: editing,
    ...onWorkspace,
    body: Workspace.change,
    returns: data(Workspace.view),
    async handler(ctx, workspace) {
      await demandNameable(this, ctx, { ...workspace, ...ctx.params }, workspace);
      const changed = await this.store(Workspace).revise(ctx, workspace, ctx.params);
      await tellGraph(this, { ...changed, what: "workspace" });
      return changed;
    },
  }),

  "workspaces.remove": endpoint({
    rest: "DELETE /workspaces/:id",
    summary: "Remove a graph workspace",
    permit: "signed-in",
    within: editing,
    ...onWorkspace,
    returns: nothing(),
    status: 204,
    description: "The graph is not changed.",
    async handler(ctx, workspace) {
      await this.store(Workspace).remove(ctx, workspace, {
        facts: [WorkspaceRemoved.fact(workspace.id, told(workspace, ctx))],
      });
      await tellGraph(this, { ...workspace, what: "workspace" });
      return null;
    },
  }),
};
