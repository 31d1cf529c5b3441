import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select, TextField } from "../../parts/form.tsx";

/** Opens an empty problem set, whose commander one becomes. */
export function NewSetDialog({ onClose }: { onClose(): void }): ReactNode {
  const navigate = useNavigate();
  const open = useAct("POST /problem-sets", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} is open, and you command it.`,
    then: ({ data }) => void navigate(`/workspace/${data.id}`),
  });
  return (
    <Dialog title="Open a problem set" onClose={onClose}>
      <Form
        act="Open"
        onSubmit={({ name = "", description, parentId }) =>
          open.mutateAsync({ body: { name, ...(description && { description }), ...(parentId && { parentId }) } })
        }
      >
        <Field label="Name" name="name" hint="The problem, in a few words." maxLength={200} required />
        <TextField label="Purpose" name="description" hint="What is to be reached together, for whoever joins." />
        <ParentSelect />
      </Form>
    </Dialog>
  );
}

/** The set above a new one: one that its opener may edit. Nothing is asked where there is none. */
export function ParentSelect({ value, but }: { value?: string; but?: string }): ReactNode {
  const sets = useAnswer("GET /problem-sets/me", [{ query: { status: "active", sort: "name", limit: 100 } }]);
  const fit = sets.data?.data.filter(({ id, role }) => ["commander", "deputy"].includes(role) && id !== but) ?? [];
  if (!fit.length) return null;
  return (
    <Select
      label="Below"
      name="parentId"
      defaultValue={value ?? ""}
      hint="The set above passes on its intent, objectives, constraints and gates."
      options={[["", "no other set"], ...fit.map(({ id, name }) => [id, name] as const)]}
    />
  );
}
