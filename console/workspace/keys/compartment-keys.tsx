import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import type { SetCompartment } from "../../app/compartments.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { KeyTable } from "./key-table.tsx";
import { MakeKeyButton } from "./make-key.tsx";

/** More than any set has; the page of all keys has the rest. */
const ALL = 100;

/** Keys that only those can use who are read into a compartment; shown to them. */
export function CompartmentKeys({ compartment }: { compartment: SetCompartment }): ReactNode {
  const { id, problemSetId, name } = compartment;
  const keys = useAnswer("GET /encryption/keys", [{ query: { problemSetId, sort: "name", limit: ALL } }]);
  return (
    <Section title="Encryption keys" acts={<MakeKeyButton compartment={compartment} />}>
      <p className="muted">
        For texts that leave the platform, as in a mail or on paper, and that only those read into {name} are to read.
        What lies in the compartment itself is kept from others without a key.
      </p>
      <Shown of={keys}>
        {({ data }) => (
          <KeyTable
            label={`Keys of ${name}`}
            keys={data.filter(({ compartments = [] }) => compartments.includes(id))}
            empty="No key is for this compartment yet. Commanders and deputies who are read in make one."
          />
        )}
      </Shown>
      <p>
        <Link to={`/workspace/${problemSetId}/keys`}>Encrypt or decrypt a text, and what keys can do</Link>
      </p>
    </Section>
  );
}
