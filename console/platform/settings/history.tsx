import { useState, type ReactNode } from "react";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, Form } from "../../parts/form.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/texts.tsx";
import { CONFIGURATIONS, type ShownConfiguration, type SettingsName } from "./fields.ts";

type Version = ListRow<"GET /admin/config/{name}/versions">;
type Change = Version["changes"][number];

const text = (value: unknown): string =>
  value === undefined ? "as set at the start" : typeof value === "object" ? JSON.stringify(value) : String(value);

/** "Steps of a run: 50 → 20"; of a secret only that it changed. */
function inWords(name: SettingsName, { path, from, to, secret }: Change): string {
  const label = CONFIGURATIONS[name].fields.find((field) => field.name === path)?.label ?? path;
  if (secret) return `${label}: ${secret === "dropped" ? "forgotten, as it was for another address" : secret}`;
  return `${label}: ${text(from)} → ${text(to)}`;
}

const columnsOf = (name: SettingsName, present: ShownConfiguration): readonly Column<Version>[] => [
  { head: "Version", cell: ({ version }) => version },
  {
    head: "What changed",
    cell: ({ changes, restored }) => (
      <>
        {restored !== undefined && `Brought back version ${restored}.`}
        <ul className="changes">
          {changes.map((change) => (
            <li key={change.path}>{inWords(name, change)}</li>
          ))}
        </ul>
      </>
    ),
  },
  { head: "Why", cell: ({ reason }) => reason ?? <span className="muted">not said</span> },
  { head: "By", cell: ({ byName, by }) => byName ?? by },
  { head: "When", cell: ({ at }) => <Time at={at} /> },
  {
    head: "Acts",
    isAct: true,
    cell: ({ version }) => version !== present.version && <BringBack name={name} version={version} present={present} />,
  },
];

/** Every version of a configuration; an earlier one can be brought back. */
export function History({ name, present }: { name: SettingsName; present: ShownConfiguration }): ReactNode {
  const versions = useAnswer("GET /admin/config/{name}/versions", [{ path: { name }, query: { limit: 50 } }]);
  return (
    <Section title="History" acts={present.version > 0 && <BringBack name={name} version={0} present={present} />}>
      <Shown of={versions}>
        {({ data }) => (
          <Table
            label="Versions"
            rows={data}
            keyOf={({ version }) => version}
            columns={columnsOf(name, present)}
            empty="Nothing was changed yet."
          />
        )}
      </Shown>
    </Section>
  );
}

function BringBack({
  name,
  version,
  present,
}: {
  name: SettingsName;
  version: number;
  present: ShownConfiguration;
}): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const words = version === 0 ? "what was set at the start" : `version ${version}`;
  const restore = useAct("POST /admin/config/{name}/rollback", {
    tellsRefusal: false,
    says: `It is again as ${words}.`,
    then: () => setAsking(false),
  });
  return (
    <>
      <button
        type="button"
        aria-label={version === 0 ? undefined : `Bring back ${words}`}
        onClick={() => setAsking(true)}
      >
        {version === 0 ? "Back to the start" : "Bring back"}
      </button>
      {isAsking && (
        <Dialog title={`Bring back ${words}?`} onClose={() => setAsking(false)}>
          <p>
            It becomes a new version, under the rules of today. Keys stay as they are, if they are for that address.
          </p>
          <Form
            act="Bring it back"
            onSubmit={({ reason }) =>
              restore.mutateAsync({
                path: { name },
                body: { version, ...(reason && { reason }) },
                options: { headers: { "if-match": `"r${present.rev}"` } },
              })
            }
          >
            <Field label="Why it goes back" name="reason" maxLength={1000} />
          </Form>
        </Dialog>
      )}
    </>
  );
}
