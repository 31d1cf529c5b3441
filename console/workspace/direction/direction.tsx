import type { ReactNode } from "react";
import { Link } from "react-router";
import { SetPage, useSet } from "../set/use-set.tsx";
import { Directing } from "./directing.tsx";
import { Inherited } from "./inherited.tsx";
import { RemarksBelow } from "./remarks-below.tsx";

const ToDesign = (): ReactNode => (
  <Link className="button" to={`/workspace/${useSet().set.id}/design`}>
    Design
  </Link>
);

/** What this set is to reach and to keep to: by the set above, and by itself for the sets below. */
export const DirectionPage = (): ReactNode => {
  const { set } = useSet();
  // What there is the most to read of has the most room.
  const own = <Directing />;
  return (
    <SetPage
      title="Direction"
      intro="Intent, objectives and constraints: those of the set above, and those that this set lays down for itself and the sets below."
      acts={<ToDesign />}
    >
      <div className="beside">
        <div className="stack">
          {set.parentId ? <Inherited /> : own}
          <RemarksBelow />
        </div>
        <div className="stack">{set.parentId ? own : <Inherited />}</div>
      </div>
    </SetPage>
  );
};
