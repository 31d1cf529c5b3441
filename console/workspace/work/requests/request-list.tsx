import { useState, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import { Form, Select } from "../../../parts/form.tsx";
import { Shown } from "../../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../../parts/table.tsx";
import { Tabs } from "../../../parts/tabs.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { SetPage, useSet } from "../../set/use-set.tsx";
import { Barrier } from "../compartments.tsx";
import { OtherSet } from "./other-set.tsx";
import { NeededBy } from "./needed-by.tsx";
import { NewRequest } from "./new-request.tsx";
import { RequestState } from "./request-state.tsx";
import { REQUEST_STATUSES, type InformationRequest, type RequestDirection } from "./request-words.ts";
import { useCountOf } from "./waiting-requests.tsx";

/** Requests for information: those of this set to the one above, and those of the sets below to this one. */
export function RequestList(): ReactNode {
  const { set, maySet } = useSet();
  const [search, setSearch] = useSearchParams();
  const [isAsking, setAsking] = useState(false);
  const page = usePage();
  const direction: RequestDirection = search.get("direction") === "received" ? "received" : "sent";
  const status = REQUEST_STATUSES.find(([name]) => name === search.get("status"))?.[0];
  const query = { direction, page, sort: "-updatedAt", ...(status && { status }) } as const;
  const requests = useAnswer("GET /inheritance/{id}/rfis", [{ path: { id: set.id }, query }], { keepsShown: true });
  const waiting = useCountOf("received", "open");
  return (
    <SetPage
      title="Requests for information"
      intro="What a set cannot find out itself it asks the set above: with a thread, until the answer is enough."
      acts={
        maySet("inheritance:ask") && (
          <button type="button" className="primary" onClick={() => setAsking(true)}>
            Ask the set above
          </button>
        )
      }
    >
      <Tabs
        label="Whose requests"
        of={[
          { to: "?direction=sent", words: "Asked by us", isHere: direction === "sent" },
          {
            to: "?direction=received",
            words: `Asked of us${waiting ? `: ${waiting} open` : ""}`,
            isHere: direction === "received",
          },
        ]}
      />
      <Form
        key={direction}
        act="Show"
        isInline
        label="Filter requests"
        onSubmit={(fields) => setSearch({ direction, ...fields })}
      >
        <Select label="State" name="status" defaultValue={status ?? ""} options={[["", "any"], ...REQUEST_STATUSES]} />
      </Form>
      <Shown of={requests}>
        {({ data, meta }) => (
          <>
            <Table
              label="Requests for information"
              rows={data}
              keyOf={({ id }) => id}
              columns={direction === "sent" ? columnsFor(set.id) : [...columnsFor(set.id), ASKED_BY]}
              empty={status ? "No request is in this state." : NOTHING[direction]}
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
      {isAsking && <NewRequest onClose={() => setAsking(false)} />}
    </SetPage>
  );
}

const NOTHING: Readonly<Record<RequestDirection, string>> = {
  sent: "Nothing was asked of the set above yet.",
  received: "No set below has asked anything yet.",
};

const columnsFor = (setId: string): readonly Column<InformationRequest>[] => [
  { head: "Request", cell: ({ id, title }) => <Link to={`/workspace/${setId}/rfis/${id}`}>{title}</Link> },
  {
    head: "State",
    cell: ({ status, compartments }) => (
      <span className="row">
        <RequestState of={status} />
        <Barrier compartments={compartments} />
      </span>
    ),
  },
  {
    head: "Priority",
    cell: ({ priority }) =>
      priority === "routine" ? priority : <Badge tone={priority === "immediate" ? "bad" : "warn"}>{priority}</Badge>,
  },
  { head: "Needed by", cell: (request) => <NeededBy of={request} /> },
  { head: "Asked", cell: ({ createdAt }) => <Time at={createdAt} /> },
];
const ASKED_BY: Column<InformationRequest> = {
  head: "By",
  cell: ({ problemSetId }) => <OtherSet id={problemSetId} otherwise="a set below" />,
};
