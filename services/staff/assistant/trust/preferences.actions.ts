import { personOf } from "../../../../core/access/access.ts";
import { iso } from "../../../../core/clock.ts";
import { list, nothing } from "../../../../core/contract/answer.ts";
import { endpoint } from "../../../../core/contract/endpoint.ts";
import { notFound } from "../../../../core/problem.ts";
import { paging, TextId } from "../../../../core/records/entity.ts";
import { isOn, Preference, PreferenceView } from "./preferences.ts";

export const preferenceActions = {
  "trustPreferences.list": endpoint({
    rest: "GET /trust-preferences",
    summary: "List your trust preferences for the assistant",
    permit: "signed-in",
    query: paging,
    returns: list(PreferenceView),
    description:
      "Each preference approves on your behalf what the gate would leave to a person: acts of one tool " +
      "in one problem set, within your own authority. It ends when it expires (30 days), when you lose " +
      "your role there, and when the assistant or the tool gets another version.",
    async handler(ctx) {
      const { userId, memberships } = ctx.meta.actor!;
      const page = await this.store(Preference).page(ctx, ctx.params, { by: userId });
      const now = iso(this.world.clock.now());
      const data = page.data.map((one) => ({
        ...one,
        holds: isOn(one, { role: memberships?.[one.problemSetId]?.role, now }),
      }));
      return { ...page, data };
    },
  }),

  "trustPreferences.withdraw": endpoint({
    rest: "DELETE /trust-preferences/:preferenceId",
    summary: "Withdraw a trust preference",
    permit: "signed-in",
    path: { preferenceId: TextId },
    returns: nothing(),
    status: 204,
    description:
      "In force at once: the assistant asks you again before each such act. What it approved before stays done.",
    async handler(ctx) {
      const by = personOf(ctx.meta.actor);
      const found = await this.store(Preference).get(ctx, ctx.params.preferenceId);
      if (found.by !== by) throw notFound(Preference.title, found.id);
      await this.store(Preference).remove(ctx, found);
      return null;
    },
  }),
};
