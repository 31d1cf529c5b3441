import type { ReactNode } from "react";
import { useAnswer } from "../../api/hooks.ts";
import { Select } from "../../parts/form.tsx";
import { Badge } from "../../parts/texts.tsx";
import { useSet } from "../set/use-set.tsx";

/** The compartments of the set that this person is read into, by id. */
function useCompartments(enabled: boolean): ReadonlyMap<string, string> {
  const { set } = useSet();
  const { data } = useAnswer(
    "GET /problem-sets/{id}/compartments",
    [{ path: { id: set.id }, query: { status: "active", limit: 100 } }],
    { enabled },
  );
  return new Map(data?.data.map(({ id, name }) => [id, name]));
}

/** Says that a record is not for everybody in the set. */
export function Barrier({ compartments }: { compartments: readonly string[] }): ReactNode {
  const names = useCompartments(compartments.length > 0);
  return compartments.map((id) => (
    <Badge key={id} tone="warn">
      {`only for: ${names.get(id) ?? "a compartment"}`}
    </Badge>
  ));
}

/** Who of the set will see a new record; nothing is asked where there is nothing to choose. */
export function ReadersChoice({ hint }: { hint?: string }): ReactNode {
  const compartments = useCompartments(true);
  if (!compartments.size) return null;
  return (
    <Select
      label="Who sees it"
      name="compartment"
      hint={hint ?? "It cannot be changed later."}
      options={[
        ["", "Everybody in the problem set"],
        ...[...compartments].map(([id, name]) => [id, `Only those read into ${name}`] as const),
      ]}
    />
  );
}

/** What the choice says in a body. */
export const chosenReaders = (fields: { compartment?: string }): { compartments?: string[] } =>
  fields.compartment ? { compartments: [fields.compartment] } : {};
