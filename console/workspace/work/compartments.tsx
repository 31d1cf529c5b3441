import type { ReactNode } from "react";
import { BarrierOf, ReadersOf } from "../../app/compartments.tsx";
import { useSet } from "../set/use-set.tsx";

/** Says that a record is not for everybody in the set. */
export const Barrier = ({ compartments }: { compartments: readonly string[] }): ReactNode => (
  <BarrierOf problemSetId={useSet().set.id} compartments={compartments} />
);

/** Who of the set will see a new record. */
export const ReadersChoice = ({ hint }: { hint?: string }): ReactNode => (
  <ReadersOf problemSetId={useSet().set.id} {...(hint !== undefined && { hint })} />
);
