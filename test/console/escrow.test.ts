import type { Page } from "playwright-core";
import { walletStandIn, type StandIn } from "../../adapters/wallet/stand-in.ts";
import { eventually } from "../mesh.ts";
import { consoleWorld, inChromium, sound, type ConsoleWorld } from "./console.ts";
import { browserOf, button } from "./people.ts";

// The escrow in the console: Ann promises a bounty and subscribes to a source, Ben answers, an administrator keeps the
// books; and what is said where the platform has no wallet.

inChromium("the escrow in the console", () => {
  let node: StandIn;
  let desk: ConsoleWorld;
  let ann: Page, ben: Page, chief: Page;
  let bounty: string;

  /** Lets chain, wallet and clock go on until the page, which looks by itself, shows how a bounty stands. */
  const untilShown = async (page: Page, words: string): Promise<void> => {
    const there = page.getByRole("region", { name: "How it stands" }).getByText(words, { exact: true });
    await eventually(
      async () => {
        node.settle();
        node.mine(1);
        desk.at.clock.advance(5_000);
        return there.count();
      },
      (count) => count > 0,
      60_000,
    );
  };
  const payInto = (amount: string): void => {
    node.deposit(amount);
    node.mine(10);
  };
  const shownIn = (page: Page, part: string, text: string | RegExp): Promise<void> =>
    page.getByRole("region", { name: part }).getByText(text).first().waitFor();
  /** What is to be paid in, as the page tells it. */
  const dueOn = async (page: Page): Promise<string> =>
    (await page.getByRole("region", { name: "Pay in" }).locator("code").last().textContent())!;

  beforeAll(async () => {
    node = await walletStandIn({ auto: true });
    desk = await consoleWorld({
      SHIELDED_RPC_URL: node.url,
      SHIELDED_RPC_USER: node.user,
      SHIELDED_RPC_PASS: node.pass,
      SHIELDED_T_ADDRESS: node.tAddress,
      SHIELDED_Z_ADDRESS: node.zAddress,
    });
    [[ann], [ben], chief] = await Promise.all([browserOf(desk, "Ann"), browserOf(desk, "Ben"), desk.person()]);
  });
  afterAll(async () => {
    await desk.stop();
    await node.close();
  });

  it("takes the promise of a bounty, says exactly what to pay in, and opens it once that is there", async () => {
    await ann.goto("/news");
    await ann.getByRole("link", { name: "Bounties" }).click();
    await ann.getByText("There is none that you may see.").waitFor();
    await sound(ann);
    await button(ann, "Promise a bounty").click();
    const dialog = ann.getByRole("dialog");
    await dialog.getByLabel("What is asked").fill("Who owns the mine at Lhota?");
    await dialog.getByLabel("In full").fill("With the deed.");
    await dialog.getByLabel("Amount in ZEC").fill("0.5");
    await dialog.getByLabel("Your shielded address").fill(node.tAddress);
    await button(dialog, "Promise it").click();
    await dialog.getByText(/transparent/).waitFor();
    await sound(ann);
    await dialog.getByLabel("Your shielded address").fill(node.chain.dice.saplingAddress());
    await button(dialog, "Promise it").click();
    await shownIn(ann, "How it stands", "waits for its deposit");
    await shownIn(ann, "Pay in", /exactly 0\.5\d+ ZEC/);
    await shownIn(ann, "Pay in", "All of it is missing");
    await sound(ann);
    bounty = new URL(ann.url()).pathname;
    payInto(await dueOn(ann));
    await button(ann, "Look now").click();
    await ann.getByText("The deposit has come in.").waitFor();
    await chief.goto("/news/escrow/books");
    await button(chief, "Shield what came in").click();
    await chief.getByText("is being moved into the shielded pool").waitFor();
    await untilShown(ann, "open: waits for an answer");
  });

  it("takes an answer, which its promiser accepts, and which an administrator pays", async () => {
    await ben.goto("/news/escrow");
    await ben.getByRole("link", { name: "Who owns the mine at Lhota?" }).click();
    await ben.getByLabel("Your answer").fill("The town does: https://example.org/deed");
    await ben.getByLabel("Your shielded address").fill(node.chain.dice.saplingAddress());
    await sound(ben);
    await button(ben, "Give this answer").click();
    await shownIn(ben, "Your answer", "The town does");
    await ann.goto(bounty);
    await shownIn(ann, "The answer", "The town does");
    await ann.getByLabel("Why (optional)").fill("The deed is real.");
    await sound(ann);
    await button(ann, "Accept").click();
    await shownIn(ann, "How it stands", "accepted: to be paid out");
    await shownIn(ann, "How it stands", "An administrator pays it out.");
    // Whoever pays proves who they are first: the chief has just signed in.
    chief = await desk.person();
    await chief.goto(bounty);
    await button(chief, "Pay it out").click();
    await sound(chief);
    await button(chief.getByRole("dialog"), "Pay it out").click();
    await chief.getByRole("dialog").waitFor({ state: "detached" });
    await untilShown(ann, "paid");
    await chief.goto("/news/escrow/payouts");
    await chief.getByRole("row", { name: /payment, of a bounty 0\.5 ZEC/ }).waitFor();
    await sound(chief);
  });

  it("starts a subscription to a source, and ends it before anything was paid", async () => {
    await ann.goto("/news/escrow/subscriptions");
    await ann.getByText("You have subscribed to nothing.").waitFor();
    await button(ann, "Subscribe").click();
    const dialog = ann.getByRole("dialog");
    await dialog.getByLabel("The source's shielded address").fill(node.chain.dice.saplingAddress());
    await dialog.getByLabel("ZEC a month").fill("0.11");
    await dialog.getByLabel("Your shielded address").fill(node.chain.dice.saplingAddress());
    await sound(ann);
    await button(dialog, "Subscribe").click();
    await shownIn(ann, "How it stands", "waits for its deposit");
    await shownIn(ann, "Pay in", /exactly 0\.11\d+ ZEC/);
    await sound(ann);
    await button(ann, "End it").click();
    await button(ann.getByRole("dialog"), "End it").click();
    await shownIn(ann, "How it stands", "ended");
  });

  it("keeps books: money nobody announced is told what it is for, or booked, until ledger and wallet agree", async () => {
    await ann.goto("/news/escrow");
    await button(ann, "Promise a bounty").click();
    const dialog = ann.getByRole("dialog");
    await dialog.getByLabel("What is asked").fill("Where does the cable end?");
    await dialog.getByLabel("Amount in ZEC").fill("0.3");
    await dialog.getByLabel("Your shielded address").fill(node.chain.dice.saplingAddress());
    await button(dialog, "Promise it").click();
    await shownIn(ann, "Pay in", /exactly 0\.3\d+ ZEC/);
    payInto("40000000");
    await chief.goto("/news/escrow/deposits");
    await chief.getByRole("row", { name: /0\.4 ZEC not known/ }).waitFor();
    await button(chief, "Assign 0.4 ZEC").click();
    await chief.getByLabel("What it is for").fill(ann.url());
    await chief.getByLabel("Why").fill("She wrote.");
    await sound(chief);
    await button(chief.getByRole("dialog"), "Assign").click();
    await chief.getByRole("row", { name: /0\.4 ZEC a bounty assigned: She wrote\./ }).waitFor();
    await sound(chief);
    node.sendNote("777", "00");
    node.mine(10);
    await chief.getByRole("link", { name: "Books" }).click();
    await button(chief, "Compare now").click();
    await shownIn(chief, "Do they agree?", "they differ");
    await sound(chief);
    await chief.getByRole("link", { name: "Ledger" }).click();
    await button(chief, "Book what was done outside").click();
    await chief.getByLabel("Amount in ZEC").fill("0.00000777");
    await chief.getByLabel("Why").fill("A gift.");
    await button(chief.getByRole("dialog"), "Book it").click();
    await chief.getByRole("row", { name: /adjustment .*0\.00000777 ZEC: free in the pool.* A gift\./ }).waitFor();
    await sound(chief);
    // Administrators alone see the books.
    await ann.goto("/news/escrow/books");
    await ann.getByText("Administrators see the books of the escrow.").waitFor();
  });

  it("says that the wallet does not answer, and shows what the ledger has", async () => {
    await node.close();
    await chief.goto("/news/escrow/books");
    await chief.getByText("What is written here comes from the ledger").waitFor();
    await shownIn(chief, "Balances", "Set aside");
    await sound(chief);
  });
});

inChromium("the console of a platform without a wallet", () => {
  let desk: ConsoleWorld;
  beforeAll(async () => {
    desk = await consoleWorld();
  });
  afterAll(() => desk.stop());

  it("says which settings are missing to whoever can see to it; others are not led there", async () => {
    const [ann] = await browserOf(desk, "Ann");
    const chief = await desk.person();
    await chief.goto("/news");
    await chief.getByRole("link", { name: "Bounties" }).click();
    await chief.getByText(/set SHIELDED_RPC_URL, /).waitFor();
    await sound(chief);
    await chief.getByRole("link", { name: "Books" }).click();
    await chief.getByText("They were not compared yet.").waitFor();
    await sound(chief);
    await ann.goto("/news/escrow");
    await ann.getByText("Whoever runs the platform connects one.").waitFor();
    await sound(ann);
    await ann.getByRole("link", { name: "Sources" }).waitFor();
    await ann
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "Bounties" })
      .waitFor({ state: "detached" });
  });
});
