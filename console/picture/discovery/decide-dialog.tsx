import { useState, type ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form, Select, TextField, type FormFields } from "../../parts/form.tsx";
import { chosenReaders } from "../../app/compartments.tsx";
import { instantOf } from "../../workspace/work/moments.ts";
import { inPlace, Readers, type PicturePlace } from "../place.tsx";
import { BY_WORDS, inTraitWords, nameOfDevice, traitsOf, type DeviceShown, type EntryBy } from "./device-words.ts";

export type Verdict = "allow" | "block";

/** How values are written that have a form. */
const FORMS: Partial<Record<EntryBy, string>> = {
  mac: "Such as 00:1b:c5:00:00:01.",
  oui: "6, 7 or 9 digits, such as 00:1b:c5: all devices of a maker.",
  ip: "Such as 10.0.0.5. Tomorrow it may be another device's.",
  cidr: "Such as 10.1.0.0/16.",
  range: "Such as 10.0.0.5-10.0.0.9.",
  did: "Such as did:key:z6Mk…",
  name: "Whole, whatever its case.",
  serial: "As its device page shows it.",
  usn: "As its device page shows it.",
  instance: "As its device page shows it.",
};

const WhyFields = (): ReactNode => (
  <>
    <TextField label="Why (optional)" name="reason" rows={2} maxLength={500} />
    <Field label="Until (optional)" name="expiresAt" type="datetime-local" hint="Empty: until somebody takes it off." />
  </>
);
const whyIn = ({ reason, expiresAt }: FormFields) => ({
  ...(reason && { reason }),
  ...(expiresAt && { expiresAt: instantOf(expiresAt) }),
});

/** Allows or blocks one device, by what it is known by; whoever does not see the device does not see the entry. */
export function DecideDialog({
  device,
  kind,
  place,
  onClose,
}: {
  device: DeviceShown;
  kind: Verdict;
  place: PicturePlace;
  onClose(): void;
}): ReactNode {
  const name = nameOfDevice(device);
  const traits = traitsOf(device);
  const add = useAct("POST /discovery/access-list", {
    tellsRefusal: false,
    says:
      kind === "allow" ? `${name} is on the list of what is allowed.` : `${name} is on the list of what is blocked.`,
    then: onClose,
  });
  return (
    <Dialog title={`${kind === "allow" ? "Allow" : "Block"} ${name}`} onClose={onClose}>
      {traits.length ? (
        <Form
          act={kind === "allow" ? "Allow" : "Block"}
          onSubmit={({ trait = "0", ...fields }) =>
            add.mutateAsync({
              body: {
                ...inPlace(place),
                compartments: device.compartments,
                kind,
                ...traits[Number(trait)]!,
                ...whyIn(fields),
              },
            })
          }
        >
          <Select
            label="By its"
            name="trait"
            options={traits.map((trait, at) => [String(at), inTraitWords(trait)] as const)}
            hint="Whatever else has the same is meant too."
          />
          {kind === "allow" && <p className="muted">Where another entry blocks it, it stays blocked.</p>}
          <WhyFields />
        </Form>
      ) : (
        <p>Nothing is known by which the list could tell it from others.</p>
      )}
    </Dialog>
  );
}

/** Puts a line on the access list, of devices that were seen or not. */
export function EntryDialog({ place, onClose }: { place: PicturePlace; onClose(): void }): ReactNode {
  const [by, setBy] = useState<EntryBy>("mac");
  const add = useAct("POST /discovery/access-list", {
    tellsRefusal: false,
    says: "It is on the list; all devices are decided on anew.",
    then: onClose,
  });
  return (
    <Dialog title="Allow or block devices" onClose={onClose}>
      <Form
        act="Put it on the list"
        onSubmit={({ kind, value = "", ...fields }) =>
          add.mutateAsync({
            body: {
              ...inPlace(place),
              ...chosenReaders(fields),
              kind: kind as Verdict,
              by,
              value,
              ...whyIn(fields),
            },
          })
        }
      >
        <Select
          label="They are"
          name="kind"
          options={[
            ["block", "blocked"],
            ["allow", "allowed"],
          ]}
        />
        <Select
          label="By their"
          name="by"
          value={by}
          options={Object.entries(BY_WORDS)}
          onChange={({ target }) => setBy(target.value as EntryBy)}
        />
        <Field label="Which" name="value" maxLength={500} required {...(FORMS[by] && { hint: FORMS[by] })} />
        <WhyFields />
        <Readers place={place} />
      </Form>
    </Dialog>
  );
}
