import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { chosenReaders } from "../../../app/compartments.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, type FormFields } from "../../../parts/form.tsx";
import { notify } from "../../../parts/notices.tsx";
import { inPlace, Readers, type PicturePlace } from "../../place.tsx";
import { deviceAddress } from "../area.tsx";
import { Consent } from "../consent.tsx";
import { nameOfDevice } from "../device-words.ts";
import { devicePickers, type PickedDevice } from "./browser-devices.ts";

/** Reports a device that somebody came across; the first time, they accept what that means. */
export function ReportDevice({ place }: { place: PicturePlace }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { origin } = location;
  const consent = useAnswer("GET /discovery/legal-consent/{origin}", [{ path: { origin } }], { enabled: isOpen });
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Report a device
      </button>
      {isOpen &&
        consent.data &&
        (consent.data.data.accepted ? (
          <ReportDialog place={place} onClose={close} />
        ) : (
          // Once it is accepted, the form takes its place.
          <Consent {...consent.data.data} says="You have accepted. Report what you found." onClose={close} />
        ))}
    </>
  );
}

function ReportDialog({ place, onClose }: { place: PicturePlace; onClose(): void }): ReactNode {
  const go = useNavigate();
  const [picked, setPicked] = useState<PickedDevice>({});
  const report = useAct("POST /discovery/client-discovery", {
    tellsRefusal: false,
    says: ({ data }) => `${nameOfDevice(data)} is noted.`,
    then: ({ data }) => void go(deviceAddress(data.id, place)),
  });
  return (
    <Dialog title="Report a device" onClose={onClose}>
      <p>
        Say what you know of it; one thing is enough. What has a serial number or a hardware address is known again.
      </p>
      <Pickers onPicked={setPicked} />
      <Form
        key={JSON.stringify(picked)}
        act="Report"
        onSubmit={(fields) =>
          report.mutateAsync({ body: { ...inPlace(place), ...chosenReaders(fields), ...reported(fields) } })
        }
      >
        <Field label="Name" name="name" maxLength={200} defaultValue={picked.name ?? ""} />
        <div className="two">
          <Field label="Made by" name="manufacturer" maxLength={200} defaultValue={picked.manufacturer ?? ""} />
          <Field label="Model" name="model" maxLength={200} defaultValue={picked.model ?? ""} />
          <Field label="Serial number" name="serial" maxLength={200} defaultValue={picked.serial ?? ""} />
          <Field label="Hardware address" name="mac" hint="Such as 00:1b:c5:00:00:01." />
        </div>
        <Field label="Network addresses" name="addresses" hint="With commas between them." />
        <Field
          label="What it offers"
          name="services"
          hint="Such as bluetooth, or http:80 with a port; with commas between them."
          defaultValue={picked.offers ?? ""}
        />
        <Readers place={place} />
      </Form>
    </Dialog>
  );
}

/** Where the browser can name devices by itself, its person picks one of them. */
function Pickers({ onPicked }: { onPicked(device: PickedDevice): void }): ReactNode {
  const pickers = devicePickers();
  if (!pickers.length) return null;
  return (
    <div className="row">
      {pickers.map(({ words, pick }) => (
        <button
          key={words}
          type="button"
          onClick={() => void pick().then(onPicked, () => notify("No device was picked.", "bad"))}
        >
          {words}
        </button>
      ))}
    </div>
  );
}

const partsOf = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

/** "http:80" is a service and its port. */
function serviceOf(text: string): { type: string; port?: number } {
  const [, type = text, port] = /^(.+):(\d+)$/.exec(text) ?? [];
  return { type, ...(port && { port: Number(port) }) };
}

const reported = ({ name, manufacturer, model, serial, mac, addresses, services }: FormFields) => ({
  origin: location.origin,
  ...(name && { name }),
  ...(manufacturer && { manufacturer }),
  ...(model && { model }),
  ...(serial && { serial }),
  ...(mac && { mac: mac.trim() }),
  ...(addresses && { addresses: partsOf(addresses) }),
  ...(services && { services: partsOf(services).map(serviceOf) }),
});
