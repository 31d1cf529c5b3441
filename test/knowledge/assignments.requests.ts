import { stored, type TestWorld } from "../mesh.ts";
import type { Place, Planted, Rows } from "../requests.ts";
import { desk, made } from "../workspace/desk.ts";

export const requests: Rows["requests"] = {
  "POST /api/strategic/assignments": async (at) => {
    const { commander, deputy, id } = await desk(at);
    const container = await made(at, "POST", `/api/strategic/environments/${id}/containers`, { name: "To tidy" });
    const subject = { problemSetId: id, subjectKind: "container", subjectId: container.id };
    return {
      path: "/api/strategic/assignments",
      as: commander.token,
      body: { title: "Row", ...subject, assigneeId: deputy.userId },
      effect: stored("strategic_assignments"),
    };
  },
};

export async function plant(at: TestWorld, { problemSetId, compartments, by, text }: Place): Promise<Planted> {
  const path = `/api/strategic/environments/${problemSetId}/containers`;
  const container = await made(at, "POST", path, { name: `${text} to tidy`, compartments }, by);
  const about = { problemSetId, compartments, subjectKind: "container", subjectId: container.id };
  const dueAt = "2020-01-01T00:00:00.000Z";
  const fields = { ...about, assigneeId: by.userId, title: text, description: text, dueAt };
  return { "/api/strategic/assignments/:id": (await made(at, "POST", "/api/strategic/assignments", fields, by)).id };
}
