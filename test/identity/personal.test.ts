import { ERASE, holders } from "../../core/records/keeping/personal-data.ts";
import { systemActor } from "../../core/access/access.ts";
import { PasskeyAdded } from "../../services/identity/auth/events.ts";
import { allServices } from "../../services/index.ts";
import { authenticatorAt } from "./authenticator.ts";
import { Browser } from "./browser.ts";
import { eventually, PASSWORD, world, type TestWorld } from "../mesh.ts";

const heard: string[] = [];
let away = true;
/** Another domain of the mesh, which is away for a while and hears when a person is gone. */
const library = async () => {
  const { domain } = await import("../../mixins/domain.mixin.ts");
  const { on } = await import("../../core/events/event.ts");
  const { PersonErased } = await import("../../services/identity/user-profile/erasures.ts");
  const lent = new Map<string, string[]>();
  return {
    lent,
    service: {
      name: "library",
      settings: { rest: "/library" },
      mixins: [
        domain({
          hears: [
            on(PersonErased, ({ userId }) => {
              heard.push(userId);
            }),
          ],
          personal: [
            {
              what: "Books on loan",
              gather: async (userId: string) => lent.get(userId) ?? [],
              erase: async (userId: string) => {
                if (away) throw new Error("the library is closed");
                lent.delete(userId);
              },
            },
          ],
        }),
      ],
    },
  };
};

let at: TestWorld, books: Awaited<ReturnType<typeof library>>;
beforeAll(async () => {
  books = await library();
  at = await world({}, { extra: [books.service] });
});
afterAll(() => at.stop());

let count = 0;
async function somebody(): Promise<{ email: string; token: string; userId: string }> {
  const email = `person${++count}@example.org`;
  const { id } = (
    await at.http("POST", "/api/auth/users", { body: { email, name: "Ada", role: "analyst", password: PASSWORD } })
  ).body.data;
  const token = (await at.http("POST", "/api/auth/login", { as: null, body: { email, password: PASSWORD } })).body.data
    .token;
  return { email, token, userId: id };
}

it("hands a person everything that is held about them, from every domain, and no secret and nobody else's", async () => {
  const [ada, eve] = [await somebody(), await somebody()];
  for (const { token, email } of [ada, eve]) {
    await at.http("POST", "/api/user-profile", { as: token, body: { displayName: `Name of ${email}` } });
    await at.http("POST", "/api/keys", { as: token, body: { name: `key of ${email}` } });
    await at.http("PUT", "/api/user-mode", { as: token, body: { mode: "training" } });
  }
  books.lent.set(ada.userId, ["The Art of War"]);
  const reply = await at.http("GET", "/api/user-profile/export", { as: ada.token });
  const { holdings } = reply.body.data;
  expect(reply.headers.get("content-disposition")).toContain("attachment");
  expect(holdings).toMatchObject({
    auth: {
      Account: [expect.objectContaining({ email: ada.email })],
      Sessions: [expect.objectContaining({ userId: ada.userId })],
    },
    keys: { "API keys": [expect.objectContaining({ name: `key of ${ada.email}` })] },
    library: { "Books on loan": ["The Art of War"] },
    "user-mode": { Mode: [expect.objectContaining({ mode: "training" })] },
    "user-profile": { Profile: [expect.objectContaining({ displayName: `Name of ${ada.email}` })] },
  });
  expect(reply.text).not.toContain(eve.email);
  expect(reply.text).not.toMatch(/passwordHash|argon2|"hash"/);
  const { key } = (await at.http("POST", "/api/keys", { as: ada.token, body: { name: "k" } })).body.data;
  expect((await at.http("GET", "/api/user-profile/export", { as: null, headers: { "x-api-key": key } })).status).toBe(
    403,
  );
});

