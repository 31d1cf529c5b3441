import { useState, type ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { chosenReaders, ReadersOf, type SetCompartment } from "../../app/compartments.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { useSet } from "../set/use-set.tsx";

/** Makes a key of the set, or of the compartment that is named; shown to those who manage its keys. */
export function MakeKeyButton({ compartment }: { compartment?: SetCompartment }): ReactNode {
  const { maySet } = useSet();
  const [isMaking, setMaking] = useState(false);
  if (!maySet("encryption:manage")) return null;
  return (
    <>
      <button type="button" className={compartment ? undefined : "primary"} onClick={() => setMaking(true)}>
        Make a key
      </button>
      {isMaking && <MakeSetKey compartment={compartment} onClose={() => setMaking(false)} />}
    </>
  );
}

function MakeSetKey({ compartment, onClose }: { compartment: SetCompartment | undefined; onClose(): void }): ReactNode {
  const { set } = useSet();
  const make = useAct("POST /encryption/keys", {
    tellsRefusal: false,
    says: ({ data: { name } }) => `The key ${name} is there.`,
    then: onClose,
  });
  return (
    <Dialog title={compartment ? `Make a key for ${compartment.name}` : "Make a key"} onClose={onClose}>
      <Form
        act="Make the key"
        onSubmit={({ name = "", ...fields }) =>
          make.mutateAsync({
            body: {
              name,
              problemSetId: set.id,
              ...(compartment ? { compartments: [compartment.id] } : chosenReaders(fields)),
            },
          })
        }
      >
        <Field
          label="Name"
          name="name"
          hint="What it is for, such as field-reports: the letters a to z, digits and . _ - alone. It cannot be changed later."
          required
        />
        {compartment ? (
          <p className="muted">
            Those read into {compartment.name} can use it, and nobody else: whoever is read in later as well, and no
            longer whoever is read out.
          </p>
        ) : (
          <ReadersOf problemSetId={set.id} hint="They encrypt and decrypt with it. It cannot be changed later." />
        )}
      </Form>
    </Dialog>
  );
}
