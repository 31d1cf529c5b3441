import { extractClaims } from "../../../services/news/verification/claims/detection.ts";
import { scoreSentence } from "../../../services/news/verification/claims/check-worthiness.ts";
import { statementOf } from "../../../core/text/statements/statement.ts";
import { agentOf, likeness, themeOf } from "../../../core/text/statements/themes.ts";
import { ofOneEvent } from "./one-event.ts";

describe("one slot of an event filled in two ways", () => {
  it.each([
    [
      "a vote of all, and one that some were against",
      "All nine members voted for the merger, the chairwoman said.",
      "Two of the fund's nine members voted against it.",
      /all of them against a part/,
    ],
    [
      "alone, and with others",
      "A lone gunman attacked the market, police said.",
      "Three attackers came in a white van, a trader said.",
      /alone against others/,
    ],
    [
      "two who hold one place",
      "The militia has taken the harbour, residents said.",
      "The harbour is firmly in the hands of the navy, the governor said.",
      /in two hands/,
    ],
    [
      "two at the head of one",
      "Colonel Dvorak commands the garrison.",
      "Major Sedlak commands the garrison, residents said.",
      /two at the head of one: Dvorak and Major Sedlak/,
    ],
    [
      "two hours of one beginning",
      "The shelling began at 4 am, residents said.",
      "The shelling began at 9 am, the army said.",
      /another time of the same/,
    ],
    [
      "two days on which one law begins to hold",
      "The law takes effect on January 1.",
      "The law will come into force in July, the ministry said.",
      /another time of the same/,
    ],
    [
      "two prices of one purchase",
      "Varo is buying Calder for 6.4 billion euros, both said.",
      "Varo will pay 7.9 billion euros for Calder, an analyst found.",
      /6\.4 billion euros against 7\.9 billion/,
    ],
    [
      "two counts of one crowd",
      "Some 90,000 people marched through Olm on Sunday, the organisers said.",
      "About 7,000 people took part in the protest in Olm on Sunday, police said.",
      /90,000 against 7,000/,
    ],
    [
      "a link that is not shown, and a cause",
      "A link between the drug and the seizures has not been shown, the agency said.",
      "The drug causes the seizures, its inventor told reporters.",
      /no link against a cause/,
    ],
    [
      "all saved, and some dead",
      "All passengers were rescued, the navy said.",
      "Nine passengers drowned, relatives said.",
      /none against Nine/,
    ],
    [
      "a word and the same with a prefix",
      "The airline is insolvent.",
      "The airline is solvent, its chief executive said.",
      /opposites: insolvent and solvent/,
    ],
  ])("contradicts: %s", (_, one, other, reason) => {
    const { kinds, reasons } = ofOneEvent(one, other);
    expect(kinds).toContain("contradict");
    expect(kinds).not.toContain("support");
    expect(reasons).toMatch(reason);
  });

  it.each([
    ["the attackers that were caught", "One of the attackers was arrested.", "Three attackers took part, police said."],
    [
      "a place that changed hands",
      "The rebels took the airport on Friday.",
      "The army won back the airport on Sunday.",
    ],
    [
      "a part of those whom the other counts too",
      "Five people were badly hurt when a tram left the rails in Olm.",
      "A tram carrying 120 people came off the rails in Olm, injuring 31 people, five of them badly.",
    ],
    [
      "bodies found one after the other",
      "Divers found 17 bodies on Sunday.",
      "Forty-one bodies were pulled from the lake.",
    ],
    ["another year", "In 2019, 63 people died on the lake.", "The number of dead in the disaster rose to 58."],
    [
      "people of two kinds",
      "Fourteen employees are under observation, the hospital said.",
      "Three workers were being checked, the operator said.",
    ],
    [
      "a need, where altering it is denied",
      "The two will meet in a second round on December 6.",
      "The recount will not alter the need for a second round.",
    ],
    ["another language", "Die Bugklappe riss auf vier Metern auf.", "Nobody was killed."],
    [
      "another language's share",
      "La protection baisse à 58 % la deuxième année.",
      "Protection was higher, at 84 percent.",
    ],
    ["the same denial", "The depot at Tulm burned and nobody was hurt.", "No one was injured."],
    [
      "two things with a head each",
      "Hana Kralova heads the committee on water.",
      "Eva Simkova heads the committee on roads.",
    ],
    [
      "readings of two days",
      "On Monday the gauge at Dolany read 4.1 metres.",
      "On Tuesday the gauge at Dolany read 5.2 metres.",
    ],
    ["one by two names", "President Tomas Koroma heads the government.", "Koroma heads the government."],
    ["another trial", "The trial begins on Monday.", "The trial of his wife begins on Thursday."],
    ["crowds of two towns", "About 8,000 people marched in Kesten.", "About 2,000 people marched in Holm."],
    [
      "debts, and a price",
      "Varo is buying Calder for 6.4 billion euros.",
      "Calder has debts of 2.1 billion euros, Varo said.",
    ],
  ])("does not: %s", (_, one, other) => {
    expect(ofOneEvent(one, other).kinds).not.toContain("contradict");
  });
});

