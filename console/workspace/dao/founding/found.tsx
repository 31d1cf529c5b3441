import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAct } from "../../../api/hooks.ts";
import { chosenReaders } from "../../../app/compartments.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, TextField, type FormFields } from "../../../parts/form.tsx";
import { useSet } from "../../set/use-set.tsx";
import { ReadersChoice } from "../../work/compartments.tsx";
import { MEASURES, isOrdinary } from "../rule-words.ts";
import { daoAddress } from "../use-dao.tsx";
import { AllowList, FurtherRules, MainRules, Makeup } from "./setting-fields.tsx";
import { FIRST_SETTINGS, measuresFrom, settingsFrom } from "./settings-form.ts";

/** Founds a DAO in the problem set around. */
export function FoundDao({ onClose }: { onClose(): void }): ReactNode {
  const { set, maySet } = useSet();
  const go = useNavigate();
  const create = useAct("POST /dao", {
    tellsRefusal: false,
    says: ({ data }) => `The DAO “${data.name}” is founded.`,
    then({ data }) {
      onClose();
      void go(daoAddress(data));
    },
  });
  const submit = (fields: FormFields) =>
    create.mutateAsync({
      body: {
        problemSetId: set.id,
        name: fields["name"] ?? "",
        ...(fields["description"] && { description: fields["description"] }),
        ...chosenReaders(fields),
        config: { ...settingsFrom(fields, "config."), measures: measuresFrom(fields) },
      },
    });
  const fields = { of: FIRST_SETTINGS, prefix: "config." };
  return (
    <Dialog title="Found a DAO" onClose={onClose}>
      <Form act="Found the DAO" onSubmit={submit}>
        <Field label="Name" name="name" maxLength={200} required />
        <TextField label="What it decides (optional)" name="description" rows={2} maxLength={10_000} />
        <MainRules {...fields} />
        <ReadersChoice hint="Who is not read in sees nothing of the DAO. It cannot be changed later." />
        <details className="stack">
          <summary>Who votes, what it may do, and further rules</summary>
          <div className="stack">
            <Makeup {...fields} />
            <AllowList now={MEASURES.filter(isOrdinary)} mayEmpower={maySet("dao:empower")} />
            <FurtherRules {...fields} />
          </div>
        </details>
      </Form>
    </Dialog>
  );
}
