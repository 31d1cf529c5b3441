import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { Form, Select } from "../../../parts/form.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { Badge } from "../../../parts/texts.tsx";
import { CLASS_WORDS } from "../../shared/words.ts";
import type { SetupProps } from "./setup.tsx";

type Assigned = ListRow<"GET /admin/agents/{agentId}/tools">;

const COLUMNS: readonly Column<Assigned>[] = [
  {
    head: "Tool",
    cell: ({ id, summary, status }) => (
      <>
        <Link to={`/staff/tools/${id}`}>{summary}</Link> {status === "disabled" && <Badge tone="warn">off</Badge>}
      </>
    ),
  },
  { head: "What it does", cell: ({ class: kind }) => CLASS_WORDS[kind] },
];
const columnsFor = (agentId: string, mayChange: boolean): readonly Column<Assigned>[] =>
  mayChange
    ? [...COLUMNS, { head: "Acts", isAct: true, cell: (tool) => <TakeAway agentId={agentId} tool={tool} /> }]
    : COLUMNS;

/** The tools that an agent may use, given and taken away. */
export function AgentTools({ agent: { id, name }, mayChange }: SetupProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const tools = useAnswer("GET /admin/agents/{agentId}/tools", [{ path: { agentId: id }, query: { limit: 100 } }]);
  return (
    <Section
      title="Tools"
      acts={
        mayChange && (
          <button type="button" onClick={() => setOpen(true)}>
            Give it a tool
          </button>
        )
      }
    >
      <Shown of={tools}>
        {({ data }) => (
          <>
            <Table
              label="Its tools"
              rows={data}
              keyOf={(tool) => tool.id}
              columns={columnsFor(id, mayChange)}
              empty="It has none, and can do nothing: give it one."
            />
            {isOpen && <Give agentId={id} name={name} has={data} onClose={() => setOpen(false)} />}
          </>
        )}
      </Shown>
    </Section>
  );
}

function TakeAway({ agentId, tool: { id, summary } }: { agentId: string; tool: Assigned }): ReactNode {
  const take = useAct("DELETE /admin/tools/{toolId}/assign/{agentId}", {
    says: "It does not have it any more, in runs under way either.",
  });
  return (
    <button
      type="button"
      aria-label={`Take away: ${summary}`}
      disabled={take.isPending}
      onClick={() => take.mutate({ path: { toolId: id, agentId } })}
    >
      Take away
    </button>
  );
}

interface GiveProps {
  agentId: string;
  name: string;
  has: readonly Assigned[];
  onClose(): void;
}

function Give({ agentId, name, has, onClose }: GiveProps): ReactNode {
  const tools = useAnswer("GET /admin/tools", [{ query: { limit: 100, status: "enabled" } }]);
  const give = useAct("POST /admin/tools/{toolId}/assign/{agentId}", {
    tellsRefusal: false,
    says: "It has it from now on.",
    then: onClose,
  });
  return (
    <Dialog title={`A tool for ${name}`} onClose={onClose}>
      <Shown of={tools}>
        {({ data }) => (
          <Form act="Give it" onSubmit={({ toolId = "" }) => give.mutateAsync({ path: { toolId, agentId } })}>
            <Select
              label="Tool"
              name="toolId"
              required
              hint="What its autonomy forbids to everybody cannot be given to it."
              options={[
                ["", "choose"],
                ...data
                  .filter(({ id }) => !has.some((one) => one.id === id))
                  .map(({ id, summary, class: kind }) => [id, `${summary} — ${CLASS_WORDS[kind]}`] as const),
              ]}
            />
          </Form>
        )}
      </Shown>
    </Dialog>
  );
}
