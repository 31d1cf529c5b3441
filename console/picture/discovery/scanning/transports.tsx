import { useState, type ReactNode } from "react";
import type { Data } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Check, Field, Form, TextField } from "../../../parts/form.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { Badge } from "../../../parts/texts.tsx";
import { TRANSPORT_WORDS } from "../device-words.ts";
import { everyInWords } from "./targets.tsx";

type TransportShown = Data<"GET /discovery/status">["transports"][number];
/** These ask a whole segment of a network from addresses of the platform's own. */
const SWEEPS: readonly string[] = ["mdns", "ssdp"];
const isSweep = ({ transport }: TransportShown): boolean => SWEEPS.includes(transport);

/** By which ways devices are found, and how each is used. */
export function TransportsTable({
  transports,
  mayAdminister,
}: {
  transports: readonly TransportShown[];
  mayAdminister: boolean;
}): ReactNode {
  const [changing, setChanging] = useState<TransportShown>();
  return (
    <>
      <Table
        label="Ways of finding devices"
        rows={transports}
        keyOf={({ transport }) => transport}
        columns={mayAdminister ? [...COLUMNS, actColumn(setChanging)] : COLUMNS}
        empty="There are none."
      />
      {changing && <TransportDialog transport={changing} onClose={() => setChanging(undefined)} />}
    </>
  );
}

const COLUMNS: readonly Column<TransportShown>[] = [
  { head: "By", cell: ({ transport }) => TRANSPORT_WORDS[transport] },
  {
    head: "Is",
    cell: ({ enabled }) => <Badge tone={enabled ? "good" : "plain"}>{enabled ? "turned on" : "turned off"}</Badge>,
  },
  { head: "Every", cell: ({ intervalSeconds }) => everyInWords(intervalSeconds) },
  { head: "Waits for an answer", isFigure: true, cell: ({ timeoutMs }) => `${timeoutMs.toLocaleString("en")} ms` },
  {
    head: "Asks from",
    cell: (one) =>
      isSweep(one)
        ? one.via.join(", ") || <span className="muted">nowhere: no segment is asked</span>
        : "the machine that scans",
  },
];

const actColumn = (change: (transport: TransportShown) => void): Column<TransportShown> => ({
  head: "Acts",
  isAct: true,
  cell: (one) => (
    <button type="button" aria-label={`Change ${TRANSPORT_WORDS[one.transport]}`} onClick={() => change(one)}>
      Change
    </button>
  ),
});

function TransportDialog({ transport: before, onClose }: { transport: TransportShown; onClose(): void }): ReactNode {
  const words = TRANSPORT_WORDS[before.transport];
  const save = useAct("PUT /discovery/scanner/{transport}/config", {
    tellsRefusal: false,
    says: `Devices are looked for by ${words} as you said.`,
    then: onClose,
  });
  return (
    <Dialog title={`Find devices by ${words}`} onClose={onClose}>
      <Form
        act="Save"
        onSubmit={({ enabled, interval, timeout, via = "" }) =>
          save.mutateAsync({
            path: { transport: before.transport },
            body: {
              enabled: enabled === "on",
              intervalSeconds: Number(interval),
              timeoutMs: Number(timeout),
              ...(isSweep(before) && { via: via.split(/[\s,;]+/).filter(Boolean) }),
            },
          })
        }
      >
        <Check label="It is turned on" name="enabled" defaultChecked={before.enabled} />
        <div className="two">
          <Field
            label="Seconds between two looks"
            name="interval"
            type="number"
            min={10}
            max={86_400}
            hint="After three without it a device is lost, and no sooner than ten minutes."
            defaultValue={before.intervalSeconds}
            required
          />
          <Field
            label="Milliseconds an answer is waited for"
            name="timeout"
            type="number"
            min={100}
            max={10_000}
            defaultValue={before.timeoutMs}
            required
          />
        </div>
        {isSweep(before) && <ViaField via={before.via} />}
      </Form>
    </Dialog>
  );
}

/** From where a segment is asked: addresses of the platform's own machines. */
function ViaField({ via }: { via: readonly string[] }): ReactNode {
  const own = useAnswer("GET /discovery/em/own-footprint");
  const addresses = (own.data?.data.nodes ?? []).flatMap(({ interfaces }) =>
    interfaces
      .filter(({ isInternal }) => !isInternal)
      .flatMap((one) => one.addresses.filter((text) => !text.includes(":"))),
  );
  return (
    <TextField
      label="Asks from these addresses of ours"
      name="via"
      rows={2}
      hint={
        addresses.length
          ? `One a line; none: no segment is asked. The platform has ${[...new Set(addresses)].join(", ")}.`
          : "One a line; none: no segment is asked."
      }
      defaultValue={via.join("\n")}
    />
  );
}
