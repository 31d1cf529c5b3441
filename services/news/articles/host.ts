import type { Host } from "../../../core/endpoint.ts";
import type { Intake } from "./intake.ts";
import type { Marks } from "./marks.ts";
import type { Pages } from "./pages.ts";
import type { Removal } from "./removal.ts";
import type { Stories } from "./stories.ts";
import type { Texts } from "./texts.ts";

/** The service, as its handlers see it. */
export interface Articles extends Host {
  texts: Texts;
  stories: Stories;
  intake: Intake;
  marks: Marks;
  removal: Removal;
  pages: Pages;
}
