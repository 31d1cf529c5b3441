import type { ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { chosenReaders } from "../../app/compartments.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select, type FormFields } from "../../parts/form.tsx";
import { notify } from "../../parts/notices.tsx";
import { LocationFields, locationOf } from "../location-fields.tsx";
import { inPlace, Readers, type PicturePlace } from "../place.tsx";
import { TYPE_CHOICES, typeWords, type ReportShown } from "./report-words.ts";

const MINUTE_MS = 60_000;

/** Reports by hand where something is now, or where it is by now. */
export function ReportDialog({
  place,
  before,
  onClose,
}: {
  place: PicturePlace;
  before?: ReportShown;
  onClose(): void;
}): ReactNode {
  const send = useAct("POST /cop/reports", { tellsRefusal: false });
  async function save(fields: FormFields): Promise<void> {
    const { name = "", type = "", minutes, accuracy } = fields;
    const location = locationOf(fields);
    if (!location) throw new Error("Say where it is.");
    const now = Date.now();
    const event = {
      ...{ uid: before?.uid ?? name, name, type },
      // Anybody's estimate, in the words of Cursor on Target.
      how: "h-e",
      time: new Date(now).toISOString(),
      stale: new Date(now + Number(minutes) * MINUTE_MS).toISOString(),
      location: { ...location, ...(accuracy && { accuracy: Number(accuracy) }) },
      ...(before?.symbol && before.type === type && { symbol: before.symbol }),
    };
    const readers = before ? { compartments: before.compartments } : chosenReaders(fields);
    const { data } = await send.mutateAsync({ query: { ...inPlace(place), ...readers }, body: { events: [event] } });
    const [failed] = data.failed;
    if (failed) throw new Error(failed.message);
    if (data.late) throw new Error("Somebody has reported it later than that: nothing is changed.");
    notify(`${name} is reported.`);
    onClose();
  }
  const types = TYPE_CHOICES.some(([type]) => type === before?.type)
    ? TYPE_CHOICES
    : [...TYPE_CHOICES, ...(before ? [[before.type, `${typeWords(before.type)} (as reported before)`] as const] : [])];
  return (
    <Dialog title={before ? `Report ${before.name} again` : "Report where something is"} onClose={onClose}>
      <Form act="Report" onSubmit={save}>
        <Field
          label="What it is called"
          name="name"
          maxLength={200}
          defaultValue={before?.name ?? ""}
          hint={before ? undefined : "The next report under this name takes the place of this one."}
          required
        />
        <Select label="It is" name="type" options={types} defaultValue={before?.type ?? "a-u-G"} />
        <LocationFields {...(before && { location: before.location })} />
        <div className="two">
          <Field label="Within … metres (optional)" name="accuracy" type="number" min={0} />
          <Field
            label="Holds for … minutes"
            name="minutes"
            type="number"
            min={1}
            max={10_080}
            hint="Then it is stale, and five minutes later gone."
            defaultValue={30}
            required
          />
        </div>
        {!before && <Readers place={place} />}
      </Form>
    </Dialog>
  );
}
