import type { ComponentProps, ReactNode } from "react";
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
        {children(place)}
      </>
    )}
  </PictureFrame>
);

const ResourcesTabs = ({ place }: { place: PicturePlace }): ReactNode => (
  <Tabs
    label="Resources"
    of={TABS.map(([below, words]) => ({
      to: { pathname: `/picture/resources${below}`, search: placeQuery(place) },
      words,
    }))}
  />
);
