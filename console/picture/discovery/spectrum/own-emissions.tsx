import { useState, type ReactNode } from "react";
import { useAct } from "../../../api/hooks.ts";
import { BarrierOf, chosenReaders } from "../../../app/compartments.tsx";
import { ConfirmButton, Dialog } from "../../../parts/dialog.tsx";
import { Check, Field, Form, type FormFields } from "../../../parts/form.tsx";
import { Section } from "../../../parts/page.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { Badge, Share } from "../../../parts/texts.tsx";
import { inPlace, Readers, type PicturePlace } from "../../place.tsx";
import { TRANSPORT_WORDS, type DeviceTransport } from "../device-words.ts";
import { everyInWords } from "../scanning/targets.tsx";
import { inDbm, inHertz, type OwnEmitter, type OwnFootprint } from "./spectrum-words.ts";

/** What others can hear of us: what somebody declared, and outside of all problem sets what the platform itself sends. */
export function OwnEmissions({
  footprint: { emitters, nodes, scanning },
  place,
}: {
  footprint: OwnFootprint;
  place: PicturePlace;
}): ReactNode {
  const [isDeclaring, setDeclaring] = useState(false);
  const mayDecide = place.may("discovery:decide");
  return (
    <>
      <Section
        title="What we send out ourselves"
        acts={
          mayDecide && (
            <button type="button" className="primary" onClick={() => setDeclaring(true)}>
              Declare an emitter
            </button>
          )
        }
      >
        <Table
          label="Emitters of our own"
          rows={emitters}
          keyOf={({ id }) => id}
          columns={mayDecide ? [...COLUMNS, REMOVE] : COLUMNS}
          empty="Nothing is declared. Radios, radars and beacons of our own stand here, so that nobody takes them for others'."
        />
      </Section>
      {place.problemSetId === undefined && <OfThePlatform nodes={nodes} scanning={scanning} />}
      {isDeclaring && <EmitterDialog place={place} onClose={() => setDeclaring(false)} />}
    </>
  );
}

const COLUMNS: readonly Column<OwnEmitter>[] = [
  {
    head: "Emitter",
    cell: ({ name, mobile, ...emitter }) => (
      <>
        {name} {mobile && <Badge tone="info">mobile</Badge>} <BarrierOf {...emitter} />
      </>
    ),
  },
  { head: "Frequency", isFigure: true, cell: ({ frequencyHz }) => inHertz(frequencyHz) },
  {
    head: "Bandwidth",
    isFigure: true,
    cell: ({ bandwidthHz }) => (bandwidthHz ? inHertz(bandwidthHz) : <span className="muted">not said</span>),
  },
  { head: "Power", isFigure: true, cell: ({ powerDbm }) => inDbm(powerDbm) },
  {
    head: "Sends",
    cell: ({ dutyCycle, name }) => <Share of={dutyCycle} label={`How much of the time ${name} sends`} />,
  },
];
const REMOVE: Column<OwnEmitter> = {
  head: "Acts",
  isAct: true,
  cell: (emitter) => <TakeOut emitter={emitter} />,
};

function TakeOut({ emitter: { id, name } }: { emitter: OwnEmitter }): ReactNode {
  const remove = useAct("DELETE /discovery/em/emitters/{id}", { says: `${name} is taken out.` });
  return (
    <ConfirmButton
      words="Take out"
      label={`Take out ${name}`}
      className="danger"
      title={`Take out ${name}?`}
      run={() => remove.mutateAsync({ path: { id } })}
    >
      <p>It no longer counts as one of our own. What is heard of it stays.</p>
    </ConfirmButton>
  );
}

const MHZ = 1e6;
const KHZ = 1e3;

function EmitterDialog({ place, onClose }: { place: PicturePlace; onClose(): void }): ReactNode {
  const declare = useAct("POST /discovery/em/emitters", {
    tellsRefusal: false,
    says: ({ data }) => `${data.name} is declared.`,
    then: onClose,
  });
  const save = ({ name = "", frequencyHz, bandwidthHz, powerDbm, dutyCycle, mobile, ...fields }: FormFields) =>
    declare.mutateAsync({
      body: {
        ...inPlace(place),
        ...chosenReaders(fields),
        name,
        frequencyHz: Number(frequencyHz) * MHZ,
        ...(bandwidthHz && { bandwidthHz: Number(bandwidthHz) * KHZ }),
        powerDbm: Number(powerDbm),
        ...(dutyCycle && { dutyCycle: Number(dutyCycle) / 100 }),
        mobile: mobile === "on",
      },
    });
  return (
    <Dialog title="Declare an emitter of our own" onClose={onClose}>
      <Form act="Declare" onSubmit={save}>
        <Field label="Name" name="name" maxLength={120} required />
        <div className="two">
          <Field label="Frequency in MHz" name="frequencyHz" type="number" step="any" min={0.000001} required />
          <Field label="Bandwidth in kHz (optional)" name="bandwidthHz" type="number" step="any" min={0} />
          <Field
            label="Power in dBm"
            name="powerDbm"
            type="number"
            step="any"
            hint="30 dBm is a watt, 46 are 40 watts."
            required
          />
          <Field
            label="Percent of the time that it sends"
            name="dutyCycle"
            type="number"
            min={0}
            max={100}
            defaultValue={100}
          />
        </div>
        <Check label="It moves" name="mobile" />
        <Readers place={place} />
      </Form>
    </Dialog>
  );
}

/** What the machines of the platform are heard by in networks: their interfaces, and what the scanner sends. */
function OfThePlatform({ nodes, scanning }: Pick<OwnFootprint, "nodes" | "scanning">): ReactNode {
  const interfaces = nodes.flatMap(({ node, interfaces: all }) =>
    all.filter(({ isInternal }) => !isInternal).map((one) => ({ node, ...one })),
  );
  return (
    <Section title="What the platform itself sends">
      <p>
        {scanning.length
          ? `Its scanner asks by ${scanning
              .map(
                ({ transport, intervalSeconds, via }) =>
                  `${TRANSPORT_WORDS[transport as DeviceTransport]} every ${everyInWords(intervalSeconds)} from ${via.join(", ")}`,
              )
              .join("; ")}.`
          : "Its scanner asks no segment of a network now."}
      </p>
      <Table
        label="Network interfaces"
        rows={interfaces}
        keyOf={({ node, name }) => `${node} ${name}`}
        columns={INTERFACE_COLUMNS}
        empty="Its machines have no interface to the outside."
      />
    </Section>
  );
}

type OwnInterface = OwnFootprint["nodes"][number]["interfaces"][number] & { node: string };
const INTERFACE_COLUMNS: readonly Column<OwnInterface>[] = [
  { head: "Interface", cell: ({ name }) => name },
  { head: "Of the node", cell: ({ node }) => node },
  { head: "Addresses", cell: ({ addresses }) => addresses.join(", ") },
  { head: "Hardware address", cell: ({ mac }) => mac ?? <span className="muted">none</span> },
];
