import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { Form, Select } from "../../parts/form.tsx";
import { AdminPage } from "../frame.tsx";
import { KINDS } from "./kinds.ts";
import { JobsTable, type JobStatus } from "./jobs-table.tsx";

const STATUSES = ["queued", "running", "completed", "failed", "cancelled"] as const;
const MOST = 50;

/** Work that goes on after its request was answered: how far it is, why it failed, and how to stop it. */
export function Jobs(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const [status, kind] = [search.get("status"), search.get("kind")];
  const limit = Math.min(Number(search.get("limit")) || MOST, 100);
  return (
    <AdminPage
      title="Background jobs"
      intro="Work that goes on after its request was answered. A failed one was tried several times before it was given up; most can be tried again."
    >
      <Form act="Show" isInline label="Filter jobs" onSubmit={(fields) => setSearch(fields)}>
        <Select
          label="State"
          name="status"
          defaultValue={status ?? ""}
          options={[["", "any"], ...STATUSES.map((one) => [one, one] as const)]}
        />
        <Select
          label="What"
          name="kind"
          defaultValue={kind ?? ""}
          options={[["", "everything"], ...Object.entries(KINDS)]}
        />
      </Form>
      <JobsTable
        query={{ limit, ...(status && { status: status as JobStatus }), ...(kind && { kind }) }}
        empty={status || kind ? "No job fits these filters." : "Nothing was done in the background yet."}
      />
      <p className="muted">The newest {limit}; those that ended a month ago are forgotten.</p>
    </AdminPage>
  );
}
