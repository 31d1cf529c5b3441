import type { ReactNode } from "react";
import type { MySet } from "../../app/sets.ts";
import { useLive } from "../../live/live.ts";
import { Tabs } from "../../parts/tabs.tsx";
import { PageOfSet } from "../area.tsx";

export const INTELLIGENCE = "/knowledge/intelligence";

const TABS = [
  ["", "Reports compared"],
  ["/monitors", "Monitors and alerts"],
  ["/cycles", "Cycles"],
] as const;

interface PartProps {
  title: string;
  intro: string;
  acts?: (of: { setId: string }) => ReactNode;
  children(set: MySet): ReactNode;
}

/** A page on what a problem set's own intelligence does: all of them stay as they are while it goes on. */
export const IntelligencePage = ({ children, ...page }: PartProps): ReactNode => (
  <PageOfSet {...page}>
    {(set) => (
      <Going setId={set.id}>
        <Tabs
          label="Intelligence"
          of={TABS.map(([below, words]) => ({
            to: { pathname: `${INTELLIGENCE}${below}`, search: `?set=${set.id}` },
            words,
          }))}
        />
        {children(set)}
      </Going>
    )}
  </PageOfSet>
);

function Going({ setId, children }: { setId: string; children: ReactNode }): ReactNode {
  useLive({ problemSetId: setId }, ["product.changed", "threat.alerted", "cycle.changed"]);
  return children;
}
