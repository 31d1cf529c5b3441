import { useState, type ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";
import { useDraftName } from "../../../app/session.tsx";
import { Check, Field, Form, Select, TextField, type FormFields } from "../../../parts/form.tsx";
import { CLASSIFICATIONS, NOTE, payloadOf, PRIORITIES, type Channel, type ChannelMessage } from "./message-words.ts";

/** Writes into a channel: a text first of all, and for systems any JSON object under a type of its own. */
export function SendMessage({ channel }: { channel: Channel }): ReactNode {
  const [isJson, setJson] = useState(false);
  const publish = useAct("POST /messages", { tellsRefusal: false });
  const draft = useDraftName(`message ${channel.id}`);
  const send = ({ text, payload, type, priority, classification }: FormFields) =>
    publish.mutateAsync({
      body: {
        channel: channel.channel,
        ...(channel.problemSetId && { problemSetId: channel.problemSetId }),
        compartments: channel.compartments,
        type: type ?? NOTE,
        payload: isJson ? payloadOf(payload ?? "") : { text: text ?? "" },
        ...(priority && { priority: priority as ChannelMessage["priority"] }),
        ...(classification && { classification: classification as ChannelMessage["classification"] }),
      },
    });
  return (
    <Form key={draft} act="Send" clears label="Write a message" draft={draft} onSubmit={send}>
      {isJson ? (
        <TextField key="json" label="Message as JSON" name="payload" rows={5} defaultValue={"{\n  \n}"} required />
      ) : (
        <TextField
          key="text"
          label="Message"
          name="text"
          rows={2}
          hint="Ctrl+Enter sends it, too."
          required
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          }}
        />
      )}
      <details>
        <summary>Precedence, marking, and messages for systems</summary>
        <div className="columns">
          <Select label="Precedence" name="priority" options={PRIORITIES} />
          <Select label="Marking" name="classification" hint="A marking only." options={CLASSIFICATIONS} />
          <Field label="Kind" name="type" defaultValue={NOTE} hint="Words joined by dots." />
        </div>
        <Check
          label="Write JSON instead of text"
          name="asJson"
          checked={isJson}
          onChange={({ target }) => setJson(target.checked)}
        />
      </details>
    </Form>
  );
}
