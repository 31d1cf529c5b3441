import { useState, type ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";
import { ConfirmButton, Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, Select } from "../../../parts/form.tsx";
import type { PicturePlace } from "../../place.tsx";
import { SupplyDialog } from "./supply-form.tsx";
import { amount, type SupplyShown } from "./supply-words.ts";

interface SupplyProps {
  place: PicturePlace;
  supply: SupplyShown;
}

/** What this person may do with one supply. */
export function SupplyActs({ place, supply }: SupplyProps): ReactNode {
  const [open, setOpen] = useState<"count" | "change">();
  const remove = useAct("DELETE /resources/consumables/{id}", { says: `${supply.name} is no longer counted.` });
  const close = (): void => setOpen(undefined);
  return (
    <div className="row">
      <button type="button" aria-label={`Count ${supply.name}`} onClick={() => setOpen("count")}>
        Count
      </button>
      {place.may("resources:edit") && (
        <>
          <button type="button" aria-label={`Change ${supply.name}`} onClick={() => setOpen("change")}>
            Change
          </button>
          <ConfirmButton
            words="Remove"
            label={`Remove ${supply.name}`}
            title={`Remove ${supply.name}?`}
            run={() => remove.mutateAsync({ path: { id: supply.id } })}
          >
            <p>It is no longer counted, and nobody is told any longer when it runs short.</p>
          </ConfirmButton>
        </>
      )}
      {open === "count" && <CountDialog supply={supply} onClose={close} />}
      {open === "change" && <SupplyDialog place={place} before={supply} onClose={close} />}
    </div>
  );
}

const WAYS = [
  ["used", "so much was used"],
  ["came", "so much came in"],
  ["counted", "so much is there: it was counted"],
] as const;

/** A change counts whoever else changes it meanwhile; a count replaces what was known. */
function CountDialog({ supply, onClose }: { supply: SupplyShown; onClose(): void }): ReactNode {
  const [way, setWay] = useState<string>("used");
  const set = useAct("PATCH /resources/consumables/{id}/level", {
    tellsRefusal: false,
    says: ({ data }) => `There is ${amount(data, data.level)} of ${data.name} now.`,
    then: onClose,
  });
  const name = way === "counted" ? "level" : "delta";
  return (
    <Dialog title={`Count ${supply.name}`} onClose={onClose}>
      <p>There was {amount(supply, supply.level)}.</p>
      <Form
        act="Keep"
        onSubmit={({ level, delta }) =>
          set.mutateAsync({
            path: { id: supply.id },
            body: way === "counted" ? { level: Number(level) } : { delta: Number(delta) * (way === "used" ? -1 : 1) },
          })
        }
      >
        <Select
          label="What happened"
          name="way"
          value={way}
          options={WAYS}
          onChange={({ currentTarget }) => setWay(currentTarget.value)}
        />
        <Field label={`How much, in ${supply.unit}`} name={name} type="number" step="any" min={0} required />
      </Form>
    </Dialog>
  );
}
