import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { addressOf, ask, type ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { Field, Form } from "../../parts/form.tsx";
import { Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { AdminPage } from "../frame.tsx";
import { actInWords } from "./acts.ts";
import { Verification } from "./verification.tsx";

type Entry = ListRow<"GET /audit">;

const TONES = { ok: "good", refused: "warn", failed: "bad" } as const;

const COLUMNS: readonly Column<Entry>[] = [
  { head: "What", cell: ({ action }) => <Act of={action} /> },
  { head: "When", cell: ({ time }) => <Time at={time} /> },
  {
    head: "Who",
    cell: ({ actor, actorName, via, agent }) => (
      <>
        <Link to={`?actor=${encodeURIComponent(actor)}`} title="Only what they did">
          {nameIn(actor, actorName)}
        </Link>
        <small className="muted">{agent ? ", by an agent" : via === "key" ? ", by an API key" : ""}</small>
      </>
    ),
  },
  {
    head: "On",
    cell: ({ object }) =>
      object && (
        <>
          {object.type.split(".").at(-1)!.replaceAll("-", " ")}{" "}
          <code className="muted" title={String(object.id)}>
            {short(String(object.id))}
          </code>
        </>
      ),
  },
  {
    head: "Outcome",
    cell: ({ outcome, code }) => (
      <>
        <Badge tone={TONES[outcome]}>{outcome === "ok" ? "done" : outcome}</Badge>{" "}
        <small className="muted">{code?.toLowerCase().replaceAll("_", " ")}</small>
      </>
    ),
  },
];

/** Ids, and what stands in the log for nobody or for a part of the platform. */
const IN_THE_LOG = /^(?:[\da-f]{8}-[\da-f-]{27}|anonymous|system:.+)$/;

/** Who is meant, as the log names them. Throws, in words, where an address or a name means nobody or several. */
async function actorOf(typed: string): Promise<string> {
  const by = typed.trim();
  if (IN_THE_LOG.test(by)) return by;
  const { data: found } = await ask("GET /auth/users", { query: { q: by, limit: 50 } });
  const exact = found.filter(({ email, name }) => [email, name].includes(by));
  const meant = exact.length ? exact : found;
  if (!meant.length) throw new Error(`No account has the address or name “${by}”.`);
  if (meant.length > 1) throw new Error(`Several accounts begin with “${by}”: give the whole address.`);
  return meant[0]!.id;
}

/** Whoever gave no name is told from others by the end of their id. */
function nameIn(actor: string, name: string | undefined): string {
  if (name === NO_NAME) return `${NO_NAME} ${short(actor)}`;
  return name ?? (actor === "anonymous" ? "not signed in" : actor);
}
const NO_NAME = "(no name)";

/** The end of an id tells records apart; its beginning is their time. */
const short = (id: string): string => (id.length > 16 ? `…${id.slice(-12)}` : id);

function Act({ of: action }: { of: string }): ReactNode {
  const { act, part } = actInWords(action);
  return (
    <span title={action}>
      {act} <small className="muted">{part}</small>
    </span>
  );
}

/** Who did what: every write, the refused ones too, in a chain that shows whether anybody changed it afterwards. */
export function Audit(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const [actor, from, to, cursor] = ["actor", "from", "to", "cursor"].map((name) => search.get(name));
  const entries = useAnswer(
    "GET /audit",
    [
      {
        query: {
          limit: 50,
          ...(actor && { actor }),
          ...(from && { from: new Date(from).toISOString() }),
          ...(to && { to: new Date(to).toISOString() }),
          ...(cursor && { cursor }),
        },
      },
    ],
    { keepsShown: true },
  );
  return (
    <AdminPage
      title="Audit log"
      intro="Who did what: every change, the refused ones too, in a chain that shows any later tampering."
      acts={
        <a className="button" href={addressOf("GET /audit/export")} download="audit.jsonl">
          Export all
        </a>
      }
    >
      <Verification />
      <Form
        act="Show"
        isInline
        label="Filter the log"
        onSubmit={async ({ by, ...moments }) => setSearch({ ...moments, ...(by && { actor: await actorOf(by) }) })}
      >
        <Field
          key={actor}
          label="By"
          name="by"
          defaultValue={actor ?? ""}
          placeholder="address or name of an account"
          size={28}
        />
        <Field label="From" name="from" type="datetime-local" defaultValue={from ?? ""} />
        <Field label="Until" name="to" type="datetime-local" defaultValue={to ?? ""} />
      </Form>
      <Shown of={entries}>
        {({ data, meta: { next } }) => (
          <>
            <Table
              label="Audit log"
              rows={data}
              keyOf={({ chain, seq }) => `${chain} ${seq}`}
              columns={COLUMNS}
              empty={actor || from || to ? "Nothing in the log fits these filters." : "Nothing was done yet."}
            />
            <nav className="row" aria-label="Pages">
              {cursor && (
                <button type="button" onClick={() => setSearch(without(search, "cursor"))}>
                  Newest
                </button>
              )}
              {next && (
                <button type="button" onClick={() => setSearch({ ...Object.fromEntries(search), cursor: next })}>
                  Older
                </button>
              )}
            </nav>
          </>
        )}
      </Shown>
    </AdminPage>
  );
}

function without(search: URLSearchParams, name: string): URLSearchParams {
  const rest = new URLSearchParams(search);
  rest.delete(name);
  return rest;
}
