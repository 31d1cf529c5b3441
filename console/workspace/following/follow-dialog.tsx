import { useState, type ReactNode } from "react";
import type { Input } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select } from "../../parts/form.tsx";
import { useSet } from "../set/use-set.tsx";
import { CHANNELS, DIGESTS, FOLLOWED } from "./choices.ts";

type Subscribing = Input<"POST /problem-sets/{id}/subscriptions">["body"];
type Channel = NonNullable<Subscribing["channel"]>;

/** Asks to be told; what a program needs to know that it is us is shown once. */
export function FollowDialog({ onClose }: { onClose(): void }): ReactNode {
  const { set } = useSet();
  const [channel, setChannel] = useState<Channel>("in-app");
  const [secret, setSecret] = useState<string>();
  const follow = useAct("POST /problem-sets/{id}/subscriptions", {
    tellsRefusal: false,
    says: "You are told of it from now on.",
    then: ({ data }) => (data.secret ? setSecret(data.secret) : onClose()),
  });
  if (secret)
    return (
      <Dialog title="The secret of your program" onClose={onClose}>
        <p>Deliveries are signed with it, as Standard Webhooks has it. It is shown this once: copy it now.</p>
        <code className="code">{secret}</code>
      </Dialog>
    );
  return (
    <Dialog title="Follow something" onClose={onClose}>
      <Form
        act="Follow"
        onSubmit={({ kind = "*", text, url, digest }) =>
          follow.mutateAsync({
            path: { id: set.id },
            body: {
              kinds: [kind],
              channel,
              digest: digest as NonNullable<Subscribing["digest"]>,
              ...(text && { filter: { text } }),
              ...(url && { url }),
            },
          })
        }
      >
        <Select label="What" name="kind" options={FOLLOWED} />
        <Field label="Only with these words" name="text" hint="May be left out." maxLength={200} />
        <Select
          label="Where"
          name="channel"
          value={channel}
          options={CHANNELS}
          onChange={({ currentTarget }) => setChannel(currentTarget.value as Channel)}
        />
        {channel === "webhook" && <Field label="Address of the program" name="url" type="url" required />}
        <Select label="When" name="digest" options={DIGESTS} />
      </Form>
    </Dialog>
  );
}
