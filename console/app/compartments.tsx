import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Answer, ListRow } from "../api/client.ts";
import { useAnswer } from "../api/hooks.ts";
import { Select } from "../parts/form.tsx";
import { Badge } from "../parts/texts.tsx";
import { useOwnDids } from "./own-dids.ts";

export type SetCompartment = ListRow<"GET /problem-sets/{id}/compartments">;
/** More than any set has: no page of the console lists them in parts. */
const ALL = 100;

/** The compartments of a problem set that this person knows of: all of them as a manager, their own otherwise. */
export const useCompartmentsOf = (
  problemSetId: string | undefined,
  status: SetCompartment["status"],
  enabled = true,
): UseQueryResult<Answer<"GET /problem-sets/{id}/compartments">> =>
  useAnswer(
    "GET /problem-sets/{id}/compartments",
    [{ path: { id: problemSetId ?? "" }, query: { status, limit: ALL } }],
    {
      enabled: enabled && problemSetId !== undefined,
    },
  );

/** Whether this person is read into a compartment. A member keeps the DID that they joined with. */
export function useIsReadIn(): (compartment: SetCompartment) => boolean {
  const dids = new Set(useOwnDids());
  return ({ memberDids }) => memberDids.some((one) => dids.has(one));
}

/** A record, and who of its problem set sees it; one outside of all sets is behind no barrier. */
export interface Behind {
  problemSetId?: string | undefined;
  compartments: readonly string[];
}

/** Says that a record is not for everybody in its problem set. */
export function BarrierOf({ problemSetId, compartments }: Behind): ReactNode {
  const { data } = useCompartmentsOf(problemSetId, "active", compartments.length > 0);
  const names = new Map(data?.data.map(({ id, name }) => [id, name]));
  return compartments.map((id) => (
    <Badge key={id} tone="warn">
      {`only for: ${names.get(id) ?? "a compartment"}`}
    </Badge>
  ));
}

/** Who of a problem set will see a new record; nothing is asked where there is nothing to choose. */
export function ReadersOf({
  problemSetId,
  hint = "It cannot be changed later.",
}: {
  problemSetId: string | undefined;
  hint?: string;
}): ReactNode {
  const { data } = useCompartmentsOf(problemSetId, "active");
  const isReadIn = useIsReadIn();
  // Whoever manages compartments knows of those, too, that they are not read into.
  const open = data?.data.filter(isReadIn) ?? [];
  if (!open.length) return null;
  return (
    <Select
      label="Who sees it"
      name="compartment"
      hint={hint}
      options={[
        ["", "Everybody in the problem set"],
        ...open.map(({ id, name }) => [id, `Only those read into ${name}`] as const),
      ]}
    />
  );
}

/** What the choice says in a body. */
export const chosenReaders = (fields: { compartment?: string }): { compartments?: string[] } =>
  fields.compartment ? { compartments: [fields.compartment] } : {};