it("lets nobody gather for another, and nobody but the mesh erase", async () => {
  const ada = await somebody();
  const actor = { userId: "somebody-else", roles: [], via: "jwt", permits: ["*"] } as const;
  await expect(at.call("auth.personal:gather", { userId: ada.userId }, actor)).rejects.toThrow(/somebody else/);
  await expect(at.call(`auth.${ERASE}`, { userId: ada.userId }, actor)).rejects.toThrow(/Only the mesh/);
});

it("closes the account at once and erases over outages; others hear of it; the audit log stays verifiable", async () => {
  const ada = await somebody();
  await at.http("POST", "/api/user-profile", { as: ada.token, body: { displayName: "Ada Lovelace" } });
  const { key } = (await at.http("POST", "/api/keys", { as: ada.token, body: { name: "k" } })).body.data;
  books.lent.set(ada.userId, ["The Art of War"]);
  expect((await at.http("POST", "/api/auth/magic-link", { as: null, body: { email: ada.email } })).status).toBe(202);
  expect(
    (await at.http("POST", "/api/user-profile/erasure", { as: ada.token, body: { email: "wrong@example.org" } })).body
      .error.details[0].path,
  ).toBe("email");
  at.clock.advance(6 * 60_000);
  expect(
    (await at.http("POST", "/api/user-profile/erasure", { as: ada.token, body: { email: ada.email } })).body.error.code,
  ).toBe("STEP_UP_REQUIRED");
  const { token } = (
    await at.http("POST", "/api/auth/login", { as: null, body: { email: ada.email, password: PASSWORD } })
  ).body.data;
  expect(await at.http("POST", "/api/user-profile/erasure", { as: token, body: { email: ada.email } })).toMatchObject({
    status: 202,
    body: { data: { status: "requested" } },
  });

  for (const as of [ada.token, token]) expect((await at.http("GET", "/api/user-profile", { as })).status).toBe(401);
  expect((await at.http("GET", "/api/user-profile", { as: null, headers: { "x-api-key": key } })).status).toBe(401);
  // The library fails: the job is tried again, and does not count as done meanwhile.
  await eventually(
    async () => (await at.http("GET", "/api/jobs?kind=user-profile.erase")).body.data[0],
    (job) => job?.attempts >= 1 && job.error,
  );
  expect(heard).toEqual([]);
  away = false;
  await eventually(
    () => {
      at.clock.advance(60_000);
      return heard;
    },
    (ids) => ids.includes(ada.userId),
  );
  expect(books.lent.has(ada.userId)).toBe(false);

  const left = await Promise.all(
    ["users", "sessions", "passkeys", "api_keys", "user_profiles", "user_modes", "jobs", "mailed_links"].map(
      async (name) =>
        (await (await at.mesh.world.documents.collection(name)).find({ query: {} })).filter(
          (doc) => JSON.stringify(doc).includes(ada.email) || doc._id === ada.userId || doc["userId"] === ada.userId,
        ),
    ),
  );
  expect(left.flat()).toEqual([]);
  expect((await at.http("GET", "/api/audit/verify")).body.data).toMatchObject({ ok: true });
  // The address is free again.
  expect((await at.http("POST", "/api/auth/users", { body: { email: ada.email, password: PASSWORD } })).status).toBe(
    201,
  );
});

