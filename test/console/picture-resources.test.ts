import { generateKeyPairSync, sign } from "node:crypto";
import type { Page } from "playwright-core";
import { multibaseOf, readJwk } from "../../core/did/key-encodings.ts";
import { admit, as, openCompartment, openStaffedSet, persons, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";

// What stands on the picture, in the console: resources, sensors, people and devices.

const MINUTE_MS = 60_000;
const ago = (minutes: number): string => new Date(Date.now() - minutes * MINUTE_MS).toISOString();

inChromium("resources and sensors in the console", () => {
  let desk: ConsoleWorld;
  let ann: Person;
  let page: Page;
  let set: string;

  const done = async (method: string, path: string, body?: object) => {
    const reply = await as(desk.at, ann)(method, path, body);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.body.data;
  };

  beforeAll(async () => {
    desk = await consoleWorld();
    [ann] = await persons(desk.at, "ann");
    set = await openStaffedSet(desk.at, ann, {}, { name: "Flood at Hradek" });
    page = await desk.person(ann.email);
  });
  afterAll(async () => {
    await desk.stop();
  });

  it("adds a resource, shows what it measures as it comes, and raises its alarm", async () => {
    await page.goto("/picture/resources");
    await page.getByText("There are no resources yet").waitFor();
    await sound(page);
    await page.getByRole("button", { name: "Add a resource" }).click();
    const dialog = page.getByRole("dialog");
    await sound(page);
    await dialog.getByLabel("Name").fill("Boat 1");
    await dialog.getByLabel("Kind").selectOption("vessel");
    await dialog.getByLabel("Latitude").fill("48.81");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByText("A place needs a latitude and a longitude.").waitFor();
    await dialog.getByLabel("Longitude").fill("17.03");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("heading", { name: "Boat 1", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Add a series" }).click();
    await dialog.getByLabel("What it measures").fill("fuel");
    await dialog.getByLabel("Unit").fill("%");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("button", { name: "Add a threshold" }).click();
    await dialog.getByLabel("Bound").fill("20");
    await dialog.getByLabel("How bad it is").selectOption("critical");
    await sound(page);
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("fuel below 20 %").waitFor();

    const [{ id }] = await done("GET", `/api/resources?problemSetId=${set}`);
    const report = (key: string, value: number, at = ago(0)): Promise<unknown> =>
      done("POST", "/api/resources/telemetry", [{ resourceId: id, key, at, value }]);
    await report("fuel", 64, ago(10));
    await report("fuel", 17);
    await page.locator(".value", { hasText: "17 %" }).waitFor();
    await page.getByRole("region", { name: "1 open alarm" }).getByText("fuel came to 17 %").waitFor();
    // Whoever looks at no map is told as well: on the first page, and in the problem set.
    const elsewhere = await page.context().newPage();
    await elsewhere.goto("/news");
    const unseen = elsewhere.getByRole("region", { name: "1 alarm that nobody has acknowledged" });
    await unseen.getByText(/Boat 1: fuel came to 17 %/).waitFor();
    await elsewhere.goto(`/workspace/${set}`);
    await elsewhere
      .getByRole("region", { name: "1 open alarm" })
      .getByText(/Boat 1: fuel came to 17 %/)
      .waitFor();
    await elsewhere.goto("/news");
    await unseen.waitFor();
    await page.getByRole("button", { name: "Acknowledge the alarm on fuel" }).click();
    await dialog.getByLabel("What is done about it").fill("The tanker comes at noon.");
    await sound(page);
    await dialog.getByRole("button", { name: "Acknowledge", exact: true }).click();
    await page.getByText(/^Seen by .*: The tanker comes at noon\./).waitFor();
    await unseen.waitFor({ state: "detached" });
    await elsewhere.close();
    const byHand = page.getByRole("form", { name: "Report a reading by hand" });
    await byHand.getByLabel("Reading, in %").fill("16,5");
    await byHand.getByRole("button", { name: "Report" }).click();
    await byHand.getByText("fuel is a number: write it like 240.5.").waitFor();
    await page.getByText("2 readings in the last day: from 64 % to 17 %, lowest 17 %, highest 64 %").waitFor();
    await sound(page);
    await page.getByText("Say how ready it is").click();
    await page.getByLabel("It is", { exact: true }).selectOption("limited");
    await page.getByLabel("Why").fill("Little fuel");
    await page.getByRole("button", { name: "Say so" }).click();
    await page.getByText("Little fuel").first().waitFor();
    await page.getByRole("link", { name: "All resources" }).click();
    await page.getByRole("row", { name: /Boat 1.*limited/ }).waitFor();
    // Of all resources together: seen by somebody, it stays open until its readings are well again.
    const alarms = page.getByRole("region", { name: "1 open alarm" });
    await alarms.getByText(/Boat 1.*: fuel came to 17 %/).waitFor();
    await alarms.getByText(/^Seen by .*: The tanker comes at noon\./).waitFor();
    await alarms.getByRole("button", { name: /^Acknowledge/ }).waitFor({ state: "detached" });
    await sound(page);
    // While somebody looks on, what is raised is said, first of all that nobody has seen, and what is over goes.
    const pump = await done("POST", "/api/resources", {
      ...{ problemSetId: set, name: "Pump 3", series: [{ key: "flow", unit: "m3/h" }] },
      thresholds: [{ id: "low", key: "flow", when: "below", raise: 40 }],
    });
    await done("POST", "/api/resources/telemetry", [{ resourceId: pump.id, key: "flow", at: ago(1), value: 12 }]);
    await page.getByText("Pump 3: flow came to 12 m³/h").first().waitFor();
    const two = page.getByRole("region", { name: "2 open alarms" });
    await two.getByRole("listitem").first().getByRole("link", { name: "Pump 3" }).waitFor();
    await two.getByRole("button", { name: "Acknowledge: Pump 3, flow" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Acknowledge", exact: true }).click();
    await two
      .getByText(/^Seen by /)
      .nth(1)
      .waitFor();
    await report("fuel", 80, new Date().toISOString());
    await page.getByRole("region", { name: "1 open alarm" }).waitFor();
    await page.getByText("What is over").click();
    await page.getByRole("link", { name: "Boat 1" }).first().waitFor();
    await sound(page);
    // The watch on the map sees it too.
    await page.getByRole("link", { name: "Map" }).click();
    await page.getByRole("region", { name: "1 open alarm" }).getByRole("link", { name: "Pump 3" }).waitFor();
    await page.getByRole("link", { name: "Resources" }).click();
  });

  it("registers a resource under an identifier of one's own, or under one whose key its holder shows to have", async () => {
    const register = async (name: string) => {
      const { id } = await done("POST", "/api/resources", { problemSetId: set, name, kind: "equipment" });
      await page.goto(`/picture/resources/${id}`);
      await page.getByRole("button", { name: "Register under an identifier" }).click();
      return page.getByRole("dialog", { name: `Register ${name}` });
    };
    const own = await register("Radio 1");
    await sound(page);
    await own.getByRole("button", { name: "Register", exact: true }).click();
    await page.getByText(ann.did, { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Register under an identifier" }).count()).toBe(0);

    const other = await register("Radio 2");
    await other.getByRole("button", { name: "Register", exact: true }).click();
    await other.getByText("Another resource").waitFor();
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const did = `did:key:${multibaseOf(readJwk(publicKey.export({ format: "jwk" }) as Record<string, unknown>)!)}`;
    await other.getByLabel("Identifier").selectOption({ label: "another one, whose key I hold" });
    await other.getByLabel("Which one").fill(did);
    await other.getByRole("button", { name: "Prove that it is mine" }).click();
    const message = await other.getByLabel("What you sign").inputValue();
    await sound(page);
    await other
      .getByLabel("Signature")
      .fill(sign(null, Buffer.from("something else"), privateKey).toString("base64url"));
    await other.getByRole("button", { name: "Register", exact: true }).click();
    await other.locator(".fault").waitFor();
    await other.getByRole("button", { name: "Close" }).click();
    const again = await register("Radio 3");
    await again.getByLabel("Identifier").selectOption({ label: "another one, whose key I hold" });
    await again.getByLabel("Which one").fill(did);
    await again.getByRole("button", { name: "Prove that it is mine" }).click();
    const fresh = await again.getByLabel("What you sign").inputValue();
    expect(fresh).not.toBe(message);
    await again.getByLabel("Signature").fill(sign(null, Buffer.from(fresh), privateKey).toString("base64url"));
    await again.getByRole("button", { name: "Register", exact: true }).click();
    await page.getByText(did, { exact: true }).waitFor();
    await page.getByRole("link", { name: "All resources" }).click();
  });

  it("enrols a sensor, and lists people and devices", async () => {
    await page.getByRole("link", { name: "Sensors" }).click();
    await page.getByText("No sensor is enrolled yet").waitFor();
    await page.getByRole("button", { name: "Enrol a sensor" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Mast at the mill");
    await dialog.getByLabel("It covers").selectOption("sector");
    await dialog.getByLabel("How far, in metres").fill("3000");
    await dialog.getByLabel("From, in degrees").fill("180");
    await sound(page);
    await dialog.getByRole("button", { name: "Enrol", exact: true }).click();
    await page.getByText("3 km towards the south-west (90° wide)").waitFor();
    await page.getByRole("button", { name: "It works badly" }).click();
    await page.getByText("degraded", { exact: true }).waitFor();
    await sound(page);
    await page.getByRole("link", { name: "All sensors" }).click();
    await page.getByRole("row", { name: /Mast at the mill.*degraded/ }).waitFor();
    await sound(page);
    await page.getByRole("link", { name: "Personnel" }).click();
    await page.getByRole("button", { name: "Add a person" }).click();
    await dialog.getByLabel("Name").fill("Petr Novak");
    await dialog.getByLabel("Skills").fill("diver, driver");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("row", { name: /Petr Novak.*available.*diver, driver/ }).waitFor();
    await sound(page);
    await page.getByRole("link", { name: "Devices" }).click();
    await page.getByText("No device was seen.").waitFor();
    await sound(page);
  });

  it("keeps what is put into a compartment from those who are not read in, on the map as in the lists", async () => {
    const [bob, cleo] = await persons(desk.at, "bob", "cleo");
    await admit(desk.at, set, bob, "deputy");
    await admit(desk.at, set, cleo, "observer");
    await openCompartment(desk.at, set, bob, "Sources", ann);
    const only = "Only those read into Sources";
    await page.goto(`/picture/resources?set=${set}`);
    await page.getByRole("button", { name: "Add a resource" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Safe house");
    await dialog.getByLabel("Who sees it").selectOption({ label: only });
    await sound(page);
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("heading", { name: "Safe house", level: 1 }).waitFor();
    await page.getByText("only for: Sources").waitFor();
    await page.getByRole("link", { name: "All resources" }).click();
    await page.getByRole("row", { name: /^Safe house only for: Sources/ }).waitFor();
    await sound(page);

    await page.getByRole("link", { name: "Sensors" }).click();
    await page.getByRole("button", { name: "Enrol a sensor" }).click();
    await dialog.getByLabel("Name").fill("Hidden microphone");
    await dialog.getByLabel("Who sees it").selectOption({ label: only });
    await dialog.getByRole("button", { name: "Enrol", exact: true }).click();
    await page.getByText("only for: Sources").waitFor();

    await page.getByRole("link", { name: "All sensors" }).click();
    await page.getByRole("link", { name: "Personnel" }).click();
    await page.getByRole("button", { name: "Add a person" }).click();
    await dialog.getByLabel("Name").fill("Kestrel");
    await dialog.getByLabel("Who sees it").selectOption({ label: only });
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("row", { name: /^Kestrel only for: Sources/ }).waitFor();

    await page.getByRole("link", { name: "Map" }).click();
    await page.getByRole("button", { name: "Draw a point" }).click();
    await page.getByLabel("Place").fill("48.81, 17.03");
    await page.getByLabel("Name of the new drawing").fill("Meetings");
    await page.getByLabel("Who sees it").selectOption({ label: only });
    await page.getByLabel("Name", { exact: true }).fill("Mill at night");
    await sound(page);
    await page.getByRole("button", { name: "Add it" }).click();
    await page.getByRole("listitem").filter({ hasText: "Meetings" }).getByText("only for: Sources").waitFor();
    await sound(page);

    const outside = await desk.person(cleo.email);
    for (const [part, shown] of [
      ["resources", "Pump 3"],
      ["sensors", "Mast at the mill"],
      ["personnel", "Petr Novak"],
    ] as const) {
      await outside.goto(`/picture/${part}?set=${set}`);
      await outside.getByRole("row", { name: new RegExp(`^${shown}`) }).waitFor();
      expect(await outside.locator("main").innerText()).not.toMatch(/Safe house|Hidden microphone|Kestrel|Sources/);
    }
    await outside.goto(`/picture?set=${set}`);
    await outside.getByText("There are no layers yet.").waitFor();
    expect(await outside.locator("main").innerText()).not.toMatch(/Meetings|Mill at night|Safe house|Sources/);
  });
});
