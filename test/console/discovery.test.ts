import { createServer, type AddressInfo, type Server } from "node:net";
import type { Page } from "playwright-core";
import { admit, as, openCompartment, openSet, type Person } from "../workspace/people.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { browserOf, button } from "./people.ts";

// What is found in networks and around them: Ann commands, Dana inspects and reports, an administrator has the platform look.

inChromium("discovery in the console", () => {
  let desk: ConsoleWorld;
  let ann: Page, dana: Page, admin: Page;
  let anna: Person, diana: Person;
  let set: string;
  let open: Server | undefined;

  const report = async (who: Person, rows: object, place: object = {}): Promise<string[]> => {
    const path = "/api/discovery/observations";
    const { status, body, text } = await as(desk.at, who)("POST", path, { problemSetId: set, ...place, ...rows });
    if (status !== 201) throw new Error(text);
    return body.data.created;
  };

  beforeAll(async () => {
    desk = await consoleWorld();
    [[ann, anna], [dana, diana]] = await Promise.all([browserOf(desk, "Ann"), browserOf(desk, "Dana")]);
    set = await openSet(desk.at, anna, { name: "Harbour" });
    await admit(desk.at, set, diana, "analyst");
    admin = await desk.person();
  });
  afterAll(async () => {
    open?.close();
    await desk.stop();
  });

  it("takes a device that a person reports, once they accepted what that means", async () => {
    await ann.goto(`/picture/discovery?set=${set}`);
    await ann.getByText("No device was seen.").waitFor();
    await sound(ann);
    await dana.goto("/picture");
    await dana.getByRole("navigation", { name: "Picture" }).getByRole("link", { name: "Devices" }).click();
    await button(dana, "Report a device").click();
    await dana
      .getByRole("dialog", { name: /^Legal text/ })
      .getByText("You confirm that you have that leave.")
      .waitFor();
    await sound(dana);
    await button(dana, "I accept this").click();
    const dialog = dana.getByRole("dialog", { name: "Report a device" });
    await dialog.getByLabel("Name", { exact: true }).fill("Crane camera");
    await dialog.getByLabel("Hardware address").fill("00-1B-44-11-3A-ZZ");
    await dialog.getByLabel("What it offers").fill("http:80, bluetooth");
    await sound(dana);
    await button(dialog, "Report").click();
    await dialog.getByText("Must be a hardware address", { exact: false }).waitFor();
    await dialog.getByLabel("Hardware address").fill("00:1b:c5:00:00:01");
    await dialog.getByLabel("Network addresses").fill("10.9.0.5, fd00::7");
    await button(dialog, "Report").click();
    await dana.getByRole("heading", { level: 1, name: "Crane camera" }).waitFor();
    await dana.getByText("Converging Systems Inc.").waitFor();
    await dana.getByText("The access list says nothing of it yet.").waitFor();
    await dana.getByRole("row", { name: /^http 80/ }).waitFor();
    await dana.getByText("1 time, by people's browsers").waitFor();
    expect(await dana.getByRole("button", { name: /^(Allow|Block|Cut off)$/ }).count()).toBe(0);
    await sound(dana);
    // It came to a page that was open.
    await ann.getByRole("link", { name: "Crane camera" }).click();
    await ann.getByRole("heading", { level: 1, name: "Crane camera" }).waitFor();
  });

  it("lets whoever decides block it by what it is known by, and others see it at once", async () => {
    await button(ann, "Block").click();
    const dialog = ann.getByRole("dialog", { name: "Block Crane camera" });
    await dialog.getByLabel("By its").selectOption({ label: "hardware address 00:1b:c5:00:00:01" });
    await dialog.getByLabel("Why (optional)").fill("Nobody knows whose it is.");
    await sound(ann);
    await button(dialog, "Block").click();
    await dana.getByText("The access list blocks it.").waitFor();
    await dana.getByRole("link", { name: "See the list" }).click();
    const line = (page: Page) => page.getByRole("row", { name: /^hardware address 00:1b:c5:00:00:01 blocked Nobody/ });
    await line(dana).getByText("Ann", { exact: true }).waitFor();
    await sound(dana);
    expect(await dana.getByRole("button", { name: /Take off|Allow or block/ }).count()).toBe(0);
    await ann.getByRole("link", { name: "See the list" }).click();
    await button(ann, "Allow or block").click();
    const entry = ann.getByRole("dialog", { name: "Allow or block devices" });
    await entry.getByLabel("By their").selectOption("cidr");
    await entry.getByLabel("Which").fill("10.9.0.0/33");
    await sound(ann);
    await button(entry, "Put it on the list").click();
    await entry.getByText("This cannot be read as cidr", { exact: false }).waitFor();
    await entry.getByLabel("Which").fill("10.9.0.0/16");
    await entry.getByLabel("They are").selectOption("allow");
    await button(entry, "Put it on the list").click();
    await ann.getByRole("row", { name: /^network 10\.9\.0\.0\/16 allowed/ }).waitFor();
    await ann.getByRole("navigation", { name: "Which entries" }).getByRole("link", { name: "Blocked" }).click();
    await button(ann, "Take off the list: hardware address 00:1b:c5:00:00:01").click();
    await sound(ann);
    await button(ann.getByRole("dialog"), "Take off").click();
    await ann.getByText("Nothing is on this list").waitFor();
    await line(dana).waitFor({ state: "detached" });
    await dana.getByRole("link", { name: "Devices", exact: true }).last().click();
    await dana.getByRole("row", { name: /^Crane camera allowed/ }).waitFor();
  });

  it("cuts a device off at once, and says how it comes back", async () => {
    await ann.goto(`/picture/discovery?set=${set}`);
    await button(ann, "Cut off Crane camera").click();
    const dialog = ann.getByRole("dialog", { name: "Cut off Crane camera" });
    await dialog.getByLabel("Why").fill("It floods the network.");
    await sound(ann);
    await button(dialog, "Cut off").click();
    await dana.getByRole("row", { name: /^Crane camera disconnected It floods/ }).waitFor();
    await dana.getByRole("link", { name: "Crane camera" }).click();
    await dana.getByText("Ann cut it off", { exact: false }).waitFor();
    await ann.getByRole("link", { name: "Allowed and blocked" }).click();
    await ann
      .getByRole("row", { name: /emergency It floods the network\. The device/ })
      .first()
      .waitFor();
    await ann.getByRole("link", { name: "The device" }).first().click();
    await ann.getByText("It is cut off by an emergency.").waitFor();
    await ann.goto(`/workspace/${set}/activity`);
    await ann.getByRole("link", { name: /"Crane camera" was disconnected/ }).click();
    await ann.getByText("It is cut off by an emergency.").waitFor();
  });

  it("shows what an assistant proposes, which a person follows or not", async () => {
    const [id] = await report(diana, { devices: [{ name: "Meter", serial: "SN-METER", manufacturer: "Acme" }] });
    await as(desk.at, diana)("POST", "/api/discovery/assistant-result", {
      deviceId: id,
      ...{ verdict: "suspicious", proposes: "block", confidence: 0.7, rationale: "It offers telnet." },
    });
    await ann.goto(`/picture/discovery/devices/${id}`);
    await ann.getByText("It offers telnet.").waitFor();
    await sound(ann);
    await button(ann, "Block it, as proposed").click();
    await button(ann.getByRole("dialog", { name: "Block Meter" }), "Block").click();
    await ann.getByText("The access list blocks it.").waitFor();
  });

  it("shows nothing of a compartment to who is outside, and nothing at all to who may not inspect", async () => {
    const red = await openCompartment(desk.at, set, anna, "Red", diana);
    const [id] = await report(diana, { devices: [{ name: "Red beacon", serial: "SN-RED" }] }, { compartments: [red] });
    await dana.goto(`/picture/discovery?set=${set}`);
    await dana.getByRole("row", { name: /^Red beacon only for: Red/ }).waitFor();
    await ann.goto(`/picture/discovery?set=${set}`);
    await ann.getByRole("row", { name: /^Meter/ }).waitFor();
    expect(await ann.getByText("Red beacon").count()).toBe(0);
    await ann.goto(`/picture/discovery/devices/${id}`);
    await ann.getByText("It may have been removed.").waitFor();
    await sound(ann);
    const [watcher, wanda] = await browserOf(desk, "Wanda");
    await admit(desk.at, set, wanda, "observer");
    for (const tail of ["", "/access-list", "/scanning"]) {
      await watcher.goto(`/picture/discovery${tail}?set=${set}`);
      await watcher.getByText("Your role does not show you the devices of Harbour.").waitFor();
    }
    await watcher.context().close();
  });

  it("lists what the platform itself may look at, and nothing that must not be asked", async () => {
    open = createServer((socket) => {
      socket.on("error", () => {});
      socket.end("SSH-2.0-bench\r\n");
    });
    await new Promise<void>((listening) => open!.listen(0, "127.0.0.1", listening));
    const { port } = open.address() as AddressInfo;
    await admin.goto("/picture/discovery/scanning?set=everybody");
    await admin.getByText("Nothing is listed, so nothing is asked.", { exact: false }).waitFor();
    await admin.getByText("By which ways it looks, and how often").click();
    await sound(admin);
    await button(admin, "Change UPnP (SSDP)").click();
    const way = admin.getByRole("dialog", { name: "Find devices by UPnP (SSDP)" });
    await way.getByLabel("Asks from these addresses of ours").fill("224.0.0.1");
    await sound(admin);
    await button(way, "Save").click();
    await way.getByText("An IPv4 address of an interface of ours.", { exact: false }).waitFor();
    await way.getByLabel("Asks from these addresses of ours").fill("");
    await way.getByLabel("Seconds between two looks").fill("120");
    await way.getByLabel("It is turned on").uncheck();
    await button(way, "Save").click();
    await admin.getByRole("row", { name: /^UPnP \(SSDP\) turned off 2 minutes/ }).waitFor();
    await button(admin, "Add a target").click();
    const dialog = admin.getByRole("dialog", { name: "Add a scan target" });
    await dialog.getByLabel("Name", { exact: true }).fill("Bench");
    await dialog.getByLabel("Addresses, networks and names").fill("127.0.0.1\n169.254.169.254");
    await dialog.getByLabel("Ports", { exact: true }).fill(String(port));
    await dialog.getByLabel("Questions a second").fill("50");
    await sound(admin);
    await button(dialog, "Add").click();
    await dialog.getByText("number 2: No group, broadcast", { exact: false }).waitFor();
    await dialog.getByLabel("Addresses, networks and names").fill("127.0.0.1");
    await button(dialog, "Add").click();
    await admin.getByRole("row", { name: /^Bench 127\.0\.0\.1 .* open ports 5 minutes never/ }).waitFor();
  });

  it("looks there once somebody accepted what that means, until they stop it", async () => {
    await button(admin, "Read the legal text").click();
    await sound(admin);
    await button(admin, "I accept this").click();
    await button(admin, "Start").click();
    await admin.getByRole("row", { name: /^Bench .* found 1 device/ }).waitFor();
    await sound(admin);
    await admin.getByRole("link", { name: "Devices", exact: true }).last().click();
    await admin
      .getByRole("row", { name: /127\.0\.0\.1/ })
      .getByRole("link")
      .click();
    await admin.getByText("SSH-2.0-bench").first().waitFor();
    await admin.getByRole("link", { name: "Bench" }).click();
    await button(admin, "Pause").click();
    await button(admin, "Go on").click();
    await button(admin, "Stop").click();
    await button(admin, "Change Bench").click();
    const dialog = admin.getByRole("dialog", { name: "Change Bench" });
    await dialog.getByLabel("It is scanned while the scanner runs").uncheck();
    await button(dialog, "Save").click();
    await admin.getByRole("row", { name: /^Bench turned off/ }).waitFor();
    await button(admin, "Remove Bench").click();
    await sound(admin);
    await button(admin.getByRole("dialog"), "Remove").click();
    await admin.getByText("Nothing is listed, so nothing is asked.", { exact: false }).waitFor();
    // Ann's role on the platform lets her look at the scanner, and leave it alone.
    await ann.goto("/picture/discovery/scanning?set=everybody");
    await ann.getByText("Administrators of the platform list what may be looked at.", { exact: false }).waitFor();
    expect(await ann.getByRole("button", { name: /Start|Add a target|Read the legal text/ }).count()).toBe(0);
  });

  it("draws what is linked to what, finds the way, and takes a person's word before what is seen", async () => {
    const macs = ["00:1b:c5:00:30:01", "00:1b:c5:00:30:02", "00:1b:c5:00:30:03"];
    const names = ["Core switch", "Dock switch"];
    await report(diana, {
      devices: macs.map((mac, at) => ({ mac, name: names[at], addresses: [`10.30.0.${at + 1}`] })),
    });
    const end = (at: number): object => ({ macs: [macs[at]] });
    const link = (from: number, to: number, evidence: string): object => ({ from: end(from), to: end(to), evidence });
    await report(diana, {
      links: [link(0, 1, "lldp"), link(1, 0, "lldp"), link(1, 2, "arp")],
    });
    await report(diana, { links: [{ from: end(0), to: { address: "10.30.0.99" }, evidence: "arp" }] });
    await dana.goto(`/picture/discovery?set=${set}`);
    await dana.getByRole("link", { name: "Network", exact: true }).click();
    await dana.getByRole("row", { name: /^Core switch and Dock switch neighbours told \(LLDP\) .*\d+ %/ }).waitFor();
    // A device without a name is called by its address.
    await dana.getByRole("row", { name: /^10\.30\.0\.3 and Dock switch .*one end alone/ }).waitFor();
    await dana.getByRole("row", { name: /network address 10\.30\.0\.99/ }).waitFor();
    expect(await dana.getByRole("button", { name: /Enter a link|Correct/ }).count()).toBe(0);
    await sound(dana);
    await dana.getByLabel("From", { exact: true }).selectOption({ label: "Core switch" });
    await dana.getByLabel("To", { exact: true }).selectOption({ label: "10.30.0.3" });
    await button(dana, "Show the way").click();
    const way = dana.getByRole("list", { name: "The way" });
    await way.getByText("10.30.0.3").waitFor();
    await dana.getByText("2 steps, at a cost of 2 in all.").waitFor();
    expect(await way.getByRole("listitem").allTextContents()).toEqual([
      "Core switch",
      expect.stringContaining("Dock switch"),
      expect.stringContaining("10.30.0.3"),
    ]);
    await dana.locator(".network-line.on-way").nth(1).waitFor({ state: "attached" });
    await sound(dana);
    // Someone who decides there says that there is no such link.
    await ann.goto(`/picture/discovery/network?set=${set}`);
    await ann.getByRole("button", { name: /^Correct the link between .*10\.30\.0\.3/ }).click();
    const dialog = ann.getByRole("dialog", { name: "Enter a link by hand" });
    await sound(ann);
    await button(dialog, "Enter it").click();
    await ann.getByText("No link is shown between them any more.").waitFor();
    await ann.goto(new URL(dana.url()).pathname + new URL(dana.url()).search);
    await ann.getByText("No link that was seen leads from Core switch to 10.30.0.3.").waitFor();
    await button(ann, "Enter a link").click();
    await dialog.getByLabel("Between").selectOption({ label: "Core switch" });
    await dialog.getByLabel("And").selectOption({ label: "Core switch" });
    await button(dialog, "Enter it").click();
    await dialog.getByText("Choose two that differ.").waitFor();
    await dialog.getByLabel("And").selectOption({ label: "10.30.0.3" });
    await dialog.getByLabel("Cost of the step (optional)").fill("5");
    await button(dialog, "Enter it").click();
    await ann.getByText("1 step, at a cost of 5 in all.").waitFor();
    await ann.getByText(/1 was entered by hand/).waitFor();
    // Keys go from one device to the next in the picture, and open its page.
    await ann
      .getByRole("group", { name: /^The network/ })
      .getByRole("link")
      .first()
      .focus();
    await ann.keyboard.press("ArrowRight");
    // So they do with the picture as a whole: nearer, and all of it again.
    await ann.keyboard.press("+");
    await button(ann, "Show all").click();
    await ann
      .getByRole("group", { name: /^The network/ })
      .getByRole("link", { name: /^Dock switch/ })
      .focus();
    await ann.keyboard.press("Enter");
    await ann.getByRole("heading", { level: 1, name: "Dock switch" }).waitFor();
    await ann.getByRole("link", { name: "What it is linked to" }).click();
    await ann.getByRole("heading", { name: "Links of Dock switch" }).waitFor();
    expect(await ann.getByText("Red beacon").count()).toBe(0);
    await dana.getByText("1 step, at a cost of 5 in all.").waitFor();
  });

  it("tells what is heard on the air, band by band, beside what is our own", async () => {
    await dana.goto(`/picture/discovery/spectrum?set=${set}`);
    await dana.getByText("Nothing was heard in the last five minutes.", { exact: false }).waitFor();
    await dana.getByText("Nothing is declared.", { exact: false }).waitFor();
    expect(await dana.getByRole("button", { name: "Declare an emitter" }).count()).toBe(0);
    await sound(dana);
    await ann.goto(`/picture/discovery?set=${set}`);
    await ann.getByRole("link", { name: "Spectrum" }).click();
    await button(ann, "Declare an emitter").click();
    const dialog = ann.getByRole("dialog", { name: "Declare an emitter of our own" });
    await dialog.getByLabel("Name", { exact: true }).fill("Bridge radar");
    await dialog.getByLabel("Frequency in MHz").fill("400000");
    await dialog.getByLabel("Bandwidth in kHz (optional)").fill("20000");
    await dialog.getByLabel("Power in dBm").fill("46");
    await dialog.getByLabel("Percent of the time that it sends").fill("25");
    await dialog.getByLabel("It moves").check();
    await sound(ann);
    await button(dialog, "Declare").click();
    await dialog.locator("small.fault").waitFor();
    await dialog.getByLabel("Frequency in MHz").fill("9410");
    await button(dialog, "Declare").click();
    await ann.getByRole("row", { name: /^Bridge radar mobile 9\.41 GHz 20 MHz 46\.0 dBm .*25 %/ }).waitFor();
    await report(diana, {
      emissions: [
        { frequencyHz: 9.41e9, bandwidthHz: 400e6, powerDbm: -30, source: "Mast" },
        { frequencyHz: 9.41e9, bandwidthHz: 400e6, powerDbm: -60, source: "Mast" },
      ],
    });
    // Another's emitter is there by itself, and so is what collectors hear.
    const band = dana.getByRole("row", {
      name: /^X 8 GHz to 12 GHz 2 -33\.0 dBm -30\.0 dBm .*10 % heard anew Bridge radar/,
    });
    await band.waitFor();
    await dana.getByText("2 emissions in the last five minutes, heard by Mast.").waitFor();
    await sound(dana);
    await button(ann, "Take out Bridge radar").click();
    await button(ann.getByRole("dialog"), "Take out").click();
    await ann.getByText("Nothing is declared.", { exact: false }).waitFor();
    await admin.goto("/picture/discovery/spectrum?set=everybody");
    await admin.getByText("Its scanner asks no segment of a network now.").waitFor();
    await sound(admin);
  });
});
