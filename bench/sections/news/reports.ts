import { random } from "../../corpus.ts";

export interface Report {
  /** Number of the outlet, from 0. */
  outlet: number;
  title: string;
  text: string;
  /** Minutes before the moment of reading. */
  ago: number;
}

export const OUTLETS = 24;
const EVENT_MINUTES = 35;
const SENTENCES = 13;

type Pick = <T>(of: readonly T[]) => T;
const listed = (words: string): readonly string[] => words.split("|");

const HEADS = listed(
  "Ar|Bel|Cas|Dun|Esk|Far|Gal|Hes|Ilv|Jor|Kel|Lun|Mor|Nor|Ost|Per|Quil|Rav|Sel|Tol|Ul|Ver|Wen|Yar|Zel",
);
const MIDDLES = listed("a|e|o|an|er|in|ov|und|al|em");
const TAILS = listed("den|mora|trel|mark|ska|row|din|tia|ton|van|mont|vale|haven|rava|gard|by|stad|nik");
const FIRST = listed(
  "Ada|Boris|Clara|Dario|Elsa|Femi|Greta|Hamid|Ines|Jonas|Karla|Luis|Mona|Nils|Olga|Pavel|Rosa|Sami|Tilda|Viktor",
);
const OFFICES = listed(
  "police|the fire brigade|the interior ministry|the regional governor|the hospital|the mayor|the prosecutor|the company|the union|the statistics office|the coastguard|the operator|the health authority|a court clerk|the labour ministry",
);
const DAYS = listed("Friday|Saturday|Sunday|Monday");

/** What an event is of: its place, its person, its figure, and another one. */
interface Event {
  place: string;
  person: string;
  count: number;
  other: number;
  day: string;
}
type Telling = (event: Event, by: string) => string;

/** Kinds of events, each told in several words; the first of each is a title. */
const KINDS: readonly (readonly [(event: Event) => string, ...Telling[]])[] = [
  [
    ({ place, count }) => `Fire in ${place} warehouse injures ${count}`,
    ({ place, count, day }, by) => `A fire in a warehouse in ${place} injured ${count} people on ${day}, ${by} said.`,
    ({ place, count }, by) => `${count} people were hurt when a warehouse burned in ${place}, according to ${by}.`,
    ({ place, other }, by) => `The blaze in ${place} destroyed ${other} tonnes of grain, ${by} said.`,
  ],
  [
    ({ place, count }) => `${place} raises tram fares by ${count} percent`,
    ({ place, count, day }, by) =>
      `Tram fares in ${place} will rise by ${count} percent in spring, ${by} announced on ${day}.`,
    ({ place, count }) => `Passengers of the tram in ${place} are to pay ${count} percent more.`,
    ({ place, other }, by) => `The trams of ${place} carried ${other} passengers a day last year, ${by} said.`,
  ],
  [
    ({ person, place }) => `${person} elected mayor of ${place}`,
    ({ person, place, count, day }, by) =>
      `${person} won the election in ${place} on ${day} with ${count} percent of the vote, ${by} said.`,
    ({ person, place }, by) => `Voters in ${place} chose ${person} as their mayor, ${by} announced.`,
    ({ place, other }, by) => `In ${place} ${other} ballots were found to be invalid, ${by} said.`,
  ],
  [
    ({ place, count }) => `Strike halts ${place} shipyard, ${count} ships wait`,
    ({ place, count, day }, by) =>
      `Workers of the shipyard in ${place} walked out on ${day}, and ${count} ships are waiting, ${by} said.`,
    ({ place, count }) => `A strike has left ${count} vessels without repair in ${place}.`,
    ({ place, other }, by) => `The yard at ${place} employs ${other} people, according to ${by}.`,
  ],
  [
    ({ person, count }) => `${person} jailed for ${count} months over bribes`,
    ({ person, place, count, day }, by) =>
      `A court in ${place} sentenced ${person} to ${count} months in prison on ${day}, ${by} said.`,
    ({ person, place, count }) => `${person} must go to prison for ${count} months, judges in ${place} ruled.`,
    ({ person, other }, by) => `${person} had taken ${other} crowns in cash, ${by} said.`,
  ],
  [
    ({ place, count }) => `Measles: ${count} cases in ${place}`,
    ({ place, count, day }, by) => `${count} people in ${place} had caught measles by ${day}, ${by} said.`,
    ({ place, count }, by) => `The number of measles cases in ${place} reached ${count}, according to ${by}.`,
    ({ place, other }, by) => `Nurses in ${place} have vaccinated ${other} children since then, ${by} said.`,
  ],
  [
    ({ place, count }) => `Factory in ${place} to close, ${count} jobs go`,
    ({ place, count, day }, by) =>
      `A maker of pumps will close its factory in ${place} and cut ${count} jobs, ${by} said on ${day}.`,
    ({ place, count }) => `${count} workers in ${place} lose their jobs because a pump factory closes.`,
    ({ place, other }, by) => `The factory in ${place} made ${other} pumps a year, according to ${by}.`,
  ],
  [
    ({ place, count }) => `Landslide cuts off ${count} villages near ${place}`,
    ({ place, count, day }, by) => `A landslide near ${place} cut off ${count} villages on ${day}, ${by} said.`,
    ({ place, count }, by) => `Mud has closed the roads to ${count} villages around ${place}, according to ${by}.`,
    ({ place, other }, by) => `Helicopters brought ${other} people from there to ${place}, ${by} said.`,
  ],
];

