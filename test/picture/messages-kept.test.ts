import type { EmbeddedCollection } from "../../adapters/documents/sqlite/collection.ts";
import type { Query } from "../../core/records/documents.ts";
import type { DomainParts } from "../../core/contract/endpoint.ts";
import { retain } from "../../core/records/keeping/retention.ts";
import { systemActor } from "../../core/access/access.ts";
import { Message } from "../../services/picture/messages/messages.ts";
import { everywhere } from "../../services/picture/messages/place.ts";
import service from "../../services/picture/messages/messages.service.ts";
import { eventually, world, type TestWorld } from "../mesh.ts";
import { openSet, person, type Person } from "../workspace/people.ts";
import { inChannel, take } from "./bus-setup.ts";

let other: TestWorld;
let dan: Person;
beforeAll(async () => {
  other = await world({ MESSAGE_DAYS: "1" });
  dan = await person(other, "dan");
});
afterAll(() => other.stop());

it("a stream that would begin before what is kept says so, and the numbers go on when nothing is left", async () => {
  const line = inChannel(other, "short", { problemSetId: await openSet(other, dan) });
  for (let n = 0; n < 3; n++) await line.publish(dan);
  const { digest } = await line.shown(dan);
  other.clock.advance(86_400_000 + 60_000);
  const messages = await other.mesh.world.documents.collection("messages");
  await retain(
    other.service("messages"),
    service.mixins.flatMap((layer) => (layer as { domain: DomainParts }).domain.keeps!),
  );
  await eventually(
    () => messages.count(),
    (count) => count === 0,
  );
  expect(await line.shown(dan)).toMatchObject({ sequence: 3, digest });
  const open = line.stream(dan, 0);
  expect((await take(open, 1))[0]).toMatchObject({ event: "message.trimmed", id: "3", data: { from: 4 } });
  expect((await line.publish(dan)).body.data.sequence).toBe(4);
  expect((await take(open, 1))[0]).toMatchObject({ event: "message.published", id: "4" });
  await open.return(undefined);
});

/** Plans are the embedded engine's; MongoDB is given the same indexes. */
const onEmbedded = process.env["MONGO_URL"] ? describe.skip : describe;

onEmbedded("indexes", () => {
  const member = {
    userId: "u",
    roles: [],
    via: "jwt" as const,
    permits: [],
    memberships: { set: { role: "deputy", permits: ["*"], compartments: ["red"] } },
  };
  const planOf = async (query: Query, sort: string[], who: object = member): Promise<string[]> => {
    const store = other.service("messages").store(Message);
    return ((await other.mesh.world.documents.collection("messages")) as EmbeddedCollection).plan({
      query: store.within({ meta: { actor: who } }, query),
      sort,
      limit: 20,
    });
  };
  // A list of which the index has no stretch is read by nothing at all.
  const reads = (plan: readonly string[]): boolean =>
    plan.length === 0 ||
    (plan.some((step) => /USING (COVERING )?INDEX/.test(step)) &&
      !plan.some((step) => /TEMP B-TREE FOR ORDER|SCAN d$/.test(step)));

  it("messages that I see are read place by place, each in order from an index", async () => {
    for (const query of everywhere({ ...member, limits: undefined } as never, {})) {
      const plan = await planOf(query, ["-createdAt"]);
      expect([query, plan, reads(plan)]).toEqual([query, plan, true]);
    }
  });

  it.each<[string, Query, string[], object?]>([
    ["of a problem set", { problemSetId: "set" }, ["-createdAt"]],
    ["of a source", { source: "did:a" }, ["-createdAt"]],
    ["for somebody", { destination: "did:a" }, ["-createdAt"]],
    ["of a type", { type: "a.b" }, ["-createdAt"]],
    ["of a thread", { correlationId: "c" }, ["createdAt"]],
    ["of a channel by name", { problemSetId: "set", channel: "c" }, ["-createdAt"]],
    ["after a number", { channelId: "c", sequence: { $gt: 5 } }, ["sequence"], systemActor("test")],
    ["last in a channel", { channelId: "c" }, ["-sequence"], systemActor("test")],
  ])("messages %s are read in order from an index", async (...[, query, sort, who]) => {
    const plan = await planOf(query, sort, who);
    expect([plan, reads(plan)]).toEqual([plan, true]);
  });
});
