import { useMay } from "../../../app/session.tsx";
import { useMayIn } from "../../../app/sets.ts";

/** Whether this administrator may change agents and teams of a place: in a problem set their role there decides too. */
export function useAdministers(problemSetId: string | undefined): boolean {
  const mayIn = useMayIn(problemSetId);
  const mayAll = useMay("agents:administer");
  const mayAdminister = useMay("platform:administer");
  return mayAdminister && (problemSetId === undefined ? mayAll : mayIn("agents:enrol"));
}
