import type { ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, Select } from "../../../parts/form.tsx";
import { choicesOf } from "../../set/known.ts";
import { useDao, useVoters } from "../use-dao.tsx";

/** Enrols a member of the problem set in the DAO. */
export function EnrolDialog({ onClose }: { onClose(): void }): ReactNode {
  const { dao } = useDao();
  const people = useVoters();
  const enrol = useAct("PUT /dao/{daoId}/members/{account}", {
    tellsRefusal: false,
    says: ({ data }) => `${data.userName ?? "The member"} is enrolled.`,
    then: onClose,
  });
  return (
    <Dialog title="Enrol somebody" onClose={onClose}>
      <Form
        act="Enrol"
        onSubmit={({ account = "", tokens }) =>
          enrol.mutateAsync({ path: { daoId: dao.id, account }, body: { ...(tokens && { tokens }) } })
        }
      >
        <Select
          label="Who"
          name="account"
          required
          hint="Members of the problem set whose role may vote."
          options={[["", "Choose somebody"], ...choicesOf(people, ({ userId }) => userId)]}
        />
        <TokensField />
      </Form>
    </Dialog>
  );
}

/** A whole number of tokens. */
export const TokensField = ({ now }: { now?: string }): ReactNode => (
  <Field
    label={now === undefined ? "Tokens (optional)" : "Tokens"}
    name="tokens"
    inputMode="numeric"
    pattern="0|[1-9][0-9]*"
    maxLength={38}
    defaultValue={now}
    required={now !== undefined}
    hint="A whole number. Tokens are power where power rests on them. An open vote keeps its frozen power."
  />
);
