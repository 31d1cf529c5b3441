import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { Form, Select } from "../../parts/form.tsx";
import { Empty, Page, Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, many, Time } from "../../parts/texts.tsx";

type Delivery = ListRow<"GET /webhooks/deliveries">;
type Status = Delivery["status"];

const STATES = {
  pending: ["warn", "is tried again"],
  delivered: ["good", "delivered"],
  dead: ["bad", "given up"],
  simulated: ["plain", "training, not sent"],
} as const;

const COLUMNS: readonly Column<Delivery>[] = [
  { head: "Briefing", cell: ({ subject }) => <Link to={`/news/briefings/${subject}`}>Briefing {subject}</Link> },
  { head: "State", cell: ({ status }) => <Badge tone={STATES[status][0]}>{STATES[status][1]}</Badge> },
  { head: "Since", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { head: "Tries", cell: ({ attempts }) => many(attempts, "try", "tries") },
  { head: "What the receiver said", cell: (delivery) => <Outcome {...delivery} /> },
  { head: "Acts", isAct: true, cell: (delivery) => <Resend delivery={delivery} /> },
];

/** Whether a system of one's own is told of each briefing, and how that went. */
export const Webhooks = (): ReactNode => (
  <Page title="Webhook" intro="A system of your own that is told of each new briefing, signed, until it takes it.">
    {useMay("platform:administer") ? (
      <>
        <Receiver />
        <Deliveries />
      </>
    ) : (
      <Empty>Administrators of the platform see here how the deliveries went.</Empty>
    )}
  </Page>
);

function Deliveries(): ReactNode {
  const [search, setSearch] = useSearchParams();
  const [status, cursor] = [search.get("status"), search.get("cursor")];
  const query = { ...(status && { status: status as Status }), ...(cursor && { cursor }) };
  const deliveries = useAnswer("GET /webhooks/deliveries", [{ query }], { keepsShown: true });
  const older = (next: string): string => `?${new URLSearchParams({ ...(status && { status }), cursor: next })}`;
  return (
    <Section title="Deliveries">
      <Form act="Show" isInline label="Filter deliveries" onSubmit={(fields) => setSearch(fields)}>
        <Select
          label="State"
          name="status"
          defaultValue={status ?? ""}
          options={[["", "all"], ...Object.entries(STATES).map(([value, [, words]]) => [value, words] as const)]}
        />
      </Form>
      <Shown of={deliveries}>
        {({ data, meta }) => (
          <>
            <Table
              label="Deliveries, newest first"
              rows={data}
              keyOf={({ id }) => id}
              columns={COLUMNS}
              empty="Nothing was delivered yet. The next briefing is the first, once a receiver is set up."
            />
            {meta.next && <Link to={older(meta.next)}>Older deliveries</Link>}
          </>
        )}
      </Shown>
    </Section>
  );
}

function Receiver(): ReactNode {
  const receiver = useAnswer("GET /webhooks");
  const enable = useAct("POST /webhooks/enable", { says: "It is sent to again." });
  return (
    <Section title="Receiver">
      <Shown of={receiver}>
        {({ data: { configured, url, enabled, disabledAt, reason } }) => {
          if (!configured)
            return <Empty>None is set up. Whoever runs this platform sets WEBHOOK_URL and WEBHOOK_SECRET.</Empty>;
          if (enabled)
            return (
              <p>
                <Badge tone="good">told</Badge> <code>{url}</code>
              </p>
            );
          return (
            <>
              <p>
                <Badge tone="bad">switched off</Badge> <code>{url}</code> <Time at={disabledAt} />: {reason}
              </p>
              <div>
                <button type="button" disabled={enable.isPending} onClick={() => enable.mutate({})}>
                  Send to it again
                </button>
              </div>
            </>
          );
        }}
      </Shown>
    </Section>
  );
}

const Outcome = ({ deliveredAt, lastError, lastStatus, nextAt }: Delivery): ReactNode => (
  <>
    {deliveredAt ? (
      <>
        Taken <Time at={deliveredAt} />
      </>
    ) : (
      (lastError ?? (lastStatus && `It answered ${lastStatus}.`))
    )}
    {nextAt && (
      <small className="muted">
        {" "}
        Tried next <Time at={nextAt} />
      </small>
    )}
  </>
);

/** What is due sooner than this may be on its way. */
const SOON_MS = 30_000;

const isUnderWay = ({ status, nextAt }: Delivery): boolean =>
  status === "pending" && !(nextAt && Date.parse(nextAt) - Date.now() > SOON_MS);

function Resend({ delivery }: { delivery: Delivery }): ReactNode {
  const { id, subject, status } = delivery;
  const replay = useAct("POST /webhooks/deliveries/{id}/replay", { says: "It is sent again." });
  if (isUnderWay(delivery) || status === "simulated") return null;
  return (
    <button
      type="button"
      aria-label={`Send again: briefing ${subject}`}
      disabled={replay.isPending}
      onClick={() => replay.mutate({ path: { id } })}
    >
      Send again
    </button>
  );
}
