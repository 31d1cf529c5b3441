import { useState, type ReactNode } from "react";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select } from "../../parts/form.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge } from "../../parts/texts.tsx";
import { Secret } from "../keys/secret.tsx";
import { TOPICS, topicsInWords } from "./topics.ts";

type Subscription = ListRow<"GET /problem-sets/{id}/subscriptions">;
type Channel = Subscription["channel"];
type Digest = Subscription["digest"];
interface Place {
  id: string;
  name: string;
}

const CHANNELS: Record<Channel, string> = {
  "in-app": "here",
  email: "by mail",
  webhook: "at an address of mine (webhook)",
};
const DIGESTS: Record<Digest, string> = { "at-once": "at once", hourly: "once an hour", daily: "once a day" };

const columnsOf = (set: Place): readonly Column<Subscription>[] => [
  { head: "You are told of", cell: ({ kinds, filter }) => topicsInWords(kinds, filter?.text) },
  { head: "How", cell: ({ channel, digest }) => `${CHANNELS[channel]}, ${DIGESTS[digest]}` },
  {
    head: "State",
    cell: ({ active }) => <Badge tone={active ? "good" : "plain"}>{active ? "active" : "paused"}</Badge>,
  },
  { head: "Acts", isAct: true, cell: (of) => <Acts set={set} of={of} /> },
];

/** What somebody is told of in one problem set. */
export function Subscriptions({ set }: { set: Place }): ReactNode {
  const [isAdding, setAdding] = useState(false);
  const subscriptions = useAnswer("GET /problem-sets/{id}/subscriptions", [
    { path: { id: set.id }, query: { limit: 50 } },
  ]);
  return (
    <Section
      title={`What you are told of in ${set.name}`}
      acts={
        <button type="button" className="primary" onClick={() => setAdding(true)}>
          Be told of more
        </button>
      }
    >
      <Shown of={subscriptions}>
        {({ data }) => (
          <Table
            label="Subscriptions"
            rows={data}
            keyOf={({ id }) => id}
            columns={columnsOf(set)}
            empty="You are told of nothing here yet."
          />
        )}
      </Shown>
      {isAdding && <Subscribe set={set} onClose={() => setAdding(false)} />}
    </Section>
  );
}

function Acts({ set, of: { id, active, kinds } }: { set: Place; of: Subscription }): ReactNode {
  const path = { id: set.id, subId: id };
  const change = useAct("PATCH /problem-sets/{id}/subscriptions/{subId}");
  const remove = useAct("DELETE /problem-sets/{id}/subscriptions/{subId}", { says: "You are no longer told of it." });
  const words = topicsInWords(kinds);
  return (
    <span className="row">
      <button
        type="button"
        aria-label={`${active ? "Pause" : "Go on"}: ${words}`}
        disabled={change.isPending}
        onClick={() => change.mutate({ path, body: { active: !active } })}
      >
        {active ? "Pause" : "Go on"}
      </button>
      <button
        type="button"
        aria-label={`Stop: ${words}`}
        disabled={remove.isPending}
        onClick={() => remove.mutate({ path })}
      >
        Stop
      </button>
    </span>
  );
}

function Subscribe({ set, onClose }: { set: Place; onClose(): void }): ReactNode {
  const [channel, setChannel] = useState<Channel>("in-app");
  const add = useAct("POST /problem-sets/{id}/subscriptions", {
    tellsRefusal: false,
    says: "From now on you are told of it.",
    then: ({ data }) => channel !== "webhook" && data && onClose(),
  });
  const secret = add.data?.data.secret;
  return (
    <Dialog title={`Be told of more in ${set.name}`} onClose={onClose}>
      {secret ? (
        <>
          <p>What is sent to your address is signed with this secret.</p>
          <Secret secret={secret} onClose={onClose} />
        </>
      ) : (
        <Form
          act="Tell me"
          onSubmit={({ topic = "*", text, digest, url }) =>
            add.mutateAsync({
              path: { id: set.id },
              body: {
                kinds: [topic],
                channel,
                digest: digest as Digest,
                ...(text && { filter: { text } }),
                ...(url && { url }),
              },
            })
          }
        >
          <Select label="Of what" name="topic" options={TOPICS} />
          <Field label="Only if it speaks of" name="text" maxLength={200} hint="A word or name. Empty: always." />
          <Select
            label="How"
            name="channel"
            value={channel}
            onChange={({ currentTarget }) => setChannel(currentTarget.value as Channel)}
            options={Object.entries(CHANNELS)}
          />
          {channel === "webhook" && <Field label="Address" name="url" type="url" required />}
          <Select label="When" name="digest" options={Object.entries(DIGESTS)} />
        </Form>
      )}
    </Dialog>
  );
}
