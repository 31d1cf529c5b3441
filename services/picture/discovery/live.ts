import { z } from "zod";
import { liveType, type Telling } from "../../../core/contract/live.ts";
import { showing } from "../../../core/events/showing.ts";
import { audienceOf, type Place } from "../place.ts";
import { AccessListEntry } from "./access-list/entries.ts";
import { Emission, Emitter } from "./em/emissions.ts";
import { INSPECT, PLATFORM } from "./reach.ts";
import { TransportConfig } from "./scanner/configs.ts";
import { Scanner } from "./scanner/scanner.ts";
import { Target } from "./targets/targets.ts";
import { Link } from "./topology/links.ts";

const TOPIC = "discovery";
const WHAT = ["access-list", "links", "emissions", "emitters", "targets", "scanner"] as const;
type What = (typeof WHAT)[number];
const payload = z.object({ what: z.enum(WHAT) });

export const NetworkChanged = liveType("network.changed", {
  domain: "discovery",
  summary: "What is known or decided of a problem set's networks and spectrum changed, its devices apart",
  may: INSPECT,
  payload,
});
export const NetworkNoticed = liveType("network.noticed", {
  domain: "discovery",
  summary: "The same of the platform's own networks (topic `discovery`)",
  permit: INSPECT,
  topics: [TOPIC],
  payload,
});

const telling = (what: What, place: Place): Telling<typeof payload>[] => [
  {
    event: place.problemSetId === undefined ? NetworkNoticed : NetworkChanged,
    to: audienceOf(TOPIC, place),
    data: { what },
  },
];
/** The scanner has no place: whoever inspects sees it, in training too. */
const ofScanner = (): Telling<typeof payload>[] =>
  (["operational", "training"] as const).flatMap((audience) => telling("scanner", { ...PLATFORM, audience }));

/** Without ids: a report of hundreds of links is told of once. */
export const SHOWS = [
  showing(AccessListEntry, (entry) => telling("access-list", entry)),
  showing(Link, (link) => telling("links", link)),
  showing(Emission, (emission) => telling("emissions", emission)),
  showing(Emitter, (emitter) => telling("emitters", emitter)),
  showing(Target, (target) => telling("targets", target)),
  showing(TransportConfig, ofScanner),
  showing(Scanner, ofScanner),
];
