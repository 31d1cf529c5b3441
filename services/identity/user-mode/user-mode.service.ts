import { z } from "zod";
import { personOf } from "../../../core/access/access.ts";
import { bare, data } from "../../../core/contract/answer.ts";
import { asSystem, type Ctx } from "../../../core/access/caller.ts";
import { endpoint, type Host, type MeshService } from "../../../core/contract/endpoint.ts";
import { TextId } from "../../../core/records/entity.ts";
import { domain } from "../../../mixins/domain.mixin.ts";
import { AccessChanged } from "../auth/events.ts";
import { Mode, ModeView, modeView } from "./modes.ts";

export default {
  name: "user-mode",
  metadata: { description: "Switching between training and operations." },
  settings: { rest: "/user-mode" },
  mixins: [domain({ entities: [Mode], personal: [{ what: "Mode", entity: Mode, by: "id", erasure: "remove" }] })],
  actions: {
    get: endpoint({
      rest: "GET /",
      summary: "Read the mode you work in: training or operational",
      permit: "signed-in",
      returns: data(ModeView),
      description:
        "Operational by default. The mode belongs to the person: it applies to all their sessions, tokens " +
        "and keys.",
      async handler(ctx) {
        return modeView(await modeOf(this, ctx.meta.actor!.userId));
      },
    }),

    set: endpoint({
      rest: "PUT /",
      summary: "Switch between training and operations",
      permit: "signed-in",
      body: { mode: Mode.create.mode },
      returns: data(ModeView),
      example: { mode: "training" },
      description:
        "In force from the next request, and open sockets are re-authenticated. In training you see only " +
        "training problem sets; mail, webhooks, payments and other acts with an external effect are " +
        "simulated and say so. A key cannot switch its owner's mode.",
      errors: { 403: "A key cannot switch its owner's mode." },
      async handler(ctx) {
        const userId = personOf(ctx.meta.actor);
        const kept = await switchTo(this, ctx, userId, ctx.params.mode);
        await AccessChanged.emit(ctx, { userId });
        return modeView(kept);
      },
    }),

    of: endpoint({
      summary: "The mode of a person, null in operations; asked when a credential is recognised",
      permit: "internal",
      body: { userId: TextId },
      returns: bare(z.literal("training").nullable()),
      async handler(ctx) {
        return (await modeOf(this, ctx.params.userId))?.mode === "training" ? "training" : null;
      },
    }),
  },
} satisfies MeshService;

const modeOf = (host: Host, userId: string): Promise<Mode | null> =>
  host.store(Mode).one(asSystem("user-mode"), { _id: userId });

async function switchTo(host: Host, ctx: Ctx<unknown>, userId: string, mode: Mode["mode"]): Promise<Mode> {
  const kept = await modeOf(host, userId);
  if (!kept) return host.store(Mode).create(ctx, { id: userId, mode });
  return kept.mode === mode ? kept : host.store(Mode).revise(ctx, kept, { mode });
}
