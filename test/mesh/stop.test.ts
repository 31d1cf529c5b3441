import { world } from "../mesh.ts";

const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

it("a node of a mesh that stopped leaves no timer behind that holds its process", async () => {
  const before = timers();
  const at = await world({}, { options: { transporter: "Fake" } });
  expect((await at.http("GET", "/api/auth/me")).status).toBe(200);
  await at.stop();
  expect(timers()).toBeLessThanOrEqual(before);
});
