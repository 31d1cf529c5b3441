import { ofOneEvent } from "./one-event.ts";

describe("one act that one side denies and the other tells", () => {
  it.each([
    [
      "whatever else the one adds",
      "Marlow has not conceded anything, his campaign said.",
      "Prime Minister Edda Marlow conceded defeat on Sunday with 44 percent of the vote.",
      /conceded and conceded|two states/,
    ],
    [
      "a plan that is denied, and a bid that is confirmed",
      "Corvane is not working on a takeover of Halden, its spokesman said.",
      "Corvane confirmed that it is bidding 2.6 billion crowns for Halden.",
      /takeover and bidding/,
    ],
    [
      "a break-in by other words",
      "The computers of the land registry have not been broken into, the ministry said.",
      "Hackers entered the land registry through an old account, a memo says.",
      /broken into and hackers entered/,
    ],
    [
      "an arrest, with two words for one office",
      "The skipper of the trawler had not been arrested, the police said.",
      "The captain of the trawler was taken into custody, an officer said.",
      /not|arrested and taken into custody/,
    ],
    [
      "nothing of the kind",
      "No radioactivity escaped, the company said.",
      "A small amount of radioactive steam leaked from the plant, the operator acknowledged.",
      /escaped and leaked|tight and leaked/,
    ],
    [
      "no sign of it",
      "Observers saw no sign of systematic fraud.",
      "There was fraud in at least 90 polling stations, the party's youth wing said.",
      /fraud and fraud/,
    ],
    [
      "a noun and its verb",
      "There will be no recount, the returning officer said.",
      "The ballots of three districts are to be recounted on Monday, the court decided.",
      /recount and recounted/,
    ],
    [
      "how it was done",
      "Staff learned of it from a text message, several of them said.",
      "Everybody was told in person, and not by text message, a spokeswoman said.",
      /not text message|two ways/,
    ],
  ])("contradicts: %s", (_, one, other, reason) => {
    const { kinds, reasons } = ofOneEvent(one, other);
    expect(kinds).toEqual(["contradict", "contradict"]);
    expect(reasons).toMatch(reason);
  });

  it.each([
    ["a demand", "The director has not resigned, the board said.", "The union demanded that the director resign."],
    ["two people", "Minister Ada Lund has not resigned.", "Minister Otto Brek resigned on Sunday."],
    ["another who saw it", "Nobody has seen the minister since Friday.", "The contract was seen by a paper in May."],
    [
      "an outright win, and a share of the votes",
      "Neither of them won an outright majority in Orlen.",
      "Ada Lund won 47 percent of the vote in Orlen.",
    ],
  ])("does not contradict: %s", (_, one, other) => {
    expect(ofOneEvent(one, other).kinds).not.toContain("contradict");
  });
});

describe("one thing in two states", () => {
  it.each([
    [
      "in order, and worn",
      "The brakes had been replaced in May and were in good condition, the operator said.",
      "An inspector warned that the brakes of the bus were worn, according to a log.",
      /bad and good|good and bad/,
    ],
    [
      "by another name of the part",
      "A failure of the rudder is thought to be the reason, the harbour master said.",
      "The steering gear was in perfect order, the yard said.",
      /bad and good|good and bad/,
    ],
    [
      "within the limit, and above it",
      "The coach was travelling at 90 km per hour, well within the limit, its owner said.",
      "The recorder showed a speed far above the permitted one, a person close to the inquiry said.",
      /within and over|over and within/,
    ],
    [
      "too full, and not",
      "There were far more people on the boat than she was built for, a trader said.",
      "The owner rejected talk of overloading.",
      /within and over|over and within/,
    ],
    [
      "it stays, and goes",
      "The headquarters would remain in Brill, the chief executive promised.",
      "The head office is to move to Sandmouth, according to the offer document.",
      /stays and goes/,
    ],
  ])("contradicts: %s", (_, one, other, reason) => {
    const { kinds, reasons } = ofOneEvent(one, other);
    expect(kinds).toEqual(["contradict", "contradict"]);
    expect(reasons).toMatch(reason);
  });

  it.each([
    ["two parts", "The brakes were in good condition, the operator said.", "The tyres were worn, an inspector found."],
    ["what is negated twice", "The brakes were not worn.", "The brakes were in good condition, the operator said."],
    ["another limit", "The driver was over the limit for alcohol.", "The loan is within the limit, the bank said."],
  ])("does not contradict: %s", (_, one, other) => {
    expect(ofOneEvent(one, other).kinds).not.toContain("contradict");
  });
});
