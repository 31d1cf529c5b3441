import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { useAct } from "../../../api/hooks.ts";
import { chosenReaders } from "../../../app/compartments.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, TextField } from "../../../parts/form.tsx";
import { useSet } from "../../set/use-set.tsx";
import { ReadersChoice } from "../compartments.tsx";
import { NOTE } from "./message-words.ts";

/** A channel comes with its first message. */
export function BeginChannel({ onClose }: { onClose(): void }): ReactNode {
  const { set } = useSet();
  const [, setSearch] = useSearchParams();
  const publish = useAct("POST /messages", {
    tellsRefusal: false,
    then({ data }) {
      onClose();
      setSearch({ channel: data.channelId });
    },
  });
  return (
    <Dialog title="Begin a channel" onClose={onClose}>
      <Form
        act="Send"
        onSubmit={(fields) =>
          publish.mutateAsync({
            body: {
              problemSetId: set.id,
              channel: fields["channel"] ?? "",
              ...chosenReaders(fields),
              type: NOTE,
              payload: { text: fields["text"] ?? "" },
            },
          })
        }
      >
        <Field
          label="Name of the channel"
          name="channel"
          hint="One word, of the letters a to z, digits and . _ : - alone. An existing name goes on with that channel."
          maxLength={100}
          required
        />
        <ReadersChoice hint="Who reads the channel, for good." />
        <TextField label="First message" name="text" required />
      </Form>
    </Dialog>
  );
}
