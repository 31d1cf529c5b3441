import { type ReactNode } from "react";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { sessionChanged } from "../../app/session.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Table, type Column } from "../../parts/table.tsx";
import { Badge, many, Time } from "../../parts/texts.tsx";
import { deviceOf } from "./device.ts";

type Session = ListRow<"GET /auth/sessions">;

const MEANS: Record<Session["means"], string> = {
  password: "with the password",
  passkey: "with a passkey",
  "magic-link": "with a mailed link",
  recovery: "with a recovery link",
  oidc: "through your organisation",
};

const COLUMNS: readonly Column<Session>[] = [
  {
    head: "Where",
    cell: ({ agent, kind, current }) => (
      <>
        <span title={agent}>{deviceOf(agent)}</span>
        {kind === "token" && <small className="muted"> (a token, for a program)</small>}{" "}
        {current && <Badge tone="good">this one</Badge>}
      </>
    ),
  },
  { head: "From", cell: ({ address }) => address ?? "unknown" },
  {
    head: "Begun",
    cell: ({ createdAt, means }) => (
      <>
        <Time at={createdAt} /> <small className="muted">{MEANS[means]}</small>
      </>
    ),
  },
  { head: "Last used", cell: ({ seenAt }) => <Time at={seenAt} /> },
  { head: "Ends", cell: ({ endsAt }) => <Time at={endsAt} /> },
  { head: "Acts", isAct: true, cell: (session) => <End session={session} /> },
];

/** Where the account is open: one may be ended, or all but this one. */
export function Sessions(): ReactNode {
  const sessions = useAnswer("GET /auth/sessions");
  const endOthers = useAct("DELETE /auth/sessions", {
    says: ({ data }) => `${many(data.ended, "session")} ended. This one goes on.`,
  });
  const others = sessions.data?.data.filter(({ current }) => !current).length ?? 0;
  return (
    <Section
      title="Where you are signed in"
      acts={
        others > 0 && (
          <button type="button" disabled={endOthers.isPending} onClick={() => endOthers.mutate({})}>
            End all others
          </button>
        )
      }
    >
      <Shown of={sessions}>
        {({ data }) => (
          <>
            <p className="muted">
              Something that you do not know? End it, then remove the passkeys that are not yours and change your
              password.
            </p>
            <Table label="Sessions" rows={data} keyOf={({ id }) => id} columns={COLUMNS} empty="None." />
          </>
        )}
      </Shown>
    </Section>
  );
}

function End({ session: { id, agent, kind, current } }: { session: Session }): ReactNode {
  const end = useAct("DELETE /auth/sessions/{id}", {
    says: "It is ended.",
    then: () => current && void sessionChanged(),
  });
  return (
    <button
      type="button"
      aria-label={
        current ? "End this session: sign out" : `End: ${kind === "token" ? "token of " : ""}${deviceOf(agent)}`
      }
      disabled={end.isPending}
      onClick={() => end.mutate({ path: { id } })}
    >
      {current ? "Sign out" : "End"}
    </button>
  );
}
