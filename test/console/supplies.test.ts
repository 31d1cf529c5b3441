import type { Page } from "playwright-core";
import { admit, as, openStaffedSet, persons, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { button } from "./people.ts";

// What is used up, what goes together, and lists that come in from a file, as a planner keeps them.

const TRUCKS = [
  "externalId;name;kind;latitude;longitude",
  "T-1;Truck 1;vehicle;49,10;17,21",
  "T-2;Truck 2;vehicle;;",
  "T-3;Truck 3;spaceship;49.1;17.2",
  "T-1;Truck 1 again;vehicle;49.1;17.2",
].join("\n");

inChromium("supplies, groups and lists from files in the console", () => {
  let desk: ConsoleWorld;
  let ann: Person, ben: Person;
  let page: Page, other: Page;
  let set: string;

  beforeAll(async () => {
    desk = await consoleWorld();
    [ann, ben] = await persons(desk.at, "ann", "ben");
    set = await openStaffedSet(desk.at, ann, {}, { name: "Flood at Hradek" });
    await admit(desk.at, set, ben, "analyst");
    [page, other] = [await desk.person(ann.email), await desk.person(ben.email)];
  });
  afterAll(() => desk.stop());

  it("brings resources in from a table: it is tried first, and says line by line what is refused", async () => {
    await page.goto(`/picture/resources?set=${set}`);
    await page.getByRole("link", { name: "Bring in from a file" }).click();
    await page.getByText("Only name is needed.").waitFor();
    await sound(page);
    const file = page.getByLabel("File", { exact: true });
    await file.setInputFiles({ name: "x.json", mimeType: "application/json", buffer: Buffer.from('{"a": 1}') });
    await page.getByText("x.json is JSON, but no list of rows.").waitFor();
    await file.setInputFiles({ name: "trucks.csv", mimeType: "text/csv", buffer: Buffer.from(TRUCKS) });
    await page.getByText("It would add 2 and change 0 resources. 2 rows would not be taken:").waitFor();
    await page.getByRole("row", { name: /^3 kind .*T-3;Truck 3;spaceship/ }).waitFor();
    await page.getByRole("row", { name: /^4 externalId Row 1 has the same externalId/ }).waitFor();
    await sound(page);
    await button(page, "Bring in 2 rows").click();
    await page.getByText("It added 2 and changed 0 resources. 2 rows were not taken:").waitFor();
    await page.getByRole("link", { name: "To the list" }).click();
    await page.getByRole("row", { name: /^Truck 1 vehicle .*49\.1/ }).waitFor();
    // The same file again changes what is there, and adds nothing.
    await page.goBack();
    await file.setInputFiles({ name: "trucks.csv", mimeType: "text/csv", buffer: Buffer.from(TRUCKS) });
    await page.getByText("It would add 0 and change 2 resources.").waitFor();
    await page.getByLabel("What it lists").selectOption({ label: "people" });
    const people = JSON.stringify([{ name: "Ada Moreau", skills: ["first aid"] }]);
    await file.setInputFiles({ name: "people.json", mimeType: "application/json", buffer: Buffer.from(people) });
    await page.getByText("It would add 1 and change 0 people. No row is refused.").waitFor();
    await button(page, "Bring in 1 row").click();
    await page.getByRole("link", { name: "To the list" }).click();
    await page.getByRole("row", { name: /^Ada Moreau/ }).waitFor();
    await other.goto(`/picture/resources/import?set=${set}`);
    await other.getByText("Your role here brings nothing in.").waitFor();
  });

  it("counts what is used up, and says what runs short", async () => {
    await page.goto(`/picture/resources?set=${set}`);
    await page.getByRole("link", { name: "Supplies" }).click();
    await page.getByText("Nothing is counted here yet.").waitFor();
    await sound(page);
    await button(page, "Add a supply").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Diesel");
    await dialog.getByLabel("How much there is").fill("500");
    await dialog.getByLabel("Counted in").fill("l");
    await dialog.getByLabel("Short from").fill("100");
    await dialog.getByLabel("Room for").fill("400");
    await dialog.getByLabel("Held by").selectOption({ label: "Truck 1" });
    await sound(page);
    await button(dialog, "Add").click();
    await dialog.getByText("It is more than the capacity.").waitFor();
    await dialog.getByLabel("Room for").fill("1000");
    await button(dialog, "Add").click();
    await page.getByRole("row", { name: /^Diesel 500 l/ }).waitFor();
    await sound(page);
    await other.goto(`/picture/resources/supplies?set=${set}`);
    expect(await button(other, "Change Diesel").count()).toBe(0);
    await button(page, "Count Diesel").click();
    await dialog.getByLabel("How much, in l").fill("600");
    await button(dialog, "Keep").click();
    await dialog.getByText("It leaves less than 0.").waitFor();
    await dialog.getByLabel("How much, in l").fill("420");
    await sound(page);
    await button(dialog, "Keep").click();
    const short = other.getByRole("list", { name: "Runs short" });
    await short.getByText("80 l left").waitFor();
    await short.getByText("It is short from 100 l on.").waitFor();
    await sound(other);
    await button(page, "Remove Diesel").click();
    await button(dialog, "Remove").click();
    await page.getByText("Nothing is counted here yet.").waitFor();
  });

  it("puts resources together in a group, and says how many of them are ready", async () => {
    await page.goto(`/picture/resources/groups?set=${set}`);
    await page.getByText("There is no group yet.").waitFor();
    await sound(page);
    await button(page, "Make a group").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Column north");
    await sound(page);
    await button(dialog, "Make it").click();
    await page.getByText("Nothing that you see belongs to it yet.").waitFor();
    const form = page.getByRole("form", { name: "Add a resource to Column north" });
    for (const name of ["Truck 1", "Truck 2"]) {
      await form.getByLabel("Resource").selectOption({ label: name });
      await button(page, "Add").click();
      await page.getByRole("row", { name: new RegExp(`^${name}`) }).waitFor();
    }
    await page.getByText("2 of 2 resources ready.").waitFor();
    const [truck] = (await as(desk.at, ann)("GET", `/api/resources?problemSetId=${set}&sort=name`)).body.data;
    await as(desk.at, ann)("PATCH", `/api/resources/${truck.id}`, { readiness: "maintenance" });
    await page.getByText("1 of 2 resources ready.").waitFor();
    await sound(page);
    await button(page, "Take out Truck 2").click();
    await page.getByText("0 of 1 resource ready.").waitFor();
    await button(page, "Dissolve the group").click();
    await button(dialog, "Dissolve").click();
    await page.getByText("There is no group yet.").waitFor();
  });
});
