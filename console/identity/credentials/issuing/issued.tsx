import { useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { ListRow } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { BarrierOf } from "../../../app/compartments.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, Select } from "../../../parts/form.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../../parts/table.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { proves, short } from "../claims.ts";
import { ShownCredential } from "../shown-credential.tsx";
import { useIssuing, type Issuing } from "./may-issue.ts";

type Credential = ListRow<"GET /credentials">;
type Status = Credential["status"];

const columns = (issuing: Issuing): readonly Column<Credential>[] => [
  {
    head: "Says",
    cell: ({ kind, credential, training, problemSetId, compartments = [] }) => (
      <>
        {proves(kind, credential)} {training && <Badge tone="warn">training</Badge>}{" "}
        <BarrierOf problemSetId={problemSetId} compartments={compartments} />
      </>
    ),
  },
  { head: "About", cell: ({ subjectName, subject }) => subjectName ?? short(subject) },
  { head: "Where", cell: ({ problemSetId }) => placeOf(issuing, problemSetId) },
  {
    head: "State",
    cell: ({ status, statusReason, statusByName, validUntil }) => (
      <>
        <Badge>{status}</Badge>
        {(statusByName || statusReason) && (
          <p className="muted">{[statusByName && `By ${statusByName}`, statusReason].filter(Boolean).join(": ")}</p>
        )}
        {status === "active" && validUntil && (
          <p className="muted">
            Until <Time at={validUntil} />
          </p>
        )}
      </>
    ),
  },
  { head: "Issued", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { head: "Acts", isAct: true, cell: (one) => <Acts credential={one} governs={governs(issuing, one)} /> },
];

const placeOf = ({ sets }: Issuing, problemSetId: string | undefined): string =>
  problemSetId === undefined
    ? "outside of problem sets"
    : (sets.find(({ id }) => id === problemSetId)?.name ?? "a problem set");
const governs = ({ administers, sets }: Issuing, { problemSetId }: Credential): boolean =>
  problemSetId === undefined ? administers : sets.some(({ id }) => id === problemSetId);

/** Credentials that the person sees to: how they stand, and how that is changed. */
export function IssuedCredentials(): ReactNode {
  const issuing = useIssuing();
  const [search, setSearch] = useSearchParams();
  const [status, setId] = [search.get("status"), search.get("set")];
  const query = {
    page: usePage(),
    sort: "-createdAt" as const,
    ...(status && { status: status as Status }),
    ...(setId && { problemSetId: setId }),
  };
  const found = useAnswer("GET /credentials", [{ query }], { keepsShown: true });
  return (
    <Section title="Those that were issued">
      <Form
        isInline
        act="Show"
        label="Which credentials"
        onSubmit={(fields) => setSearch({ list: "issued", ...(fields as Record<string, string>) })}
      >
        <Select
          label="State"
          name="status"
          defaultValue={status ?? ""}
          options={[["", "any"], "active", "suspended", "revoked", "expired"]}
        />
        {issuing.sets.length > 0 && (
          <Select
            label="Problem set"
            name="set"
            defaultValue={setId ?? ""}
            options={[["", "any, or none"], ...issuing.sets.map(({ id, name }) => [id, name] as const)]}
          />
        )}
      </Form>
      <Shown of={found}>
        {({ data, meta }) => (
          <>
            <Table
              label="Issued credentials"
              rows={data}
              keyOf={({ id }) => id}
              columns={columns(issuing)}
              empty={
                status || setId ? "None fits this choice." : "Nobody has issued one yet that you see to. Issue one."
              }
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </Section>
  );
}

type Move = "suspend" | "reinstate" | "revoke";
const MOVES: Readonly<Record<Move, { words: string; from: readonly Status[]; told: string; says: string }>> = {
  suspend: {
    words: "Suspend",
    from: ["active"],
    told: "Whoever verifies it is told that it does not hold for now. It can be reinstated.",
    says: "It is suspended.",
  },
  reinstate: {
    words: "Reinstate",
    from: ["suspended"],
    told: "It holds again. What they lost in a problem set meanwhile, people have to give them again.",
    says: "It holds again.",
  },
  revoke: {
    words: "Revoke",
    from: ["active", "suspended", "expired"],
    told: "Whoever verifies it is told that it does not hold. This is for good.",
    says: "It is revoked.",
  },
};

function Acts({ credential, governs: mayMove }: { credential: Credential; governs: boolean }): ReactNode {
  const [open, setOpen] = useState<Move | "show">();
  const close = (): void => setOpen(undefined);
  const words = proves(credential.kind, credential.credential);
  return (
    <div className="row">
      <button type="button" aria-label={`Show: ${words}`} onClick={() => setOpen("show")}>
        Show
      </button>
      {(Object.keys(MOVES) as Move[])
        .filter((move) => mayMove && MOVES[move].from.includes(credential.status))
        .map((move) => (
          <button key={move} type="button" aria-label={`${MOVES[move].words}: ${words}`} onClick={() => setOpen(move)}>
            {MOVES[move].words}
          </button>
        ))}
      {open === "show" && <ShownCredential of={credential} onClose={close} />}
      {open && open !== "show" && <AskMove move={open} credential={credential} onClose={close} />}
    </div>
  );
}

interface AskMoveProps {
  move: Move;
  credential: Credential;
  onClose(): void;
}

function AskMove({ move, credential: { id, kind, credential, problemSetId }, onClose }: AskMoveProps): ReactNode {
  const { words, told, says } = MOVES[move];
  const act = useAct(`POST /credentials/{id}/${move}` as const, { tellsRefusal: false, says, then: onClose });
  return (
    <Dialog title={`${words}: ${proves(kind, credential)}?`} onClose={onClose}>
      <p>{told}</p>
      {problemSetId !== undefined && move !== "reinstate" && (
        <p>What it says is taken from them in the problem set, whoever gave it: compartments, and the role.</p>
      )}
      <Form act={words} onSubmit={({ reason }) => act.mutateAsync({ path: { id }, body: reason ? { reason } : {} })}>
        <Field label="Why (optional)" name="reason" maxLength={500} hint="They read it, too." />
      </Form>
    </Dialog>
  );
}
