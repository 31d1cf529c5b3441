import { useState, type ReactNode } from "react";
import type { Data, Input } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select, type FormFields } from "../../parts/form.tsx";
import { many } from "../../parts/texts.tsx";
import { RELIABILITY, SCHEDULES } from "./words.ts";

type Wanted = Input<"POST /admin/osint-sources">["body"];
type Trial = NonNullable<Data<"POST /admin/osint-sources">["test"]>;

const wanted = ({ name = "", kind, address = "", cron = "", reliability }: FormFields): Wanted => ({
  name,
  kind: kind as Wanted["kind"],
  address,
  schedule: { cron, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
  reliability: reliability as NonNullable<Wanted["reliability"]>,
});

/** A new source; a trial fetches it once, and keeps nothing. */
export function AddSource({ onClose }: { onClose(): void }): ReactNode {
  const [trial, setTrial] = useState<Trial>();
  const add = useAct("POST /admin/osint-sources", { tellsRefusal: false });
  async function submit({ way, ...form }: FormFields): Promise<void> {
    setTrial(undefined);
    const { data } = await add.mutateAsync({ query: { dryRun: way === "try" }, body: wanted(form) });
    if (way === "try") setTrial(data.test);
    else onClose();
  }
  return (
    <Dialog title="Add a source" onClose={onClose}>
      <Form
        act="Add it"
        onSubmit={submit}
        beside={
          <button name="way" value="try">
            Try it first
          </button>
        }
      >
        <Field label="Name" name="name" required />
        <Field label="Address" name="address" type="url" required />
        <Select
          label="What it is"
          name="kind"
          options={[
            ["feed", "a feed"],
            ["page", "a page, kept whenever its text changes"],
          ]}
        />
        <Select label="Looked at" name="cron" options={SCHEDULES} />
        <Select
          label="How reliable it is"
          name="reliability"
          defaultValue="F"
          options={Object.entries(RELIABILITY).map(([code, words]) => [code, `${code}: ${words}`] as const)}
        />
        <div role="status">{trial && <Outcome of={trial} />}</div>
      </Form>
    </Dialog>
  );
}

const Outcome = ({ of: { ok, message, found, titles } }: { of: Trial }): ReactNode =>
  ok ? (
    <>
      <p>{many(found, "item")} would come. The first:</p>
      <ul>
        {titles.map((title) => (
          <li key={title}>{title}</li>
        ))}
      </ul>
    </>
  ) : (
    <p className="fault">{message}</p>
  );
