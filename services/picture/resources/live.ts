import { z } from "zod";
import { liveType, type LiveType, type Telling } from "../../../core/contract/live.ts";
import { showing } from "../../../core/events/showing.ts";
import { audienceOf, type Place } from "../place.ts";
import { Consumable } from "./consumables/consumables.ts";
import { Group } from "./groups/groups.ts";
import { Personnel } from "./personnel/personnel.ts";
import { READ } from "./registry/permits.ts";
import { Resource } from "./registry/resources.ts";

const TOPIC = "resources";
const PERSONNEL_READ = "personnel:read";
const payload = z.object({ id: z.string() });
const about = { domain: "resources", topics: [TOPIC], payload };

export const RegisterChanged = liveType("register.changed", {
  ...about,
  summary: "A resource, a group of them or a supply that you see came to be, changed or went (topic `resources`)",
  permit: READ,
  may: READ,
});
export const PersonnelChanged = liveType("personnel.changed", {
  ...about,
  summary: "Somebody in the personnel register came to be in it, changed or went (topic `resources`)",
  permit: PERSONNEL_READ,
  may: PERSONNEL_READ,
});

const telling =
  (event: LiveType<typeof payload>) =>
  ({ id, ...place }: Place & { id: string }): Telling<typeof payload>[] => [
    { event, to: audienceOf(TOPIC, place), data: { id } },
  ];

export const SHOWS = [
  // Where a resource moves to by its readings is told by those.
  showing(Resource, telling(RegisterChanged)),
  showing(Group, telling(RegisterChanged)),
  showing(Consumable, telling(RegisterChanged)),
  showing(Personnel, telling(PersonnelChanged)),
];
