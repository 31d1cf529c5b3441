import type { ReactNode } from "react";
import { Time } from "../../../parts/texts.tsx";
import type { Proposal } from "../dao-types.ts";
import { courseOf } from "./course-steps.ts";

/** A proposal's way, from its submission to what came of it: what is past, what is now, what is to come. */
export const Course = ({ proposal }: { proposal: Proposal }): ReactNode => (
  <ol className="course">
    {courseOf(proposal).map(({ words, at, stands, note }) => (
      <li key={words} className={stands} aria-current={stands === "now" ? "step" : undefined}>
        {words}
        {at && (
          <>
            {": "}
            <Time at={at} />
          </>
        )}
        {note && <small className="muted"> {note}</small>}
      </li>
    ))}
  </ol>
);