it("a passkey that others were not told of yet goes with its word: the API keys' service hears it, and no letter is written to who is being erased", async () => {
  const ada = await somebody();
  const passkeys = await at.commons("auth").world.documents.collection("passkeys");
  const at0 = new Date(at.clock.now()).toISOString();
  const fact = (forgetOthers: boolean) => ({
    ...PasskeyAdded.fact("late", { userId: ada.userId, passkeyId: "late", how: "recovered", forgetOthers }),
    time: at0,
  });
  await passkeys.insert({
    _id: "late",
    userId: ada.userId,
    name: "late",
    rev: 1,
    createdAt: at0,
    updatedAt: at0,
    createdBy: ada.userId,
    _pending: [fact(true)],
    _pendingSince: at0,
  });
  const told: unknown[] = [];
  const outbox = at.commons("auth").outbox as unknown as { announceRemoval: (...given: unknown[]) => Promise<void> };
  const { announceRemoval } = outbox;
  outbox.announceRemoval = (...given) => {
    told.push(given[2]);
    return announceRemoval.apply(outbox, given);
  };
  await at.call("auth.close", { userId: ada.userId }, systemActor("erasure"));
  await at.call(`auth.${ERASE}`, { userId: ada.userId }, systemActor("erasure"));
  Reflect.deleteProperty(outbox, "announceRemoval");
  expect(told).toEqual([[expect.objectContaining({ type: PasskeyAdded.name })]]);
  await at.commons("auth").outbox.settle();
  const announced = await at.commons("auth").world.documents.collection("outbox");
  await eventually(
    () => {
      at.clock.advance(6_000);
      return announced.count();
    },
    (count) => count === 0,
  );
  const jobs = await (await at.mesh.world.documents.collection("jobs")).find({});
  expect(jobs.filter((job) => JSON.stringify(job).includes(ada.email))).toEqual([]);
});

it("is for whoever never confirmed an address too", async () => {
  const browser = new Browser(at);
  const authenticator = authenticatorAt(at);
  const { body } = await browser.http("POST", "/api/auth/register", { body: { email: "never.confirmed@example.org" } });
  const { id } = (await browser.http("POST", "/api/auth/register/verify", { body: authenticator.create(body.data) }))
    .body.data.user;
  expect(
    (await browser.http("POST", "/api/user-profile/erasure", { body: { email: "another@example.org" } })).status,
  ).toBe(400);
  expect(
    (await browser.http("POST", "/api/user-profile/erasure", { body: { email: "never.confirmed@example.org" } }))
      .status,
  ).toBe(202);
  const named = async () =>
    (
      await Promise.all(
        ["users", "jobs", "mailed_links", "passkeys"].map(async (name) =>
          (await (await at.mesh.world.documents.collection(name)).find({})).filter(
            (doc) => JSON.stringify(doc).includes("never.confirmed") || doc["userId"] === id,
          ),
        ),
      )
    ).flat();
  await eventually(
    () => {
      at.clock.advance(60_000);
      return named();
    },
    (left) => left.length === 0,
  );
});

it("keeps the last system administrator", async () => {
  const reply = await at.http("POST", "/api/auth/login", {
    as: null,
    body: { email: "admin@example.org", password: PASSWORD },
  });
  expect(
    (
      await at.http("POST", "/api/user-profile/erasure", {
        as: reply.body.data.token,
        body: { email: "admin@example.org" },
      })
    ).status,
  ).toBe(409);
  expect((await at.http("GET", "/api/auth/me", { as: reply.body.data.token })).status).toBe(200);
});

it("knows of every service whose entities name a person by `userId`", async () => {
  const services = (await allServices()).map(({ service }) => service);
  const naming = services.filter(({ mixins = [] }) =>
    mixins.some((layer) => (layer as any).domain?.entities?.some((entity: any) => "userId" in entity.record.shape)),
  );
  expect(naming.map(({ name }) => name).filter((name) => !holders(services).includes(name))).toEqual([]);
  await expect(at.call("auth.person", { userId: "nobody" }, systemActor("test"))).resolves.toBeNull();
});

it("knows of every decision that names who made it", async () => {
  const parts = (await allServices()).flatMap(({ service: { mixins = [] } }) =>
    mixins.map((layer) => (layer as any).domain ?? {}),
  );
  const decisions = parts.flatMap(({ entities = [], personal = [] }) => {
    const held = personal.filter(({ by }: any) => by === "decidedBy").map(({ entity }: any) => entity.collection);
    return entities.map(({ record, collection }: any) => ({ collection, shape: record.shape, held }));
  });
  const unheld = decisions.filter(({ shape, collection, held }) => "decidedBy" in shape && !held.includes(collection));
  expect(unheld.map(({ collection }) => collection)).toEqual([]);
});
