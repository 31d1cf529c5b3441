import { useState, type ReactNode } from "react";
import type { Data } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { chosenReaders } from "../../app/compartments.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, type FormFields } from "../../parts/form.tsx";
import { many } from "../../parts/texts.tsx";
import { inPlace, Readers, type PicturePlace } from "../place.tsx";

type Taken = Data<"POST /cop/reports">;

/** Takes in events of Cursor on Target from a file, and says of each that was refused why. */
export function TakeInDialog({ place, onClose }: { place: PicturePlace; onClose(): void }): ReactNode {
  const [taken, setTaken] = useState<Taken>();
  const take = useAct("POST /cop/reports", { tellsRefusal: false });
  async function send(fields: FormFields, form: HTMLFormElement): Promise<void> {
    const chosen = form.querySelector<HTMLInputElement>("input[type=file]")?.files?.[0];
    if (!chosen) throw new Error("Choose a file.");
    const file = new Blob([await chosen.text()], { type: "application/xml" });
    const query = { ...inPlace(place), ...chosenReaders(fields) };
    // The file is the body, in place of the JSON that the API describes.
    const given = { query, options: { file } } as unknown as Parameters<typeof take.mutateAsync>[0];
    setTaken((await take.mutateAsync(given)).data);
  }
  return (
    <Dialog title="Take in reports from a file" onClose={onClose}>
      {taken ? (
        <Outcome taken={taken} onClose={onClose} />
      ) : (
        <Form act="Take them in" onSubmit={send}>
          <Field
            label="File"
            name="file"
            type="file"
            accept=".xml,.cot,application/xml,text/xml"
            hint="Events of Cursor on Target (XML), one or several."
            required
          />
          <Readers place={place} />
        </Form>
      )}
    </Dialog>
  );
}

const Outcome = ({
  taken: { taken, late, removed, failed },
  onClose,
}: {
  taken: Taken;
  onClose(): void;
}): ReactNode => (
  <>
    <p role="status">
      {many(taken, "report")} taken in
      {late > 0 && `, ${many(late, "report")} left as there are newer ones`}
      {removed > 0 && `, ${many(removed, "report")} taken away`}
      {failed.length > 0 && `, ${many(failed.length, "report")} refused`}.
    </p>
    {failed.length > 0 && (
      <ul className="list" aria-label="Refused">
        {failed.map(({ index, message }) => (
          <li key={index}>
            Number {index + 1}: {message}
          </li>
        ))}
      </ul>
    )}
    <div className="row end">
      <button type="button" className="primary" onClick={onClose}>
        Done
      </button>
    </div>
  </>
);
