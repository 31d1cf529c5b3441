import type { ComponentProps, ReactNode } from "react";
import { useLive } from "../../live/live.ts";
import { Tabs } from "../../parts/tabs.tsx";
import { PictureFrame, placeQuery, type PicturePlace } from "../place.tsx";

const TABS = [
  ["", "Resources"],
  ["/find", "Find"],
  ["/supplies", "Supplies"],
  ["/groups", "Groups"],
] as const;

/** What there is and what it holds: a page on it, and the ways to the others. */
export const ResourcesFrame = ({ children, ...frame }: ComponentProps<typeof PictureFrame>): ReactNode => (
  <PictureFrame {...frame}>
    {(place) => (
      <>
        <ResourcesTabs place={place} />
        <HearRegister {...place} />
        {children(place)}
      </>
    )}
  </PictureFrame>
);

/** Reads again what is shown of resources, groups, people and supplies when somebody changes one there. */
export function HearRegister({ problemSetId }: { problemSetId?: string | undefined }): ReactNode {
  const where = problemSetId === undefined ? { topic: "resources" } : { problemSetId };
  useLive(where, ["register.changed", "personnel.changed"], undefined, { ops: ["GET /resources"] });
  return null;
}

const ResourcesTabs = ({ place }: { place: PicturePlace }): ReactNode => (
  <Tabs
    label="Resources"
    of={TABS.map(([below, words]) => ({
      to: { pathname: `/picture/resources${below}`, search: placeQuery(place) },
      words,
    }))}
  />
);
