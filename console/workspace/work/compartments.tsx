import type { ReactNode } from "react";
import { Select } from "../../parts/form.tsx";
import { Badge } from "../../parts/texts.tsx";
import { useCompartments, useIsReadIn } from "../set/known.ts";

/** Says that a record is not for everybody in the set. */
export function Barrier({ compartments }: { compartments: readonly string[] }): ReactNode {
  const { data } = useCompartments("active", compartments.length > 0);
  const names = new Map(data?.data.map(({ id, name }) => [id, name]));
  return compartments.map((id) => (
    <Badge key={id} tone="warn">
      {`only for: ${names.get(id) ?? "a compartment"}`}
    </Badge>
  ));
}

/** Who of the set will see a new record; nothing is asked where there is nothing to choose. */
export function ReadersChoice({ hint }: { hint?: string }): ReactNode {
  const { data } = useCompartments("active");
  const isReadIn = useIsReadIn();
  // Whoever manages compartments knows of those, too, that they are not read into.
  const open = data?.data.filter(isReadIn) ?? [];
  if (!open.length) return null;
  return (
    <Select
      label="Who sees it"
      name="compartment"
      hint={hint ?? "It cannot be changed later."}
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
