import type { Page } from "playwright-core";
import { admit, as, openCompartment, openSet, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { browserOf, button } from "./people.ts";

// What others report, what keeps the picture up, and what a layer was: Bob works on it, Ann commands, Cleo reads.

inChromium("reports and upkeep of the picture in the console", () => {
  let desk: ConsoleWorld;
  let ann: Page, bob: Page, cleo: Page;
  let anna: Person, robert: Person;
  let set: string;

  const done = async (who: Person, method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const reply = await as(desk.at, who)(method, path, body, headers);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.body.data;
  };

  beforeAll(async () => {
    desk = await consoleWorld();
    let clara: Person;
    [[ann, anna], [bob, robert], [cleo, clara]] = await Promise.all([
      browserOf(desk, "Ann"),
      browserOf(desk, "Bob"),
      browserOf(desk, "Cleo"),
    ]);
    set = await openSet(desk.at, anna, { name: "Strait" });
    await admit(desk.at, set, robert, "planner");
    await admit(desk.at, set, clara, "observer");
  });
  afterAll(() => desk.stop());

  it("takes a report by hand, which the next one of the same replaces, and shows it to others", async () => {
    await cleo.goto(`/picture/reports?set=${set}`);
    await cleo.getByText("Nothing was reported.", { exact: false }).waitFor();
    await sound(cleo);
    await bob.goto(`/picture/upkeep?set=${set}`);
    await bob.getByRole("link", { name: "Reports" }).click();
    await button(bob, "Report where something is").click();
    const dialog = bob.getByRole("dialog", { name: "Report where something is" });
    await dialog.getByLabel("What it is called").fill("Grey ferry");
    await dialog.getByLabel("It is", { exact: true }).selectOption({ label: "hostile, at sea" });
    await dialog.getByLabel("Latitude").fill("48.8");
    await sound(bob);
    await button(dialog, "Report").click();
    await dialog.getByText("A place needs a latitude and a longitude.").waitFor();
    await dialog.getByLabel("Longitude").fill("17");
    await button(dialog, "Report").click();
    const line = (page: Page) =>
      page.getByRole("row", { name: /^Grey ferry hostile, at sea 48\.8000° N, 17\.0000° E/ });
    await line(bob).waitFor();
    await line(cleo).waitFor();
    expect(await cleo.getByRole("button", { name: /Report|Take/ }).count()).toBe(0);
    await sound(cleo);
    await button(bob, "Report again: Grey ferry").click();
    const again = bob.getByRole("dialog", { name: "Report Grey ferry again" });
    await again.getByLabel("Longitude").fill("17.25");
    await again.getByLabel("Within … metres (optional)").fill("200");
    await button(again, "Report").click();
    await bob.getByRole("row", { name: /^Grey ferry hostile, at sea 48\.8000° N, 17\.2500° E within 200 m/ }).waitFor();
    expect(await bob.getByRole("table", { name: "Reports" }).getByRole("row").count()).toBe(2);
  });

  it("takes in a file of other systems, says what was refused, and takes a report away", async () => {
    const at = (minutes: number): string => new Date(desk.at.clock.now() + minutes * 60_000).toISOString();
    const event = (uid: string, type: string): string =>
      `<event version="2.0" uid="${uid}" type="${type}" how="m-g" time="${at(-1)}" start="${at(-1)}" stale="${at(30)}">` +
      `<point lat="48.9" lon="17.1" hae="9999999" ce="12" le="9999999"/><detail><contact callsign="Tug ${uid}"/></detail></event>`;
    const give = async (name: string, text: string): Promise<void> => {
      await button(bob, "Take in a file").click();
      const file = { name, mimeType: "application/xml", buffer: Buffer.from(text) };
      await bob.getByLabel("File", { exact: true }).setInputFiles(file);
      await sound(bob);
      await button(bob, "Take them in").click();
    };
    await give("none.xml", "<html/>");
    await bob.getByRole("dialog").locator("[role=alert]").waitFor();
    await bob.keyboard.press("Escape");
    await give("two.xml", `<events>${event("T-1", "a-f-S")}${event("T-2", "t-x-c")}</events>`);
    await bob.getByText("1 report taken in, 1 report refused.").waitFor();
    await bob.getByText("Number 2: Is shown on no picture", { exact: false }).waitFor();
    await sound(bob);
    await button(bob, "Done").click();
    await cleo.getByRole("row", { name: /^Tug T-1 T-1 our own, at sea/ }).waitFor();
    await button(bob, "Take away: Tug T-1").click();
    await sound(bob);
    await button(bob.getByRole("dialog"), "Take away").click();
    await bob.getByRole("row", { name: /^Tug T-1 .*taken away/ }).waitFor();
    expect(await bob.getByRole("button", { name: "Take away: Tug T-1" }).count()).toBe(0);
    // What is reported into a compartment is not seen by who is outside.
    const red = await openCompartment(desk.at, set, anna, "Red", robert);
    const hidden = {
      uid: "Hidden",
      type: "a-h-S",
      time: at(0),
      stale: at(30),
      location: { latitude: 1, longitude: 2 },
    };
    await done(robert, "POST", `/api/cop/reports?problemSetId=${set}&compartments=${red}`, { events: [hidden] });
    await bob.reload();
    await bob.getByRole("row", { name: /^Hidden only for: Red/ }).waitFor();
    await cleo.reload();
    await cleo.getByRole("row", { name: /^Grey ferry/ }).waitFor();
    expect(await cleo.getByText("Hidden").count()).toBe(0);
  });

  it("lets live layers follow, makes them anew by hand, and tells everybody what was done", async () => {
    const spec = { source: "reports" };
    const layer = { problemSetId: set, name: "Ships", type: "events", kind: "live", spec };
    const { id } = await done(robert, "POST", "/api/cop/layers", layer);
    await done(robert, "POST", `/api/cop/layers/${id}/transition`, { to: "review" });
    await cleo.goto(`/picture/upkeep?set=${set}`);
    await cleo.getByText("not followed").waitFor();
    await cleo.getByText("Nothing was done yet.", { exact: false }).waitFor();
    await bob.goto(`/picture?set=${set}`);
    await bob.getByRole("link", { name: "Upkeep" }).click();
    await bob.getByText("1 in review").waitFor();
    await button(bob, "Let them follow").click();
    await cleo.getByText("They follow what they show.").waitFor();
    await cleo
      .getByRole("row", { name: /^Ships .*something changed .*came/ })
      .first()
      .waitFor();
    await sound(cleo);
    expect(await cleo.getByRole("button", { name: /Let them|Make all anew/ }).count()).toBe(0);
    await button(bob, "Let them stand still").click();
    const stop = bob.getByRole("dialog", { name: "Let live layers stand still?" });
    await stop.getByLabel("Why (optional)").fill("The exercise is over.");
    await sound(bob);
    await button(stop, "Let them stand still").click();
    await cleo.getByText("Bob stopped it", { exact: false }).waitFor();
    await cleo.getByText("“The exercise is over.”", { exact: false }).waitFor();
    const at = new Date().toISOString();
    const stale = new Date(Date.now() + 1_800_000).toISOString();
    const event = { uid: "Late", type: "a-n-S", time: at, stale, location: { latitude: 48, longitude: 17 } };
    await done(robert, "POST", `/api/cop/reports?problemSetId=${set}`, { events: [event] });
    await button(bob, "Make all anew now").click();
    await sound(bob);
    await button(bob.getByRole("dialog"), "Make them anew").click();
    await bob.getByText("The live layers are made anew.").waitFor();
    await cleo.getByRole("row", { name: /^Ships .*somebody asked 1 came/ }).waitFor();
    await sound(bob);
    await cleo.getByRole("link", { name: "Ships" }).first().click();
    await cleo.getByRole("heading", { level: 1, name: "Ships" }).waitFor();
    expect(await cleo.getByRole("button", { name: "Change its name" }).count()).toBe(0);
  });

  it("renames a layer, and tells what one version changed of another", async () => {
    const feature = (id: string, longitude: number, properties: object): object => ({
      ...{ type: "Feature", id, properties },
      geometry: { type: "Point", coordinates: [longitude, 48.8] },
    });
    const collection = (...features: object[]): object => ({ type: "FeatureCollection", features });
    const spec = collection(feature("a", 17, { name: "Buoy A" }), feature("b", 17.1, { name: "Buoy B" }));
    const { id } = await done(robert, "POST", "/api/cop/layers", {
      problemSetId: set,
      name: "Buoys",
      type: "custom",
      spec,
    });
    const { rev } = await done(robert, "GET", `/api/cop/layers/${id}`);
    const next = collection(
      feature("c", 17.3, { name: "Buoy C" }),
      feature("a", 17.05, { name: "Buoy A", status: "adrift" }),
    );
    await done(robert, "PUT", `/api/cop/layers/${id}/spec`, next, { "if-match": `"r${rev}"` });
    await cleo.goto(`/picture/layers/${id}?set=${set}`);
    await bob.goto(`/picture/layers/${id}?set=${set}`);
    await button(bob, "Change its name").click();
    const dialog = bob.getByRole("dialog", { name: "Change Buoys" });
    await dialog.getByLabel("Name", { exact: true }).fill("Buoys of the strait");
    await dialog.getByLabel("Description").fill("As the pilots know them.");
    await sound(bob);
    await button(dialog, "Save").click();
    await bob.getByRole("heading", { level: 1, name: "Buoys of the strait" }).waitFor();
    await bob.getByText("As the pilots know them.").waitFor();
    await cleo.getByRole("link", { name: "What changed since version 1" }).click();
    await cleo.getByRole("list", { name: "Came" }).getByText("Buoy C").waitFor();
    await cleo.getByRole("list", { name: "Went" }).getByText("Buoy B").waitFor();
    const changed = cleo.getByRole("list", { name: "Changed" });
    await changed.getByText("48.8000° N, 17.0000° E → 48.8000° N, 17.0500° E").waitFor();
    await changed.getByText("nothing → adrift").waitFor();
    await sound(cleo);
    expect(await cleo.getByRole("button", { name: /^Restore/ }).count()).toBe(0);
    await bob.getByRole("link", { name: "What changed since version 1" }).click();
    await button(bob, "Restore version 1").click();
    await bob.getByText("It is version 3 now.").waitFor();
    await bob.getByText("Nothing: the two say the same.").waitFor();
    await bob.getByLabel("Compare with version").selectOption("2");
    await button(bob, "Compare").click();
    await bob.getByRole("heading", { name: "What is another in version 2" }).waitFor();
    await bob.getByRole("list", { name: "Went" }).getByText("Buoy B").waitFor();
    await ann.goto(`/picture/layers/${id}/versions/9?set=${set}`);
    await ann.getByRole("heading", { level: 1, name: "Version 9 of Buoys of the strait" }).waitFor();
    await ann.locator("[role=alert]").first().waitFor();
  });

  it("tells what a resource measured over time, summed up and one by one", async () => {
    const boat = { problemSetId: set, name: "Boat 1", kind: "vessel" };
    const { id } = await done(robert, "POST", "/api/resources", boat);
    const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
    const readings = [90, 70, 50, 10].map((minutes, at) => ({
      ...{ resourceId: id, key: "fuel", at: ago(minutes) },
      value: 80 - 20 * at,
    }));
    await done(robert, "POST", "/api/resources/telemetry", readings);
    await cleo.goto(`/picture/resources/${id}?set=${set}`);
    await cleo.getByRole("link", { name: "fuel", exact: true }).click();
    await cleo.getByRole("heading", { level: 1, name: "fuel of Boat 1" }).waitFor();
    await cleo.getByText("4 readings, from 80 to 20, lowest 20, highest 80", { exact: false }).waitFor();
    const singles = cleo.getByRole("table", { name: "Single readings" }).getByRole("row");
    await singles.nth(4).waitFor();
    await sound(cleo);
    await cleo.getByRole("link", { name: "Last hour" }).click();
    await cleo.getByText("2 readings, from 40 to 20", { exact: false }).waitFor();
    await cleo.getByRole("table", { name: "Summed up" }).getByRole("row").nth(2).waitFor();
    expect(await singles.count()).toBe(3);
    await cleo.goto(`/picture/resources/${id}/readings/none?set=${set}`);
    await cleo.getByText("Nothing was measured in this time.").first().waitFor();
    await sound(cleo);
  });

  it("measures how much of a mission's area sensors watch, and where nobody looks", async () => {
    const ring = [
      [17, 48],
      [17.1, 48],
      [17.1, 48.1],
      [17, 48.1],
      [17, 48],
    ];
    const area = { type: "Polygon", coordinates: [ring] };
    await cleo.goto(`/picture/sensors?set=${set}`);
    await cleo.getByRole("link", { name: "Coverage of a mission" }).click();
    await cleo.getByText("There is no mission yet.", { exact: false }).waitFor();
    await sound(cleo);
    const { id: mission } = await done(anna, "POST", "/api/missions", {
      ...{ problemSetId: set, name: "Watch the strait", area },
    });
    const sensor = { problemSetId: set, kind: "radar", coverage: { shape: "radius", range: 2_000 } };
    const location = { latitude: 48.05, longitude: 17.05 };
    await done(robert, "POST", "/api/sensors", { ...sensor, name: "Mast", location });
    await done(robert, "POST", "/api/sensors", { ...sensor, name: "Lost mast" });
    await cleo.reload();
    await cleo.getByLabel("Mission", { exact: true }).selectOption({ label: "Watch the strait" });
    await button(cleo, "Show").click();
    await cleo.getByRole("img", { name: "A plan of what is watched, north up" }).waitFor();
    await cleo.goto(`/workspace/${set}/missions/${mission}`);
    await cleo.getByRole("link", { name: "picture", exact: true }).click();
    await cleo.getByRole("heading", { level: 1, name: "Picture" }).waitFor();
    await cleo.goBack();
    await cleo.getByRole("link", { name: "how much of it sensors watch" }).click();
    await cleo.getByRole("img", { name: "A plan of what is watched, north up" }).waitFor();
    await cleo
      .getByRole("table", { name: "Sensors that watch" })
      .getByRole("row", { name: /^Mast 12\.57 km² planned/ })
      .waitFor();
    await cleo.getByRole("row", { name: "Lost mast Nobody knows where it is." }).waitFor();
    await sound(cleo);
  });

  it("finds resources by what they can do, by words and by how near they are", async () => {
    const make = (name: string, fields: object): Promise<unknown> =>
      done(robert, "POST", "/api/resources", { problemSetId: set, name, kind: "vehicle", ...fields });
    const location = { latitude: 48.1, longitude: 17.1 };
    await make("Pump lorry", { capabilities: ["engineering.water.pumping"], location });
    await make("Crane lorry", {
      capabilities: ["logistics.handling.crane"],
      location: { latitude: 49, longitude: 18 },
    });
    await cleo.goto(`/picture/resources?set=${set}`);
    await cleo.getByRole("link", { name: "Find", exact: true }).click();
    await cleo.getByRole("row", { name: /^Crane lorry/ }).waitFor();
    await cleo.getByText(/^3 resources: 3 ready\./).waitFor();
    await sound(cleo);
    const form = cleo.getByRole("form", { name: "Find resources" });
    await form.getByLabel("It can do").selectOption("engineering.water");
    await button(form, "Find").click();
    await cleo.getByRole("row", { name: /^Pump lorry vehicle ready .*engineering: water: pumping/ }).waitFor();
    await cleo.getByRole("row", { name: /^Crane lorry/ }).waitFor({ state: "detached" });
    await form.getByLabel("It can do").selectOption("");
    await form.getByLabel("Words").fill("lorry");
    await form.getByText("Near a place").click();
    await form.getByLabel("Within … km").fill("5");
    await button(form, "Find").click();
    await form.getByText("Say near which place", { exact: false }).waitFor();
    await form.getByLabel("Latitude").fill("49.01");
    await form.getByLabel("Longitude").fill("18");
    await sound(cleo);
    await button(form, "Find").click();
    await cleo.getByRole("row", { name: /^Pump lorry/ }).waitFor({ state: "detached" });
    await cleo.getByRole("row", { name: /^Crane lorry/ }).waitFor();
    await form.getByLabel("Words").fill("submarine");
    await button(form, "Find").click();
    await cleo.getByText("No resource fits.", { exact: false }).waitFor();
  });
});
