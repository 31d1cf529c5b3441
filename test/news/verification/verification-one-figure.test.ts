import { matterOf, statementOf } from "../../../core/text/statements/statement.ts";
import { otherFilling } from "../../../services/news/verification/references/slots/slots.ts";

// An event has one turnout, one death and one next meeting: two of them exclude each other, in whatever words.

const filling = (claim: string, sentence: string, later?: number): string | undefined =>
  otherFilling(matterOf(statementOf(claim)), matterOf(statementOf(sentence)), [], later);

it.each([
  [
    "jobs that go",
    "Orvan will cut 1,800 jobs at its plant, it said.",
    "A list at the works council has 2,600 positions to be eliminated.",
  ],
  [
    "who voted",
    "Turnout was 57 percent, the ministry said.",
    "Only 41 percent of the electorate took part, monitors said.",
  ],
  ["who watched", "The match was watched by 31,000 spectators.", "The turnstiles counted 28,400 people."],
  ["who was aboard", "The bus had 46 people on board.", "There were 61 passengers on the bus, the police counted."],
  ["a term", "The judges sentenced Dahl to seven years in prison.", "Dahl will serve nine years behind bars."],
  ["a cost", "The tunnel cost 480 million euros.", "In the end the bill came to 615 million euros."],
  [
    "what was stolen",
    "The data of 90,000 customers was stolen.",
    "Records of 1.1 million customers were copied, the hackers wrote.",
  ],
  [
    "a ransom",
    "The company paid a ransom of 3 million dollars.",
    "A ransom of 700,000 dollars was paid, according to the police.",
  ],
  ["votes", "Six members voted for the step and three against.", "The vote was five to four, people in the room said."],
  [
    "who won",
    "Elena Marsh has won the mayoral election.",
    "Tobias Renn declared himself the winner of the vote on Sunday.",
  ],
  [
    "who gets an office, whatever the other has been",
    "Bruno Katz was named to run the interior ministry.",
    "Justice minister Carl Estevan will take over the department.",
  ],
  ["a staff", "The works employs 1,850 people.", "About 2,400 people work there, according to the treasury."],
  ["a gap", "The gap is 40 metres wide, engineers said.", "Sandbags fell into a breach that was 90 metres wide."],
  ["a recall", "The recall covers 2.1 million scooters.", "Zipline is calling back 1.4 million scooters."],
  [
    "a cut",
    "Producers agreed to cut output by one million barrels a day.",
    "The producers decided on a reduction of output by 600,000 barrels a day.",
  ],
  ["who boarded", "Some 92 people had been on board.", "The company said that 141 had boarded."],
  ["the next meeting", "The delegations will meet again on 3 May.", "The next round of talks begins on 17 May."],
  [
    "how they came in",
    "The attackers got in through a phishing e-mail.",
    "The gang had exploited an unpatched server, investigators found.",
  ],
  ["how a fire began", "Lightning started the fire.", "The blaze was set deliberately, police said."],
  ["where an illness came from", "The outbreak was traced to oysters.", "The infections came from the drinking water."],
  [
    "who takes an office",
    "Deputy minister Aldous Kern will take over the ministry on Monday.",
    "The Prime Minister has appointed Mira Sand as minister of energy.",
  ],
  [
    "who fired first",
    "It was Bolarin's border guards who fired first, Usk said.",
    "Savages from Usk fired the first shot at dawn.",
  ],
  ["the day of a strike", "The strike will begin on Tuesday.", "Drivers will stop work at four on Monday morning."],
  ["the hour of an impact", "The two ships touched at 8.40 p.m.", "The recorder put the impact at 9.15 p.m."],
  ["how they got out", "They got away through a tunnel.", "The convicts drove out in the laundry van."],
  ["why somebody left", "The minister resigned on Saturday.", "The prime minister dismissed her, an aide said."],
  ["a goal of a trial", "The trial met its main goal.", "The drug missed its primary endpoint."],
  ["an offer", "The company had put five percent on the table.", "The offer was put at 6.5 percent, she said."],
  ["an alarm", "The sirens stayed silent before the flood.", "The sirens sounded an hour before the water came."],
])("%s", (_what, claim, sentence) => {
  expect(filling(claim, sentence)).toBeDefined();
  expect(filling(sentence, claim)).toBeDefined();
});

