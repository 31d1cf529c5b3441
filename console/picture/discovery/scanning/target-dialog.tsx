import type { ReactNode } from "react";
import { useAsOpened } from "../../../api/as-opened.ts";
import { useAct } from "../../../api/hooks.ts";
import { chosenReaders } from "../../../app/compartments.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Check, Field, Form, TextField, type FormFields } from "../../../parts/form.tsx";
import { inPlace, Readers, type PicturePlace } from "../../place.tsx";
import type { ScanTarget } from "./targets.tsx";

type Probe = ScanTarget["transports"][number];
const PROBES: readonly (readonly [probe: Probe, words: string])[] = [
  ["tcp", "Which of the ports are open"],
  ["http", "Whether a web page answers, and what it says of itself"],
  ["collector", "A collector's report of what it saw"],
];

/** Lists a target, or changes one; a change begins its pass anew. */
export function TargetDialog({
  place,
  before,
  onClose,
}: {
  place: PicturePlace;
  before?: ScanTarget;
  onClose(): void;
}): ReactNode {
  const { options, inTime } = useAsOpened(before?.rev);
  const add = useAct("POST /discovery/scan-targets", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} is listed.`,
    then: onClose,
  });
  const change = useAct("PUT /discovery/scan-targets/{id}", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} is changed, and scanned anew.`,
    then: onClose,
  });
  function save(fields: FormFields): Promise<unknown> {
    const said = saidIn(fields);
    return before
      ? inTime(change.mutateAsync({ path: { id: before.id }, body: said, options }))
      : add.mutateAsync({ body: { ...inPlace(place), ...chosenReaders(fields), ...said } });
  }
  return (
    <Dialog title={before ? `Change ${before.name}` : "Add a scan target"} onClose={onClose}>
      {!before && <p>Look only into networks whose owners have given you leave to.</p>}
      <Form act={before ? "Save" : "Add"} onSubmit={save}>
        <Field label="Name" name="name" maxLength={120} defaultValue={before?.name ?? ""} required />
        <TextField
          label="Addresses, networks and names"
          name="hosts"
          rows={3}
          hint="One a line: 192.168.7.5, 192.168.7.0/24 or printer.example.org. At most 1,024 addresses altogether."
          defaultValue={before?.hosts.join("\n") ?? ""}
          required
        />
        <Field
          label="Ports"
          name="ports"
          hint="With commas between them, at most 32."
          defaultValue={before?.ports.join(", ") ?? "22, 80, 443"}
          required
        />
        <fieldset>
          <legend>What is asked for</legend>
          {PROBES.map(([probe, words]) => (
            <Check
              key={probe}
              label={words}
              name={`transports.${probe}`}
              defaultChecked={before ? before.transports.includes(probe) : probe === "tcp"}
            />
          ))}
        </fieldset>
        <Field
          label="Path of the collector's report"
          name="path"
          hint="Counts where a collector is asked."
          defaultValue={before?.path ?? "/"}
        />
        <div className="two">
          <Field
            label="Questions a second"
            name="rate"
            type="number"
            min={1}
            max={50}
            defaultValue={before?.ratePerSecond ?? 10}
            required
          />
          <Field
            label="Seconds between passes"
            name="interval"
            type="number"
            min={30}
            max={86_400}
            defaultValue={before?.intervalSeconds ?? 300}
            required
          />
        </div>
        <Check label="It is scanned while the scanner runs" name="enabled" defaultChecked={before?.enabled ?? true} />
        {!before && <Readers place={place} />}
      </Form>
    </Dialog>
  );
}

const wordsIn = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

const saidIn = ({ name = "", hosts = "", ports = "", path = "/", rate, interval, enabled, ...fields }: FormFields) => ({
  name,
  hosts: wordsIn(hosts),
  ports: wordsIn(ports).map(Number),
  transports: PROBES.map(([probe]) => probe).filter((probe) => fields[`transports.${probe}`] === "on"),
  path,
  ratePerSecond: Number(rate),
  intervalSeconds: Number(interval),
  enabled: enabled === "on",
});
