import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { Form, Select } from "../../parts/form.tsx";
import { Shown } from "../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../parts/table.tsx";
import { Badge } from "../../parts/texts.tsx";
import { StaffPage } from "../shared/frame.tsx";
import { CLASS_WORDS } from "../shared/words.ts";
import { KINDS, LEADS_TO, type Tool, type ToolKind } from "./tool-words.ts";

const COLUMNS: readonly Column<Tool>[] = [
  {
    head: "Tool",
    cell: ({ id, summary }) => <Link to={`/staff/tools/${id}`}>{summary}</Link>,
  },
  { head: "What it does", cell: ({ class: kind }) => CLASS_WORDS[kind] },
  { head: "Leads to", cell: ({ kind }) => LEADS_TO[kind] },
  {
    head: "State",
    cell: ({ status, rev, builtIn }) => (
      <>
        <Badge tone={status === "enabled" ? "good" : "warn"}>{status === "enabled" ? "on" : "off"}</Badge>{" "}
        {builtIn && rev > 0 && <Badge>changed here</Badge>}
      </>
    ),
  },
];

/** Everything that agents can be given to do. */
export function Tools(): ReactNode {
  return (
    <StaffPage
      title="Tools"
      intro="What agents can do, all of it: what is not here, no agent does. Each goes through the same gate, whoever it works for."
      acts={
        <Link className="button primary" to="/staff/tools/new">
          Add a tool
        </Link>
      }
    >
      <List />
    </StaffPage>
  );
}

function List(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const [kind, status] = [search.get("kind"), search.get("status")];
  const query = {
    page: usePage(),
    limit: 50,
    ...(kind && { kind: kind as ToolKind }),
    ...(status && { status: status as Tool["status"] }),
  };
  const tools = useAnswer("GET /admin/tools", [{ query }], { keepsShown: true });
  return (
    <>
      <Form isInline act="Show" label="Which tools" onSubmit={(fields) => setSearch(fields as Record<string, string>)}>
        <Select
          label="What it is"
          name="kind"
          defaultValue={kind ?? ""}
          options={[["", "anything"], ...KINDS.map(([one, words]) => [one, words] as const)]}
        />
        <Select
          label="State"
          name="status"
          defaultValue={status ?? ""}
          options={[
            ["", "on or off"],
            ["enabled", "on"],
            ["disabled", "off"],
          ]}
        />
      </Form>
      <Shown of={tools}>
        {({ data, meta }) => (
          <>
            <Table
              label="Tools"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              empty={
                search.size
                  ? "No tool fits this choice."
                  : "There are no tools. Add one: something that this platform does, or a request to another server."
              }
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </>
  );
}