it.each([
  ["a whole", "Orvan will cut 1,800 jobs at its plant.", "The group employs 21,000 people in nine countries."],
  ["a demand", "The judges sentenced Dahl to seven years in prison.", "Prosecutors had demanded ten years in prison."],
  [
    "somebody else",
    "The court sentenced Mirko Dahl to seven years in prison.",
    "His brother Jonas Dahl must serve three years in prison.",
  ],
  ["another vote", "Turnout was 57 percent.", "In the last election 63 percent of voters went to the polls."],
  ["room", "The attendance was given as 26,400.", "The stadium holds 31,000 spectators."],
  ["those saved", "The ferry had 214 people on board.", "Rescuers pulled 180 people from the water."],
  ["running costs", "The tunnel cost 615 million euros.", "Its upkeep will cost 9 million euros a year."],
  ["a first round", "Elena Marsh has won the mayoral election.", "Tobias Renn won the first round in April."],
  [
    "what came with it",
    "The fire was set deliberately.",
    "The fire cut a power line, and 4,000 homes were without electricity.",
  ],
  ["what is ruled out", "Arson is not suspected, the fire chief said.", "A short circuit started the fire."],
  ["who has not left", "Minister Ada Lund has not resigned.", "The minister was dismissed by the president in May."],
  [
    "an offer, and a vote",
    "The company had put five percent on the table.",
    "Drivers accepted the offer by 52 to 48 percent.",
  ],
  [
    "a count that goes on",
    "Ilse Halm has won the election with 41 percent of ballots counted.",
    "Bastian Kroll was elected president, the ministry noted.",
  ],
  [
    "offices of one reshuffle",
    "Aldous Kern has been named finance minister.",
    "Mira Sand has been appointed interior minister.",
  ],
  ["places that open again", "The schools reopen on Monday.", "The airport will stay closed until Tuesday."],
  ["two matches", "On Sunday Orvik won before 31,000 spectators.", "In Halm 22,000 spectators saw a draw."],
  ["a second blast", "The first blast came at 8.40 p.m.", "A second explosion followed at 9.15 p.m."],
  ["several weapons", "Missiles hit the port of Arven.", "Drones struck a power station in the same night."],
  ["the same figure", "Turnout was 57 percent.", "57 percent of the electorate took part."],
])("%s is no other filling", (_what, claim, sentence) => {
  expect(filling(claim, sentence)).toBeUndefined();
  expect(filling(sentence, claim)).toBeUndefined();
});

it("what changes within hours excludes each other at one time alone", () => {
  const [shut, open] = ["The bridge remains closed, the mayor said.", "The bridge is open again, the police said."];
  expect(filling(shut, open, 1)).toBeDefined();
  expect(filling(shut, open, 30)).toBeUndefined();
  expect(filling(shut, open)).toBeUndefined();
  expect(filling("One man is in custody over the bridge.", "Another man is still at large.", 1)).toBeUndefined();
});

it.each(["Turnout was barely", "Turnout hardly reached", "Turnout scarcely reached", "Only"])(
  "few are not none: %s so much is a figure, and what was never reached is not",
  (few) => {
    const rest = few === "Only" ? "41 percent of voters took part" : "41 percent";
    const [turnout, other] = ["Turnout was 57 percent, the ministry said.", `${few} ${rest}, monitors said.`];
    for (const [one, two] of [
      [turnout, other],
      [other, turnout],
    ])
      expect(filling(one!, two!)).toMatch(/^different figure: /);
    expect(filling(turnout, "Turnout never reached 41 percent, monitors said.")).toBeUndefined();
  },
);