const WHO = listed(
  "A baker|The parish priest|Two deputies|A retired engineer|The head of the school|Farmers|Shopkeepers|A taxi driver|The choir|A historian|Students|The ferry captain|A widow of 80|Gardeners|The librarian|A carpenter|Nurses of the night shift|The town clerk|Anglers|A film crew|The bus company|Residents of the upper town|A geologist|The museum|Volunteers|Traders at the market|An architect|The savings bank|Hunters|The brass band",
);
const DID = listed(
  "repaired|remembered|complained about|photographed|paid for|opened|closed|cleaned|praised|measured|counted|painted|sold|borrowed|inspected|waited for|wrote about|argued over|lost|found|carried|rebuilt|rented|described|searched for|welcomed|postponed|moved",
);
const WHAT = listed(
  "the old pump house|a row of lime trees|the cellar of the town hall|a collection of maps|the road along the river|the winter timetable|a wooden bridge|the clock of the station|three rooms of the inn|a field of barley|the roof of the gymnasium|a list of names|the water meter|a load of bricks|the north wall|the menu of the canteen|an archive of letters|the drainage plan|a boat shed|the football pitch|a steam engine|the lease of the mill|the school kitchen|a box of tools|the garden of the clinic|the lift",
);
const HOW = listed(
  "before the first frost|in spite of the rain|without much noise|for the third time|after a long meeting|with help from abroad|on the second floor|as in every autumn|for lack of money|in plain sight of everybody|at their own cost|between two trains|under a new rule|in the early hours|with a loan from the county|by candlelight|to everyone's surprise|against the advice of the surveyor|within a week|during the holidays",
);

/** Reports of so many minutes of news: most events are told by one or two outlets, few by many, each in its own words. */
export function reports(count: number, seed = 7): Report[] {
  const next = random(seed);
  const pick: Pick = (of) => of[Math.floor(next() * of.length)]!;
  const name = (): string => pick(HEADS) + pick(MIDDLES) + pick(TAILS);
  const number = (most: number): number => 3 + Math.floor(next() ** 2 * most);
  const aside = (): string => `${pick(WHO)} ${pick(DID)} ${pick(WHAT)} ${pick(HOW)}.`;
  const found: Report[] = [];
  for (let at = 0; found.length < count; at++) {
    const [title, ...tellings] = pick(KINDS);
    const event: Event = {
      place: name(),
      person: `${pick(FIRST)} ${name()}`,
      count: number(90),
      other: number(20_000),
      day: pick(DAYS),
    };
    const voices = 1 + Math.floor(next() ** 2 * 5);
    const first = Math.floor(next() * OUTLETS);
    for (let voice = 0; voice < voices && found.length < count; voice++) {
      const told = { ...event, count: next() < 0.1 ? event.count + 5 : event.count };
      const lead = tellings[voice % 2]!(told, pick(OFFICES));
      const body = Array.from({ length: SENTENCES }, aside);
      body.splice(1 + Math.floor(next() * 4), 0, tellings[2]!(event, pick(OFFICES)));
      const text = [lead, ...body].join(" ");
      found.push({ outlet: (first + voice) % OUTLETS, title: title(told), text, ago: at * EVENT_MINUTES + voice * 9 });
    }
  }
  return found;
}
