import type { Collection } from "../../core/records/documents.ts";
import { removeInSlices, retain, type Keeping } from "../../core/records/keeping/retention.ts";
import { allServices } from "../../services/index.ts";
import { Activity } from "../../services/workspace/problem-sets/activity/activity.ts";
import { Notification } from "../../services/workspace/problem-sets/activity/subscriptions.ts";
import { world, type TestWorld } from "../mesh.ts";

const DAY_MS = 86_400_000;
let at: TestWorld;
beforeAll(async () => {
  at = await world({ NOTIFICATION_DAYS: "90" });
});
afterAll(() => at.stop());

const ago = (days: number): string => new Date(at.clock.now() - days * DAY_MS).toISOString();
const of = (service: string, entity: { collection: string }): Promise<Collection> =>
  at.commons(service).world.documents.collection(entity.collection);

/** What a service says it keeps, and the service itself. */
async function keeping(name: string): Promise<{ host: Parameters<typeof retain>[0]; keeps: Keeping[] }> {
  const { service } = (await allServices()).find((one) => one.service.name === name)!;
  const keeps = (service.mixins ?? []).flatMap(
    (layer) => (layer as { domain?: { keeps?: Keeping[] } }).domain?.keeps ?? [],
  );
  return { host: at.service(name) as never, keeps };
}

it("old notifications go, in slices; what is still to be told, has an untold fact, or is younger stays, and so does activity", async () => {
  const notifications = await of("problem-sets", Notification),
    activity = await of("problem-sets", Activity);
  const line = (id: string, days: number, more: object = {}) => ({
    _id: id,
    rev: 1,
    problemSetId: "alpha",
    compartments: [],
    userId: "ann",
    subscriptionId: "s",
    activityId: "a",
    kind: "gate.submitted",
    summary: "x",
    at: ago(days),
    channel: "in-app",
    status: "told",
    attempts: 0,
    since: ago(days),
    read: false,
    createdAt: ago(days),
    updatedAt: ago(days),
    createdBy: "ann",
    ...more,
  });
  await notifications.insertMany([
    ...Array.from({ length: 1_200 }, (_, n) => line(`old-${n}`, 91 + n / 100)),
    line("young", 89),
    line("due", 200, { status: "due", dueAt: "9999-01-01T00:00:00.000Z" }),
    line("untold", 200, { _pendingSince: ago(0) }),
  ]);
  await activity.insert(line("long-ago", 3_000));
  const sizes: number[] = [];
  const { removeMany } = notifications;
  notifications.removeMany = async (query) => {
    const gone = await removeMany.call(notifications, query);
    sizes.push(gone);
    return gone;
  };
  const { host, keeps } = await keeping("problem-sets");
  expect(keeps.map(({ entity }) => entity.name)).toEqual([Notification.name, Activity.name]);
  await retain(host, keeps);
  Reflect.deleteProperty(notifications, "removeMany");
  expect((await notifications.find({ sort: ["_id"] })).map(({ _id }) => _id)).toEqual(["due", "untold", "young"]);
  expect(sizes).toEqual([500, 500, 200]);
  expect(await activity.count()).toBe(1);
});

it("deliveries that ended go after their time, one under way never", async () => {
  const { host, keeps } = await keeping("webhooks");
  const deliveries = await of("webhooks", keeps[0]!.entity);
  await deliveries.insertMany(
    ["pending", "delivered", "dead"].map((status) => ({ _id: status, status, createdAt: ago(91) })),
  );
  await retain(host, keeps);
  expect((await deliveries.find()).map(({ _id }) => _id)).toEqual(["pending"]);
});

it("what passed by itself goes in slices too, and what ceased to fit meanwhile stays", async () => {
  const answers = await at.mesh.world.documents.collection("idempotency", { indexes: [{ fields: ["expiresAt"] }] });
  await answers.insertMany(
    Array.from({ length: 501 }, (_, n) => ({ _id: `old-${String(n).padStart(3, "0")}`, expiresAt: ago(2) })),
  );
  const { find } = answers;
  let asked = 0;
  answers.find = async (given) => {
    const found = await find.call(answers, given);
    if (asked++ === 0) await answers.updateById("old-007", { $set: { expiresAt: ago(-1) } });
    return found;
  };
  expect(await removeInSlices(answers, { expiresAt: { $lte: ago(0) } }, "expiresAt")).toBe(500);
  Reflect.deleteProperty(answers, "find");
  expect(asked).toBe(2);
  expect(await answers.count({ query: { _id: "old-007" } })).toBe(1);
});

it("sessions that came to their end go all in one turn, however many", async () => {
  const sessions = await at.mesh.world.documents.collection("sessions");
  await sessions.insertMany(
    Array.from({ length: 1_100 }, (_, n) => ({
      _id: `gone-${n}`,
      userId: `u${n % 3}`,
      kind: "token",
      endsAt: ago(1),
      seenAt: ago(2),
      createdAt: ago(2),
    })),
  );
  const { forgetSessions } = await import("../../services/identity/auth/sessions/sessions.actions.ts");
  await forgetSessions(at.service("auth") as never);
  expect(await sessions.count({ query: { endsAt: { $lte: ago(0) } } })).toBe(0);
});
