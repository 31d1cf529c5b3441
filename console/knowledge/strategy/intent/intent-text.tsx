import type { ReactNode } from "react";
import type { IntentSaid } from "./intent-write.tsx";

/** The three parts of an intent. */
export const IntentText = ({
  of: { purpose, keyTasks, endState },
}: {
  of: Omit<IntentSaid, "citations">;
}): ReactNode => (
  <dl dir="auto">
    <dt>Purpose</dt>
    <dd>{purpose}</dd>
    <dt>Key tasks</dt>
    <dd>
      <ul>
        {keyTasks.map((task, at) => (
          <li key={`${at} ${task}`}>{task}</li>
        ))}
      </ul>
    </dd>
    <dt>End state</dt>
    <dd>{endState}</dd>
  </dl>
);
