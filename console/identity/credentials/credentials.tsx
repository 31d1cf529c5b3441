import { useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { HearSets } from "../../live/hear-sets.tsx";
import { useLive } from "../../live/live.ts";
import { Section, Shown } from "../../parts/page.tsx";
import { Pager, usePage } from "../../parts/table.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { AccountPage } from "../frame.tsx";
import { proves, short } from "./claims.ts";
import { Dids } from "./dids.tsx";
import { Issue } from "./issuing/issue.tsx";
import { IssuedCredentials } from "./issuing/issued.tsx";
import { useIssuing } from "./issuing/may-issue.ts";
import { ShownCredential } from "./shown-credential.tsx";
import { Verify } from "./verify.tsx";

type Credential = ListRow<"GET /credentials">;

const CREDENTIALS_LIVE = ["credential.changed", "credential.noticed"];
const OF_CREDENTIALS = ["GET /credentials"];

/** Statements about a person that others can verify, and the identifiers that they are about. */
export function Credentials(): ReactNode {
  const dids = useAnswer("GET /identity/dids", [{ query: { limit: 100 } }]);
  const [open, setOpen] = useState<"verify" | "issue">();
  const { mayIssue, administers, sets } = useIssuing();
  useLive({ topic: "credentials" }, CREDENTIALS_LIVE, undefined, { ops: OF_CREDENTIALS });
  const [search] = useSearchParams();
  const seesToOthers = mayIssue || administers;
  const isIssued = seesToOthers && search.get("list") === "issued";
  const close = (): void => setOpen(undefined);
  return (
    <AccountPage
      title="Credentials"
      intro="Signed statements about you: whoever gets one can verify who made it, and that it still holds."
      acts={
        <>
          {mayIssue && (
            <button type="button" className="primary" onClick={() => setOpen("issue")}>
              Issue a credential
            </button>
          )}
          <button type="button" onClick={() => setOpen("verify")}>
            Verify a credential
          </button>
        </>
      }
    >
      {seesToOthers && (
        <Tabs
          label="Whose credentials"
          of={[
            { to: "/identity/credentials", words: "About you", isHere: !isIssued },
            { to: "/identity/credentials?list=issued", words: "Issued", isHere: isIssued },
          ]}
        />
      )}
      {isIssued ? (
        <IssuedCredentials />
      ) : (
        <Shown of={dids}>
          {({ data }) => (
            <>
              <Mine dids={data.map(({ did }) => did)} />
              <Dids dids={data} />
            </>
          )}
        </Shown>
      )}
      <HearSets ids={sets.map(({ id }) => id)} events={CREDENTIALS_LIVE} ops={OF_CREDENTIALS} />
      {open === "verify" && <Verify onClose={close} />}
      {open === "issue" && <Issue onClose={close} />}
    </AccountPage>
  );
}

/** Those about one of the person's identifiers: nearly everybody has one. */
function Mine({ dids }: { dids: readonly string[] }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const page = usePage();
  const subject = search.get("did") ?? dids[0];
  const held = useAnswer("GET /credentials", [{ query: { page, ...(subject && { subject }) } }], {
    enabled: subject !== undefined,
  });
  return (
    <Section
      title="What is said of you"
      acts={
        dids.length > 1 && (
          <select
            aria-label="Of which of your identifiers"
            value={subject}
            onChange={({ currentTarget }) => setSearch({ did: currentTarget.value })}
          >
            {dids.map((did) => (
              <option key={did} value={did}>
                {short(did)}
              </option>
            ))}
          </select>
        )
      }
    >
      {subject === undefined ? (
        <p className="empty">You have no identifier yet, which credentials are about. Make one below.</p>
      ) : (
        <Shown of={held}>
          {({ data, meta }) => (
            <>
              {data.length === 0 && (
                <p className="empty">
                  Nobody has issued a credential about you. Commanders do so for roles and clearances in problem sets,
                  administrators for everything else.
                </p>
              )}
              <ul className="list">
                {data.map((credential) => (
                  <Held key={credential.id} of={credential} />
                ))}
              </ul>
              <Pager meta={meta} />
            </>
          )}
        </Shown>
      )}
    </Section>
  );
}

function Held({ of: credential }: { of: Credential }): ReactNode {
  const { kind, status, statusReason, validFrom, validUntil, createdByName, issuer, training } = credential;
  const [isOpen, setOpen] = useState(false);
  const mayIssue = useMay("credentials:issue");
  return (
    <li className="stack">
      <div className="row between">
        <span>
          <strong>{proves(kind, credential.credential)}</strong> <Badge>{status}</Badge>{" "}
          {training && <Badge tone="warn">training</Badge>}
          {statusReason && <small className="muted"> {statusReason}</small>}
        </span>
        <button type="button" aria-label={`Show: ${proves(kind, credential.credential)}`} onClick={() => setOpen(true)}>
          Show
        </button>
      </div>
      <small className="muted">
        From {createdByName ?? (mayIssue ? short(issuer) : "this platform")}, <Time at={validFrom} />
        {validUntil && (
          <>
            {" "}
            until <Time at={validUntil} />
          </>
        )}
      </small>
      {isOpen && <ShownCredential of={credential} onClose={() => setOpen(false)} />}
    </li>
  );
}
