import type { Page } from "playwright-core";
import { privateKeyToAccount } from "viem/accounts";
import { admit, as, openCompartment, openSet, signIn, type Person } from "../workspace/people.ts";
import { becomes, consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { browserOf, button } from "./people.ts";

// A problem set decides by vote, as two people do it, each in a browser of their own: what one does, the other sees.

inChromium("governance", () => {
  let desk: ConsoleWorld;
  let ann: Person, dora: Person, olaf: Person;
  /** The commander's browser, the deputy's, and an observer's. */
  let annHere: Page, doraHere: Page, olafHere: Page;
  let home: string;
  let setId: string;
  let council: string;

  const reading = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();
  const press = (page: Page, name: string): Promise<void> => button(page, name).last().click();
  const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
  const idOf = (page: Page): string => new URL(page.url()).pathname.split("/").at(-1)!;
  /** The id in the address, once a page of a record has opened. */
  const settled = async (page: Page): Promise<string> => {
    await page.waitForURL(/proposals\//);
    return idOf(page);
  };
  const api = async (who: Person, method: string, path: string, body?: object): Promise<any> => {
    const reply = await as(desk.at, who)(method, `/api/dao${path}`, body);
    if (reply.status >= 300) throw new Error(reply.text);
    return reply.body?.data;
  };
  const found = (fields: object = {}): Promise<{ id: string }> =>
    api(ann, "POST", "", { problemSetId: setId, name: "Board", ...fields });

  beforeAll(async () => {
    desk = await consoleWorld();
    [[annHere, ann], [doraHere, dora], [olafHere, olaf]] = await Promise.all([
      browserOf(desk, "Ann"),
      browserOf(desk, "Dora"),
      browserOf(desk, "Olaf"),
    ]);
    setId = await openSet(desk.at, ann, { name: "Flood on the Morava" });
    await admit(desk.at, setId, dora, "deputy");
    await admit(desk.at, setId, olaf, "observer");
    home = `/workspace/${setId}`;
  });
  afterAll(() => desk.stop());

  it("founds a DAO, which the menu leads to from then on", async () => {
    await annHere.goto(home);
    await annHere.getByRole("link", { name: "Governance" }).click();
    await reading(annHere, "No problem set of yours has a DAO yet.");
    await sound(annHere);
    await annHere.goto(home);
    await annHere.getByRole("link", { name: "DAOs" }).click();
    await reading(annHere, "There is no DAO here yet. Found one");
    await press(annHere, "Found a DAO");
    const form = annHere.getByRole("dialog", { name: "Found a DAO" });
    await form.getByLabel("Name").fill("Flood response council");
    await form.getByLabel("What it decides (optional)").fill("Which dikes are raised first.");
    await form.getByLabel("Quorum, in percent").fill("50");
    await form.getByLabel("The voting lasts", { exact: true }).fill("20");
    await form.getByLabel("The voting lasts: in").selectOption("minutes");
    await form.getByLabel("Timelock", { exact: true }).fill("5");
    await form.getByLabel("Timelock: in").selectOption("minutes");
    await form.getByText("Who votes, what it may do, and further rules").click();
    await form.getByLabel("Open a gate").check();
    await sound(annHere);
    await press(annHere, "Found the DAO");
    await annHere.getByRole("heading", { name: "Proposals", level: 1 }).waitFor();
    council = idOf(annHere);
    await reading(annHere, "Nothing has been proposed yet. Write the first proposal.");
    await sound(annHere);
    await annHere.getByRole("link", { name: "Governance" }).click();
    await annHere.getByRole("row", { name: /Flood response council .* Flood on the Morava/ }).waitFor();
    await reading(annHere, "Nothing is being voted on.");
    await sound(annHere);
    await annHere.getByRole("link", { name: "Flood response council" }).click();
    await annHere.getByRole("link", { name: "Rules" }).click();
    await annHere.getByRole("row", { name: /Quorum 50 % of all power must vote/ }).waitFor();
    await annHere.getByRole("row", { name: /Timelock 5 minutes between close and execution/ }).waitFor();
    await part(annHere, "What a passed proposal may do").getByText("Open a gate").waitFor();
    await sound(annHere);
  });

  it("takes a proposal from its writing over the votes of two people to what it does", async () => {
    const gate = (
      await as(desk.at, ann)("POST", "/api/gates", { problemSetId: setId, tab: "works", name: "Works at Lhota" })
    ).body.data;
    await doraHere.goto(`${home}/dao/${council}`);
    await reading(doraHere, /Your vote counts 1 vote of 2 votes/);
    await annHere.goto(`${home}/dao/${council}`);
    await annHere.getByRole("link", { name: "Write a proposal" }).click();
    await annHere.getByLabel("Title").fill("Raise the dike at Lhota");
    await annHere.getByLabel("What is proposed, and why").fill("It is the **lowest** one.");
    // Whoever looks something up meanwhile finds it as they left it.
    await annHere.getByRole("link", { name: "All proposals" }).click();
    await annHere.getByRole("link", { name: "Write a proposal" }).click();
    await becomes(() => annHere.getByLabel("Title").inputValue(), "Raise the dike at Lhota");
    expect(await annHere.getByLabel("What is proposed, and why").inputValue()).toBe("It is the **lowest** one.");
    await press(annHere, "Add a measure");
    const dialog = annHere.getByRole("dialog", { name: "Add a measure" });
    await press(annHere, "Add");
    await reading(annHere, /Change one rule at least/);
    await sound(annHere);
    await dialog.getByLabel("What is done").selectOption("Open a gate");
    await dialog.getByLabel("Gate").selectOption("Works at Lhota (open)");
    await press(annHere, "Add");
    await reading(annHere, "Open the gate “Works at Lhota”.");
    await sound(annHere);
    await press(annHere, "Submit the proposal");
    await annHere.getByRole("heading", { name: "Raise the dike at Lhota", level: 1 }).waitFor();
    const id = idOf(annHere);

    // Nobody loads a page again.
    await part(doraHere, "Being voted on now").getByRole("link", { name: "Raise the dike at Lhota" }).click();
    await reading(doraHere, "Nobody has voted yet.");
    await press(doraHere, "Vote");
    await reading(doraHere, "Choose for, against or abstain.");
    await doraHere.getByRole("radio", { name: "against" }).check();
    await doraHere.getByLabel("Why (optional)").fill("The bridge first.");
    await press(doraHere, "Vote");
    await reading(doraHere, /You voted against/);
    await annHere.getByRole("row", { name: /Dora against 1 vote The bridge first\./ }).waitFor();
    await annHere.getByRole("radio", { name: "for" }).check();
    await press(annHere, "Vote");
    await part(doraHere, "The count so far")
      .getByRole("img", { name: /^for: 1 \(50 %\), against: 1/ })
      .waitFor();
    await doraHere.getByRole("radio", { name: "for" }).check();
    await press(doraHere, "Change my vote");
    await reading(annHere, "changed 1 time");
    await part(annHere, "The count so far").getByText("Quorum reached: 2 votes of 1 needed").waitFor();
    await sound(annHere);

    desk.at.clock.advance(20 * 60_000);
    await reading(annHere, "It passed, and has not been executed yet.");
    await reading(annHere, /^The timelock runs/);
    expect(await button(annHere, "Execute").count()).toBe(0);
    await reading(annHere, "it comes to the same result.");
    await sound(annHere);
    desk.at.clock.advance(5 * 60_000);
    await doraHere.goto(`${home}/dao/${council}/proposals/${id}`);
    await press(doraHere, "Execute");
    await press(doraHere, "Execute");
    await reading(doraHere, "It passed, and was executed.");
    await reading(annHere, "It passed, and was executed.");
    await doraHere.getByRole("link", { name: "See the gate" }).click();
    await reading(doraHere, "it pass: a vote was won");
    expect(gate.status).toBe("open");
  });

  it("has a ballot for each kind of vote, and shows what each one brought", async () => {
    const { id: board } = await found({ name: "Ballots", config: { quorumBps: 0 } });
    const options = ["Lhota", "Hradek", "Brod"];
    const open = async (kind: string): Promise<void> => {
      const { id } = await api(ann, "POST", `/${board}/proposals`, { title: `By ${kind}`, kind, options });
      await annHere.goto(`${home}/dao/${board}/proposals/${id}`);
      await button(annHere, "Vote").waitFor();
    };
    await open("single");
    await annHere.getByLabel("Hradek").check();
    await press(annHere, "Vote");
    await reading(annHere, /^You voted Hradek/);
    await annHere.getByRole("row", { name: "Hradek leads 1 100 %" }).waitFor();

    await open("approval");
    await annHere.getByLabel("Lhota").check();
    await annHere.getByLabel("Brod").check();
    await press(annHere, "Vote");
    await reading(annHere, /^You voted Lhota, Brod/);
    await annHere.getByRole("row", { name: "Brod 1 100 %" }).waitFor();
    await sound(annHere);

    await open("quadratic");
    await annHere.getByLabel("Lhota").fill("3");
    await annHere.getByLabel("Brod").fill("1");
    await reading(annHere, "0.87 votes of your own power");
    await press(annHere, "Vote");
    await reading(annHere, /^You voted Lhota: 3, Brod: 1/);
    await annHere.getByRole("row", { name: /^Lhota leads 0\.87 63/ }).waitFor();
    await sound(annHere);

    await open("ranked");
    await press(annHere, "Vote");
    await reading(annHere, "Put one option at least into your order.");
    await press(annHere, "Add: Brod");
    await press(annHere, "Add: Lhota");
    await press(annHere, "Up: Lhota");
    await sound(annHere);
    await press(annHere, "Vote");
    await reading(annHere, /^You voted 1\. Lhota, 2\. Brod/);
    await api(dora, "POST", `/${board}/proposals/${idOf(annHere)}/vote`, { choice: [1, 2] });
    await annHere.getByText("Round by round").click();
    await annHere.getByRole("row", { name: /^1 1 1 0 0 Brod/ }).waitFor();
    await sound(annHere);
  });

  it("lets somebody vote for another, who takes their power back by voting", async () => {
    await doraHere.goto(`${home}/dao/${council}/delegations`);
    await press(doraHere, "Delegate my power");
    const form = doraHere.getByRole("dialog", { name: "Delegate your power" });
    // Who could not vote is not offered.
    await becomes(() => form.getByLabel("To whom").locator("option").allTextContents(), ["Choose somebody", "Ann"]);
    await form.getByLabel("To whom").selectOption("Ann");
    await sound(doraHere);
    await press(doraHere, "Delegate");
    await reading(doraHere, /^You delegated it to Ann/);
    await sound(doraHere);
    await annHere.goto(`${home}/dao/${council}/delegations`);
    await part(annHere, "Delegated to you").getByText(/^Dora/).waitFor();

    const { id } = await api(ann, "POST", `/${council}/proposals`, { title: "Buy pumps" });
    await annHere.goto(`${home}/dao/${council}/proposals/${id}`);
    // Who comes by the problem set finds the vote, too.
    await doraHere.goto(home);
    await doraHere.getByRole("link", { name: /being voted on$/ }).waitFor();
    await doraHere.getByRole("link", { name: "Voting began: Buy pumps" }).click();
    await doraHere.getByRole("heading", { name: "Buy pumps", level: 1 }).waitFor();
    await annHere.getByRole("radio", { name: "for" }).check();
    await press(annHere, "Vote");
    await reading(annHere, "Your vote counts 2 votes of 2 votes: your own, and that of Dora, who delegated to you.");
    await annHere.getByRole("row", { name: /^Ann for 2 votes/ }).waitFor();
    await reading(doraHere, "Ann votes for you: you delegated your power.");
    await doraHere.getByRole("radio", { name: "abstain" }).check();
    await press(doraHere, "Vote");
    await annHere.getByRole("row", { name: /^Ann for 1 vote / }).waitFor();
    await doraHere.goto(`${home}/dao/${council}/delegations`);
    await press(doraHere, "Take it back");
    await press(doraHere, "Take it back");
    await reading(doraHere, "have delegated it to nobody");

    await annHere.goto(`${home}/dao/${council}/proposals/${id}`);
    expect(await button(doraHere, "Withdraw").count()).toBe(0);
    await press(annHere, "Withdraw");
    await annHere.getByRole("dialog").getByLabel("Why (optional)").fill("They are bought.");
    await press(annHere, "Withdraw for good");
    await reading(annHere, "It was withdrawn.");
    await reading(annHere, "By Ann: “They are bought.”");
    await sound(annHere);
  });

  it("gives roles and tokens, changes the rules, and says who may not, and why", async () => {
    const { id: board } = await found({ name: "Holders", config: { basis: "token" } });
    await annHere.goto(`${home}/dao/${board}/members`);
    await reading(annHere, "Ann");
    await press(annHere, "Enrol somebody");
    await annHere.getByLabel("Who").selectOption("Dora");
    await annHere.getByLabel("Tokens (optional)").fill("250");
    await press(annHere, "Enrol");
    await annHere.getByRole("row", { name: /^Dora none 250 250 no address/ }).waitFor();
    await press(annHere, "Add a role");
    await annHere.getByLabel("Name").fill("Guardian");
    await annHere.getByLabel("May withdraw any proposal before its execution").check();
    await sound(annHere);
    await press(annHere, "Add the role");
    await press(annHere, "Give a role: Dora");
    await press(annHere, "Give");
    await annHere.getByRole("row", { name: /^Dora Guardian 250/ }).waitFor();
    await sound(annHere);

    await annHere.getByRole("link", { name: "Rules" }).click();
    await press(annHere, "Change the rules");
    await annHere.getByLabel("The voting lasts", { exact: true }).fill("36");
    await annHere.getByLabel("The voting lasts: in").selectOption("hours");
    await annHere.getByLabel("Power needed to propose").fill("5");
    await annHere.getByLabel("Who changes the rules").selectOption("Nobody but a passed proposal");
    await sound(annHere);
    await press(annHere, "Change");
    await annHere.getByRole("row", { name: "The voting lasts 1 day 12 hours" }).waitFor();
    await reading(annHere, /^You cannot change them here: This DAO changes .* by proposal alone/);
    expect(await button(annHere, "Change the rules").count()).toBe(0);
    await annHere.getByRole("link", { name: "Proposals" }).click();
    await reading(annHere, "You cannot propose here: Proposing needs a power of 5; yours is 0.");

    await doraHere.goto(`${home}/dao/${board}/propose`);
    await doraHere.getByLabel("Title").fill("A higher quorum");
    await press(doraHere, "Add a measure");
    await doraHere.getByLabel("Quorum, in percent").fill("40");
    await press(doraHere, "Add");
    await reading(doraHere, "Change the rules of the DAO: Quorum: 40 % of all power must vote.");
    await press(doraHere, "Add a measure");
    await doraHere.getByLabel("What is done").selectOption("Give somebody a role in the DAO");
    await doraHere.getByLabel("Who", { exact: true }).selectOption("Ann");
    await doraHere.getByLabel("Role in the DAO").selectOption("Guardian");
    await press(doraHere, "Add");
    await reading(doraHere, "Give Ann the role “Guardian” in the DAO.");
    await press(doraHere, "Submit the proposal");
    await reading(doraHere, "Your vote counts 250 tokens of 250 tokens.");
    await annHere.goto(`${home}/dao/${board}/proposals/${await settled(doraHere)}`);
    await reading(annHere, "Your vote counts 0 tokens of 250 tokens.");

    await olafHere.goto(`${home}/dao/${board}`);
    await reading(olafHere, "You have no vote here: Your role here, observer, does not allow it.");
    await olafHere.getByRole("link", { name: "A higher quorum" }).first().click();
    await reading(olafHere, /^You cannot vote now: Your role/);
    await sound(olafHere);
    await olafHere.goto(`${home}/dao`);
    await reading(olafHere, "Holders");
    expect(await button(olafHere, "Found a DAO").count()).toBe(0);
  });

  it("takes votes that are signed elsewhere, by an address that was proved first", async () => {
    const { id: board } = await found({ name: "Signers", config: { signatures: "required" } });
    const wallet = privateKeyToAccount(`0x${"5a".repeat(32)}`);
    const sign = async (): Promise<void> => {
      const typed = JSON.parse(await annHere.getByLabel("What you sign").inputValue());
      await annHere.getByLabel("Signature").fill(await wallet.signTypedData(typed));
    };
    await annHere.goto(`${home}/dao/${board}/members`);
    await annHere.getByLabel("Address", { exact: true }).fill(wallet.address);
    await press(annHere, "Register");
    await sign();
    await sound(annHere);
    await press(annHere, "Register the address");
    await reading(annHere, "You sign votes with");
    const { id } = await api(ann, "POST", `/${board}/proposals`, { title: "Signed" });
    await annHere.goto(`${home}/dao/${board}/proposals/${id}`);
    await annHere.getByRole("radio", { name: "for" }).check();
    await press(annHere, "Vote");
    await annHere.getByLabel("Signature").fill("0x00");
    await press(annHere, "Cast the signed vote");
    await reading(annHere, /130 hexadecimal digits/);
    await sign();
    await press(annHere, "Cast the signed vote");
    await annHere.getByRole("row", { name: /^Ann for signed 1 vote/ }).waitFor();
  });

  it("shows nothing of a DAO in a compartment to whoever is not read in", async () => {
    [ann.token, dora.token] = await Promise.all([signIn(desk.at, ann.email), signIn(desk.at, dora.email)]);
    const compartment = await openCompartment(desk.at, setId, ann, "Sources", dora);
    const place = { problemSetId: setId, name: "Quince", compartments: [compartment] };
    const { id: hidden } = await api(dora, "POST", "", place);
    const { id } = await api(dora, "POST", `/${hidden}/proposals`, { title: "Quince" });
    await doraHere.goto(`${home}/dao/${hidden}/proposals/${id}`);
    await reading(doraHere, "only for: Sources");
    for (const address of [`${home}/dao`, "/workspace/dao"]) {
      await annHere.goto(address);
      await annHere.getByRole("link", { name: "Holders" }).waitFor();
      expect(await annHere.getByText("Quince").count()).toBe(0);
    }
    for (const address of ["", "/members", "/delegations", "/rules", "/propose", `/proposals/${id}`]) {
      await annHere.goto(`${home}/dao/${hidden}${address}`);
      await reading(annHere, "There is no DAO at this address that you can see.");
      expect(await annHere.getByText("Quince").count()).toBe(0);
    }
  });
});
