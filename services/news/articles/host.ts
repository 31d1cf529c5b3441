import type { Host } from "../../../core/contract/endpoint.ts";
import type { ArrivalBroadcast } from "./intake/arrival-broadcast.ts";
import type { Intake } from "./intake/intake.ts";
import type { Marks } from "./indexing/marks.ts";
import type { Pages } from "./intake/pages.ts";
import type { Removal } from "./intake/removal.ts";
import type { Stories } from "./dedup/stories.ts";
import type { Texts } from "./intake/texts.ts";

/** The service, as its handlers see it. */
export interface Articles extends Host {
  texts: Texts;
  stories: Stories;
  intake: Intake;
  marks: Marks;
  removal: Removal;
  pages: Pages;
  arrivals: ArrivalBroadcast;
}
