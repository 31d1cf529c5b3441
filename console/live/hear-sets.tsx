import type { ReactNode } from "react";
import { useLive } from "./live.ts";

interface HearSetsProps {
  ids: readonly string[];
  /** What happens there, by its activity, unless said. */
  events?: readonly string[];
  ops: readonly string[];
}

const ACTIVITY = ["activity.item"];

/** Reads again what is shown when something happens in these problem sets. */
export const HearSets = ({ ids, events = ACTIVITY, ops }: HearSetsProps): ReactNode =>
  ids.slice(0, 10).map((id) => <HearSet key={id} id={id} events={events} ops={ops} />);

function HearSet({ id, events, ops }: { id: string; events: readonly string[]; ops: readonly string[] }): ReactNode {
  useLive({ problemSetId: id }, events, undefined, { ops });
  return null;
}
