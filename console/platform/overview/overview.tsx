import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Badge, many, Time } from "../../parts/texts.tsx";
import { AdminPage } from "../frame.tsx";
import { JobsTable } from "../jobs/jobs-table.tsx";
import { Nodes } from "./nodes.tsx";
import { lackingOf, useInstallation, type Lacking } from "./lacking.ts";

/** How the installation is doing: what needs somebody first, then its nodes, its work, its language model. */
export function Overview(): ReactNode {
  const mayInspectJobs = useMay("jobs:administer");
  return (
    <AdminPage title="Administration" intro="How the installation is doing, and what needs you.">
      <Needed />
      <div className="columns">
        <Health />
        <Model />
      </div>
      <Nodes />
      {mayInspectJobs && <Work />}
    </AdminPage>
  );
}

/** What an administrator should see to; nothing where all is well. */
function Needed(): ReactNode {
  const installation = useInstallation();
  const lacking = installation ? lackingOf(installation) : [];
  if (!installation) return null;
  return (
    <Section title="What needs you">
      {lacking.length ? (
        <ul className="list needed">
          {lacking.map((one) => (
            <LackingLine key={one.what} {...one} />
          ))}
        </ul>
      ) : (
        <p className="empty">Nothing: all that can be set up is, and nothing failed lately.</p>
      )}
    </Section>
  );
}

const LackingLine = ({ what, why, to, act, isBad }: Lacking): ReactNode => (
  <li>
    <span>
      <Badge tone={isBad ? "bad" : "warn"}>{isBad ? "failing" : "missing"}</Badge> <strong>{what}</strong>{" "}
      <span className="muted">{why}</span>
    </span>
    {to && (
      <Link className="button" to={to}>
        {act}
      </Link>
    )}
  </li>
);

interface Readiness {
  status: string;
  checks: { name: string; ok: boolean; message?: string }[];
}
const STORES: Record<string, string> = {
  documents: "Database",
  transporter: "Connection between the nodes",
  search: "Search index",
};

/** What orchestrators ask; it stands outside of /api, and answers 503 where something is amiss. */
const readReadiness = async (): Promise<Readiness> => (await (await fetch("/health/ready")).json()) as Readiness;

function Health(): ReactNode {
  const health = useQuery({ queryKey: ["/health/ready"], queryFn: readReadiness });
  return (
    <Section
      title="Health"
      acts={
        <button type="button" onClick={() => void health.refetch()}>
          Look again
        </button>
      }
    >
      <Shown of={health}>
        {({ status, checks }) => (
          <ul className="list">
            <li className="row between">
              <span>This gateway</span>
              <Badge tone={status === "ready" ? "good" : "bad"}>{status === "ready" ? "takes requests" : status}</Badge>
            </li>
            {checks.map(({ name, ok, message }) => (
              <li key={name} className="row between">
                <span>
                  {STORES[name] ?? name} {message && <small className="muted">{message}</small>}
                </span>
                <Badge tone={ok ? "good" : "bad"}>{ok ? "answers" : "does not answer"}</Badge>
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </Section>
  );
}

function Model(): ReactNode {
  const models = useAnswer("GET /admin/llm-models");
  return (
    <Section title="Language model" acts={<Link to="/platform/settings/llm">Settings</Link>}>
      <Shown of={models}>
        {({ data, meta }) =>
          meta.configured ? (
            <>
              <p>
                {data.find(({ current }) => current)?.id ?? "The model that is set is not among those offered."}{" "}
                {meta.stale ? <Badge tone="bad">does not answer</Badge> : <Badge tone="good">answers</Badge>}
              </p>
              <p className="muted">
                Its provider offers {many(data.length, "model")}
                {meta.at && (
                  <>
                    , as of <Time at={meta.at} />
                  </>
                )}
                .
              </p>
            </>
          ) : (
            <p className="empty">
              None is set. Briefings, verification and the assistant use rules instead, and say so in every answer.
            </p>
          )
        }
      </Shown>
    </Section>
  );
}

const SHOWN_JOBS = 8;

function Work(): ReactNode {
  return (
    <Section title="Latest work in the background" acts={<Link to="/platform/jobs">All jobs</Link>}>
      <JobsTable query={{ limit: SHOWN_JOBS }} empty="Nothing was done in the background yet." />
    </Section>
  );
}
