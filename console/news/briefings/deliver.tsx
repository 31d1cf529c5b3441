import { useState, type ReactNode } from "react";
import type { Data } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Check, Field, Form } from "../../parts/form.tsx";
import { Empty, Shown } from "../../parts/page.tsx";
import { Badge } from "../../parts/texts.tsx";

type Channel = Data<"GET /briefings/channels">[number];
type Delivery = Data<"POST /briefings/{id}/deliver">;

const isOpen = ({ name }: Channel): boolean => name.includes("<");
/** What somebody writes in for a channel such as `email:<address>`. */
const asksFor = (name: string): string => name.slice(0, name.indexOf(":"));

/** Sends a briefing to the channels that the platform has. */
export function DeliverDialog({ id, title, onClose }: { id: number; title: string; onClose(): void }): ReactNode {
  const channels = useAnswer("GET /briefings/channels");
  const [sent, setSent] = useState<Delivery>();
  return (
    <Dialog title="Send this briefing" onClose={onClose}>
      <p className="muted">{title}</p>
      {sent ? (
        <Sent {...sent} />
      ) : (
        <Shown of={channels}>{({ data }) => <Choice id={id} channels={data} onSent={setSent} />}</Shown>
      )}
    </Dialog>
  );
}

function Choice({
  id,
  channels,
  onSent,
}: {
  id: number;
  channels: readonly Channel[];
  onSent(sent: Delivery): void;
}): ReactNode {
  const deliver = useAct("POST /briefings/{id}/deliver", { tellsRefusal: false, then: ({ data }) => onSent(data) });
  const [ready, lacking] = [channels.filter((one) => one.configured), channels.filter((one) => !one.configured)];
  const named = (form: HTMLFormElement): string[] => {
    const fields = new FormData(form);
    const typed = ready.filter(isOpen).flatMap(({ name }) => {
      const value = String(fields.get(name) ?? "").trim();
      return value ? [`${asksFor(name)}:${value}`] : [];
    });
    return [...(fields.getAll("channels") as string[]), ...typed];
  };
  return (
    <>
      {ready.length > 0 ? (
        <Form
          act="Send"
          onSubmit={async (_fields, form) => {
            const chosen = named(form);
            if (!chosen.length) throw new Error("Choose at least one channel.");
            await deliver.mutateAsync({ path: { id }, body: { channels: chosen } });
          }}
        >
          {ready.map((one) =>
            isOpen(one) ? (
              <Field key={one.name} label={`By ${asksFor(one.name)}, to`} name={one.name} />
            ) : (
              <Check key={one.name} label={one.name} name="channels" value={one.name} />
            ),
          )}
        </Form>
      ) : (
        <Empty>No channel is set up on this platform yet. Its operator sets them up:</Empty>
      )}
      {lacking.length > 0 && (
        <ul aria-label="Channels that are not set up">
          {lacking.map(({ name, needs }) => (
            <li key={name}>
              {name} needs <small>{needs}</small>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const Sent = ({ channels, simulated }: Delivery): ReactNode => (
  <>
    {simulated && <p>You are in training: nothing left the platform.</p>}
    <ul className="list">
      {channels.map(({ channel, success, error, note }) => (
        <li key={channel}>
          {channel} <Badge tone={success ? "good" : "bad"}>{success ? "sent" : "not sent"}</Badge> {error ?? note}
        </li>
      ))}
    </ul>
  </>
);
