import type { ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Check, Field, Form, TextField } from "../../../parts/form.tsx";
import { useDao } from "../use-dao.tsx";

/** Adds a role to the DAO. */
export function NewRole({ onClose }: { onClose(): void }): ReactNode {
  const { dao } = useDao();
  const create = useAct("POST /dao/{daoId}/roles", {
    tellsRefusal: false,
    says: ({ data }) => `The role “${data.name}” is there to be given.`,
    then: onClose,
  });
  return (
    <Dialog title="Add a role" onClose={onClose}>
      <Form
        act="Add the role"
        onSubmit={({ name = "", description, weight = "1", propose, cancel }) =>
          create.mutateAsync({
            path: { daoId: dao.id },
            body: {
              name,
              weight,
              ...(description && { description }),
              allows: [...(propose ? (["propose"] as const) : []), ...(cancel ? (["cancel"] as const) : [])],
            },
          })
        }
      >
        <Field label="Name" name="name" maxLength={80} required />
        <TextField label="What it is for (optional)" name="description" rows={2} maxLength={2_000} />
        <Field
          label="Weight"
          name="weight"
          inputMode="numeric"
          pattern="0|[1-9][0-9]*"
          defaultValue="1"
          required
          hint="Power of each holder, where power rests on roles. Several roles add up."
        />
        <Check label="May propose, whatever the threshold" name="propose" />
        <Check label="May withdraw any proposal before its execution" name="cancel" />
      </Form>
    </Dialog>
  );
}
