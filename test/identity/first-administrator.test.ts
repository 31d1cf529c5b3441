import { systemActor } from "../../core/access/access.ts";
import { PASSWORD, world } from "../mesh.ts";

it("offers one set-up link however often nodes start, until ADMIN_EMAIL makes somebody administrator", async () => {
  const bare = { ADMIN_EMAIL: "", ADMIN_PASSWORD: "" };
  const first = await world(bare);
  const token = await first.call("auth.setupToken", {}, systemActor("test"));
  await first.stop({ keep: true });
  const second = await world({ ...bare, DATA_DIR: first.dataDir });
  expect(await second.call("auth.setupToken", {}, systemActor("test"))).toBe(token);
  await second.stop({ keep: true });
  const named = await world({ DATA_DIR: first.dataDir });
  try {
    expect(await named.call("auth.setupToken", {}, systemActor("test"))).toBeNull();
    const body = { token, email: "late@example.org", password: PASSWORD };
    expect((await named.http("POST", "/api/auth/setup", { as: null, body })).status).toBe(403);
  } finally {
    await named.stop();
  }
});

it("offers a set-up link once where no administrator is named", async () => {
  const fresh = await world({ ADMIN_EMAIL: "", ADMIN_PASSWORD: "" });
  try {
    const token = await fresh.call("auth.setupToken", {}, systemActor("test"));
    const attempt = (given: string) =>
      fresh.http("POST", "/api/auth/setup", {
        as: null,
        body: { token: given, email: "first@example.org", name: "Ilona", password: PASSWORD },
      });
    expect((await attempt("guess")).status).toBe(403);
    const race = await Promise.all(Array.from({ length: 4 }, () => attempt(token)));
    expect(race.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403]);
    const signedIn = await fresh.http("POST", "/api/auth/login", {
      as: null,
      body: { email: "first@example.org", password: PASSWORD },
    });
    expect(signedIn.body.data.user).toMatchObject({ role: "system_admin", name: "Ilona" });
    expect((await fresh.http("GET", "/setup", { as: null })).text).toContain("First administrator");
  } finally {
    await fresh.stop();
  }
});
