import type { Page } from "playwright-core";
import { eventually } from "../mesh.ts";
import { as, openCompartment, openStaffedSet, persons, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";

// The picture in the console: two people share one map, and a third sees what lies in no compartment.

const MINUTE_MS = 60_000;
const ago = (minutes: number): string => new Date(Date.now() - minutes * MINUTE_MS).toISOString();

inChromium("the picture in the console", () => {
  let desk: ConsoleWorld;
  let [ann, bob, cleo, dana]: Person[] = [];
  let [annPage, bobPage]: Page[] = [];
  let set: string;

  const feature = (id: string, geometry: object, properties: object): object => ({
    type: "Feature",
    ...{ id, geometry, properties },
  });
  const point = (longitude: number, latitude: number): object => ({
    type: "Point",
    coordinates: [longitude, latitude],
  });
  const done = async (who: Person, method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const reply = await as(desk.at, who)(method, path, body, headers);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.body.data;
  };
  /** A drawing on the COP: bob draws it, dana publishes it. */
  async function putUp(name: string, type: string, features: object[], compartments: string[] = []): Promise<string> {
    const spec = { type: "FeatureCollection", features };
    const body = { problemSetId: set, compartments, name, type, spec };
    const { id } = await done(bob!, "POST", "/api/cop/layers", body);
    const move = `/api/cop/layers/${id}/transition`;
    await done(bob!, "POST", move, { to: "review" });
    await done(dana!, "POST", move, { to: "published", version: 1 });
    await done(dana!, "POST", move, { to: "cop" });
    return id;
  }
  const featureList = (page: Page) => page.getByRole("region", { name: /^On the map/ });

  beforeAll(async () => {
    desk = await consoleWorld();
    [ann, bob, cleo, dana] = await persons(desk.at, "ann", "bob", "cleo", "dana");
    set = await openStaffedSet(
      desk.at,
      ann!,
      { planner: bob!, observer: cleo!, deputy: dana! },
      { name: "Flood at Hradek" },
    );
    [annPage, bobPage] = await Promise.all([desk.person(ann!.email), desk.person(bob!.email)]);
    for (const page of [annPage, bobPage]) page.setDefaultTimeout(60_000);
  });
  afterAll(async () => {
    await desk.stop();
  });

  it("begins empty, and says what to do", async () => {
    await bobPage!.goto("/picture");
    await bobPage!.getByText("There are no layers yet").waitFor();
    expect(bobPage!.url()).toContain(`set=${set}`);
    await bobPage!.locator(".base-land").first().waitFor({ state: "attached" });
    await sound(bobPage!);
  });

  it("draws an area by clicks and by typing, keeps it as a draft, and changes it", async () => {
    const page = bobPage!;
    await page.getByRole("button", { name: "Draw an area" }).click();
    const panel = page.getByRole("region", { name: "Draw an area" });
    await sound(page);
    await panel.getByLabel("Name of the new drawing").fill("Flooded ground");
    await panel.getByLabel("Name", { exact: true }).fill("Zone A");
    await panel.getByLabel("Corners").fill("48.8, 17.0\n48.8, north");
    await panel.getByRole("button", { name: "Add it" }).click();
    await panel.locator(".field", { hasText: "Corners" }).getByText("Line 2 is no position").waitFor();
    await panel.getByLabel("Corners").fill("48.8, 17.0\n48.9, 17.0");
    // The third corner by a click on the map.
    await page.locator(".map-canvas").click({ position: { x: 300, y: 200 } });
    expect((await panel.getByLabel("Corners").inputValue()).split("\n")).toHaveLength(3);
    await panel.getByRole("button", { name: "Add it" }).click();
    await page.getByText("The drawing “Flooded ground” was made, as a draft.").waitFor();
    const zone = featureList(page).getByRole("button", { name: /^Zone A/ });
    await zone.click();
    await page.getByText(/^Area of .* km² with 3 corners/).waitFor();
    await sound(page);
    await page.getByRole("button", { name: "Change", exact: true }).click();
    const change = page.getByRole("region", { name: "Change Zone A" });
    await change.getByLabel("Corners").fill("48.80, 17.00\n48.85, 17.00\n48.85, 17.10\n48.80, 17.10");
    await change.getByLabel("Kind").fill("flooded");
    await change.getByLabel("Confidence in %").fill("80");
    await change.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved in “Flooded ground”, version 2.").waitFor();
    await page.getByText(/with 4 corners/).waitFor();
    await page.getByText("80 %").waitFor();
  });

  it("tells in words that somebody else changed a drawing meanwhile", async () => {
    const page = bobPage!;
    await page.getByRole("button", { name: "Change", exact: true }).click();
    const change = page.getByRole("region", { name: "Change Zone A" });
    // A click on what is there adds a corner as well.
    await page.locator("path.shape.type-events, path.shape.selected").first().click({ force: true });
    expect((await change.getByLabel("Corners").inputValue()).split("\n")).toHaveLength(5);
    const [{ id }] = await done(ann!, "GET", `/api/cop/layers?problemSetId=${set}`);
    const { rev } = await done(ann!, "GET", `/api/cop/layers/${id}`);
    const spec = { type: "FeatureCollection", features: [feature("other", point(17.05, 48.82), { name: "Ferry" })] };
    await done(ann!, "PUT", `/api/cop/layers/${id}/spec`, spec, { "if-match": `"r${rev}"` });
    await change.getByRole("button", { name: "Save" }).click();
    await change.getByText(/changed “Flooded ground” while you were at it: it has version 3 now/).waitFor();
    await change.getByRole("button", { name: "Cancel" }).click();
    // What the other one drew is there without a reload.
    await featureList(page)
      .getByRole("button", { name: /^Ferry/ })
      .click();
    await page.getByText("Point at 48.8200° N, 17.0500° E").waitFor();
    // Its name stands at its mark, and nowhere else.
    const [mark, name] = [page.locator(".mark.selected"), page.locator(".map-label.first")];
    await eventually(
      () => Promise.all([mark.boundingBox(), name.boundingBox()]),
      ([at, beside]) =>
        !!at && !!beside && Math.abs(at.y + at.height / 2 - beside.y - beside.height / 2) < 4 && beside.x - at.x < 60,
    );
  });

  it("brings a drawing to the map of everybody by another person's review, and both see it live", async () => {
    await bobPage!.getByRole("link", { name: "Details of the layer Flooded ground" }).click();
    await bobPage!.getByRole("heading", { name: "Where it stands" }).waitFor();
    await sound(bobPage!);
    await bobPage!.getByRole("button", { name: "Restore version 2" }).click();
    await bobPage!.getByText("It is version 4 now.").waitFor();
    await bobPage!.getByRole("button", { name: "Send to review" }).click();
    await bobPage!.getByText("You wrote this version: somebody else approves it.").waitFor();

    await annPage!.goto("/picture");
    await annPage!.getByText("The layers that are turned on show nothing.").waitFor();
    await annPage!.getByRole("link", { name: "Details of the layer Flooded ground" }).click();
    await annPage!.getByLabel("What you would say to its author").fill("Well drawn.");
    await annPage!.getByRole("button", { name: "Remark" }).click();
    await annPage!.getByText("Well drawn.").waitFor();
    await annPage!.getByRole("button", { name: "Approve" }).click();
    await annPage!.getByRole("button", { name: "Put on the COP" }).click();
    // Bob looks at the layer, and is told.
    await bobPage!.getByText("on the COP", { exact: true }).waitFor();
    await annPage!.getByRole("link", { name: "Back to the map" }).click();
    await featureList(annPage!)
      .getByRole("button", { name: /^Zone A/ })
      .waitFor();
  });

  it("shows points with symbols, what is stale, and where layers contradict one another", async () => {
    const convoy = (longitude: number): object =>
      feature("convoy", point(longitude, 48.82), {
        ...{ name: "Convoy 12", uid: "convoy-12", at: ago(5), symbol: "10031000161211000000", source: "Radio" },
      });
    await done(ann!, "POST", "/api/cop/agents/polling/start", { problemSetId: set });
    await putUp("Reports", "events", [
      convoy(17.02),
      feature("breach", point(17.04, 48.83), { name: "Breach", at: ago(30), staleAt: ago(2), keep: true }),
    ]);
    await putUp("By radio", "events", [convoy(17.2)]);
    const page = annPage!;
    // All of it came to a page that was open.
    await page.getByText(/Convoy 12 is reported at two places/).waitFor();
    await page.locator(".mark.symbol svg").first().waitFor();
    const breach = featureList(page).getByRole("button", { name: /^Breach/ });
    await breach.click();
    await page.getByText("Point at 48.8300° N, 17.0400° E").waitFor();
    await breach.getByText("stale").waitFor();
    expect(page.url()).toContain("feature=");
    await sound(page);
    await page.getByRole("button", { name: /^Settle: Convoy 12/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Why").fill("It was another convoy.");
    await sound(page);
    await dialog.getByRole("button", { name: "Settle" }).click();
    await page.getByText("It is settled, until its evidence changes.").waitFor();
    await page.getByText(/Convoy 12 is reported at two places/).waitFor({ state: "detached" });
    // The keyboard turns a layer off, and the address says so.
    await page.getByRole("checkbox", { name: "By radio" }).focus();
    await page.keyboard.press("Space");
    await featureList(page).getByRole("region", { name: "By radio" }).waitFor({ state: "detached" });
    expect(page.url()).toContain("off=");
  });

  it("moves a resource on the map by its readings", async () => {
    const boat = { problemSetId: set, name: "Boat 1", kind: "vessel", location: { latitude: 48.81, longitude: 17.03 } };
    const { id } = await done(bob!, "POST", "/api/resources", boat);
    // Both of one moment: only then do they say where it is.
    const report = (latitude: number, longitude: number): Promise<unknown> => {
      const at = new Date().toISOString();
      const readings = Object.entries({ latitude, longitude });
      return done(
        bob!,
        "POST",
        "/api/resources/telemetry",
        readings.map(([key, value]) => ({ resourceId: id, key, value, at })),
      );
    };
    const live = {
      problemSetId: set,
      name: "Resources",
      type: "resources",
      kind: "live",
      spec: { source: "resources" },
    };
    const layer = await done(bob!, "POST", "/api/cop/layers", live);
    const move = `/api/cop/layers/${layer.id}/transition`;
    await done(bob!, "POST", move, { to: "review" });
    await done(ann!, "POST", move, { to: "published", version: 1 });
    await done(ann!, "POST", move, { to: "cop" });
    await bobPage!.goto("/picture");
    await featureList(bobPage!)
      .getByRole("button", { name: /^Boat 1/ })
      .click();
    await bobPage!.getByText("Point at 48.8100° N, 17.0300° E").waitFor();
    await report(48.84, 17.06);
    await bobPage!.getByText("Point at 48.8400° N, 17.0600° E").waitFor();
    // The record follows its readings, and guesses go by the record.
    await eventually(
      () => done(bob!, "GET", `/api/resources/${id}`),
      ({ location }) => location.latitude === 48.84,
    );
    // What somebody saw may be that boat: a person says so.
    await putUp("Seen from the bridge", "events", [
      feature("seen", point(17.06, 48.84), { name: "Boat 1", at: ago(0), ce: 200 }),
    ]);
    await bobPage!
      .getByRole("region", { name: "Seen from the bridge" })
      .getByRole("button", { name: /^Boat 1/ })
      .click();
    await eventually(
      () => done(bob!, "GET", `/api/cop/linkages/pending?problemSetId=${set}`),
      ({ length }) => length > 0,
    );
    await bobPage!.reload();
    await bobPage!.getByRole("button", { name: "It is Boat 1" }).click();
    await bobPage!.getByText("It is Boat 1.").waitFor();
  });

  it("looks back at the picture as it was", async () => {
    const page = bobPage!;
    await page.getByRole("button", { name: "Look back" }).click();
    await page.getByLabel("Moment").focus();
    await page.keyboard.press("Home");
    await page.getByText(/^the past/).waitFor();
    await page.getByText("The layers that are turned on show nothing.").waitFor();
    await sound(page);
    await page.getByRole("button", { name: "Back to now" }).click();
    await featureList(page)
      .getByRole("button", { name: /^Zone A/ })
      .waitFor();
  });

  it("shows nothing of a compartment to somebody outside, and no button that would be refused", async () => {
    const red = await openCompartment(desk.at, set, ann!, "Red", bob!, dana!);
    await putUp("Hidden depot", "custom", [feature("depot", point(17.01, 48.81), { name: "Depot" })], [red]);
    await bobPage!.getByRole("button", { name: /^Depot/ }).waitFor();
    const page = await desk.person(cleo!.email);
    await page.goto(`/picture?set=${set}`);
    await page.getByRole("button", { name: /^Zone A/ }).waitFor();
    expect(await page.locator("main").textContent()).not.toMatch(/Depot|Hidden depot/);
    expect(await page.getByRole("button", { name: /^Draw|live layer|Settle/ }).count()).toBe(0);
  });

  it("puts a number in place of marks too close together, which leads closer, or names what lies in one spot", async () => {
    const page = annPage!;
    const sacks = Array.from({ length: 400 }, (_none, at) =>
      feature(`s${at}`, point(20 + (at % 20) * 0.001, 49 + Math.floor(at / 20) * 0.001), { name: `Sacks ${at}` }),
    );
    const crowd = Array.from({ length: 200 }, (_none, at) => feature(`c${at}`, point(25, 49), { name: `Crowd ${at}` }));
    await putUp("Sandbags", "custom", [...sacks, ...crowd]);
    await page.goto(`/picture?set=${set}`);
    const numbers = page.locator(".mark.gathered");
    const find = async (name: string): Promise<void> => {
      await featureList(page).getByLabel("Find by name").fill(name);
      await featureList(page)
        .getByRole("button", { name: new RegExp(`^${name}\\b`) })
        .first()
        .click();
    };
    await find("Sacks 0");
    // Once the map is there: as many in all as there are, but for the one that is chosen.
    const shown = async (): Promise<number[]> => (await numbers.allTextContents()).map(Number);
    const counts = await eventually(shown, (all) => all.reduce((sum, count) => sum + count, 0) === 399);
    expect(await page.locator(".map-canvas .mark").count()).toBeLessThan(150);
    await sound(page);
    const most = String(Math.max(...counts));
    await numbers.filter({ hasText: most }).first().click({ force: true });
    await eventually(shown, (all) => !all.includes(Number(most)));
    await find("Crowd 0");
    await numbers.filter({ hasText: "199" }).click({ force: true });
    await numbers.filter({ hasText: "199" }).click({ force: true });
    await page
      .locator(".gathered-names")
      .getByText(/^and \d+ more/)
      .waitFor();
    await sound(page);
    await page.locator(".gathered-names").getByRole("button", { name: "Crowd 7", exact: true }).click();
    await page.getByRole("heading", { name: "Crowd 7" }).waitFor();
  });
});
