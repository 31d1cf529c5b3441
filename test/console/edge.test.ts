import type { Page } from "playwright-core";
import { basesOf, dotsOf } from "../../core/sync/merge.ts";
import { Device } from "../picture/edge-device.ts";
import { admit, as, openSet, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { browserOf, button } from "./people.ts";

// Edge nodes in the console: what two devices changed apart is decided by a person, and a lost device is revoked.

inChromium("edge nodes in the console", () => {
  let desk: ConsoleWorld;
  let page: Page;
  let ann: Person;
  let set: string;
  let one: Device, other: Device;

  beforeAll(async () => {
    desk = await consoleWorld();
    [page, ann] = await browserOf(desk, "Ann");
    set = await openSet(desk.at, ann, { name: "Flood" });
    const node = (name: string) => new Device(desk.at, ann).enrol({ name, problemSetIds: [set] });
    [one, other] = [await node("Boat"), await node("Truck tablet")];
  });
  afterAll(() => desk.stop());

  const resource = async (name: string): Promise<string> =>
    (await as(desk.at, ann)("POST", "/api/resources", { problemSetId: set, name })).body.data.id;
  const say = (by: Device, id: string, value: string) =>
    by.push({
      ...{ entity: "resource" as const, id, op: "set" as const, field: "description", value },
      bases: basesOf(by.state(id), "description"),
    });

  it("shows one's nodes, and what two of them changed apart as it comes", async () => {
    const bridge = await resource("Bridge");
    await Promise.all([one.pull(), other.pull()]);
    await page.goto(`/picture/edge?set=${set}`);
    await page.getByText("Nothing waits").waitFor();
    await page.getByRole("row", { name: /^Boat active Flood/ }).waitFor();
    await sound(page);
    await say(one, bridge, "North is blocked.");
    await say(other, bridge, "South is blocked.");
    const values = page.getByRole("table", { name: "Bridge: description" });
    await values.getByRole("row", { name: /^North is blocked\. Boat/ }).waitFor();
    await values.getByRole("row", { name: /^South is blocked\. Truck tablet/ }).waitFor();
    await sound(page);
  });

  it("shows it to somebody who may only read, and lets nobody decide who may not", async () => {
    const [watcher, who] = await browserOf(desk, "Wanda");
    await admit(desk.at, set, who, "observer");
    await watcher.goto(`/picture/edge?set=${set}`);
    await watcher.getByText("Whoever may change a resource here decides.").waitFor();
    expect(await watcher.getByRole("button", { name: /^This holds/ }).count()).toBe(0);
    const [stranger] = await browserOf(desk, "Stan");
    await stranger.goto("/picture/edge?set=everybody");
    await stranger.getByText("Nothing waits").waitFor();
    await stranger.getByText("No device carries the picture along yet.").waitFor();
    await Promise.all([watcher.context().close(), stranger.context().close()]);
  });

  it("lets a person say which value holds, and both devices hear of it", async () => {
    await button(page, "This holds: North is blocked.").click();
    await page.getByText("Bridge: the description is decided.").waitFor();
    await page.getByText("Nothing waits").waitFor();
    await Promise.all([one.pull(), other.pull()]);
    expect(one.held).toEqual(other.held);
  });

  it("asks whether what was removed here and changed there comes back", async () => {
    const pump = await resource("Pump");
    await Promise.all([one.pull(), other.pull()]);
    await say(one, pump, "Repaired.");
    await other.push({ entity: "resource", id: pump, op: "delete", bases: dotsOf(other.state(pump)) });
    await page.getByText("Somebody removed it who had not seen these changes.").waitFor();
    await sound(page);
    await button(page, "Bring it back: Pump").click();
    await page.getByText("Nothing waits").waitFor();
    expect((await as(desk.at, ann)("GET", `/api/resources/${pump}`)).body.data).toMatchObject({
      description: "Repaired.",
    });
  });

  it("revokes a device that was lost, of which nothing is taken from then on", async () => {
    await button(page, "Revoke: Boat").click();
    await sound(page);
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("row", { name: /^Boat revoked/ }).waitFor();
    expect((await one.ask()).status).toBe(403);
  });
});