describe("opposites", () => {
  it.each([
    ["the driver and the owner", "The court acquitted the driver.", "The court convicted the owner of the lorry."],
    [
      "a budget and a change of it",
      "The council approved the budget.",
      "The council rejected an amendment to the budget.",
    ],
    ["the museum and its shop", "The museum will stay shut until the roof is mended.", "The museum shop is open."],
    ["the first half and the second", "The club won the first leg 2-0.", "The club lost the second leg."],
    ["two houses", "The lower house passed the bill.", "The upper house rejected the bill."],
    ["two groups", "The union accepted the offer for nurses.", "The union rejected the offer for porters."],
    ["north and south", "The fire is under control in the north.", "The fire keeps spreading in the south."],
    ["a camp and the summit", "The climbers reached the camp on Friday.", "The climbers did not reach the summit."],
    [
      "what is stopped, and what was done before",
      "Doctors were told to stop giving the vaccine.",
      "About 1.3 million doses of the vaccine have been given since spring.",
    ],
  ])("are none of two things: %s", (_, one, other) => {
    expect(ofOneEvent(one, other).kinds).not.toContain("contradict");
  });

  it.each([
    ["The festival goes ahead, the organisers said.", "The festival has been cancelled, the town said."],
    ["The judge granted bail.", "The judge refused bail."],
    ["The fire was started deliberately, the fire brigade said.", "The fire was caused by a short circuit."],
    ["The queen attended the opening.", "The queen was absent from the opening."],
  ])("are, of one thing: %s", (one, other) => {
    expect(ofOneEvent(one, other).kinds).toContain("contradict");
  });
});

describe("what a word is said of", () => {
  const headOf = (text: string, word: string): string | undefined => {
    const stated = statementOf(text);
    return themeOf(
      stated,
      stated.words.findIndex((one) => one.text === word),
    )?.head;
  };

  it.each([
    ["Police closed the old bridge on Friday.", "closed", "bridg"],
    ["The old bridge was closed by police.", "closed", "bridg"],
    ["The closure of the bridge was announced.", "closure", "bridg"],
    ["Prices of bread rose by 4 percent.", "rose", "price"],
    ["The senator refused to sign the bill.", "refused", "bill"],
  ])("is found behind a verb, before it, or behind a noun: %s", (text, word, head) => {
    expect(headOf(text, word)).toBe(head);
  });

  it("is one, two, or not told", () => {
    const said = (text: string, word: string) => {
      const stated = statementOf(text);
      return themeOf(
        stated,
        stated.words.findIndex((one) => one.text === word),
      );
    };
    const bridge = said("Police closed the bridge.", "closed");
    expect(likeness(bridge, said("The bridge was opened.", "opened"))).toBe("same");
    expect(likeness(bridge, said("The tunnel was opened.", "opened"))).toBe("apart");
    expect(likeness(bridge, said("It was opened.", "opened"))).toBe("unknown");
  });

  it("is done by whoever stands before an active verb and behind a passive one", () => {
    const agent = (text: string, word: string) => {
      const stated = statementOf(text);
      return agentOf(
        stated,
        stated.words.findIndex((one) => one.text === word),
      )?.head;
    };
    expect(agent("Rangers closed the bridge.", "closed")).toBe("ranger");
    expect(agent("The bridge was closed by rangers.", "closed")).toBe("ranger");
    expect(agent("The bridge was closed.", "closed")).toBeUndefined();
  });
});

describe("a short sentence that tells one thing", () => {
  it.each([
    "The captain was arrested.",
    "Nobody was injured.",
    "The crew of the space station took shelter for an hour.",
    "He will appeal, his lawyer said.",
    "He acted alone, the prosecutor said.",
    "There were no casualties.",
    "No one has been hurt.",
    "Nobody died.",
    "Its captain, Dario Quint, is assisting the authorities.",
    "The reactor is working as usual.",
    "The new president takes office on 15 January.",
    "It began at 04:47 local time.",
    "Prosecutors said they would challenge the ruling before the Supreme Court.",
    "Each side let 40 prisoners go on Friday.",
    "Sixty-five operations were put off because scans could not be read.",
  ])("is a claim: %s", (text) => expect(scoreSentence(text)).toBeGreaterThanOrEqual(50));

  it.each([
    "She smiled and shook her head.",
    "Clearly, the world has changed.",
    "A spokesman was not immediately available for comment.",
    "It was not easy.",
    "We closed the door.",
    "There is no easy way out, and everybody should be told.",
    "The ruling would be challenged by nobody.",
    "The game is going to be hard.",
  ])("is none: %s", (text) => expect(scoreSentence(text)).toBeLessThan(50));

  it("is taken from an article beside those with figures", () => {
    const claims = extractClaims("A ferry sank off Luzon on Sunday, killing 38 people. The captain was arrested.");
    expect(claims.map(({ text }) => text)).toContain("The captain was arrested.");
  });
});

describe("support", () => {
  it.each([
    [
      "a figure that is told of nothing else",
      "The works employs 1,850 people.",
      "The town lives on its 1,850 steelworkers.",
    ],
    ["a denial of one word", "Nobody was hurt, the railway said.", "No one was injured."],
    ["one day of one beginning", "The ban takes effect on December 15.", "The ban begins on Dec 15."],
  ])("is seen in other words: %s", (_, one, other) => {
    expect(ofOneEvent(one, other).kinds).toContain("support");
  });

  it("is not taken from what somebody else did", () => {
    expect(
      ofOneEvent("Hana Kralova won the race in Lhota.", "The race in Lhota was won by Eva Simkova.").kinds,
    ).not.toContain("support");
  });

  it("is not taken from a sentence that says the opposite of a part", () => {
    expect(
      ofOneEvent("The ministry has blocked the wind farm.", "The government approved the wind farm.").kinds,
    ).not.toContain("support");
  });
});
