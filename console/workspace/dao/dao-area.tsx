import type { ReactNode } from "react";
import { Link, Navigate, Route, Routes, useLocation, useParams } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { NotFound } from "../../app/shell.tsx";
import { isOutOfSight } from "../../api/client.ts";
import { Page, Shown } from "../../parts/page.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { Badge } from "../../parts/texts.tsx";
import { useSet } from "../set/use-set.tsx";
import { Barrier } from "../work/compartments.tsx";
import { DaoList } from "./dao-list.tsx";
import { Delegations } from "./delegations/delegations.tsx";
import { DaoMembers } from "./members/members.tsx";
import { Propose } from "./proposals/propose.tsx";
import { ProposalPage } from "./proposals/proposal.tsx";
import { Proposals } from "./proposals/proposals.tsx";
import { DaoRules } from "./founding/rules.tsx";
import { daoAddress, DaoProvider, ToDaos, useDao } from "./use-dao.tsx";
import "./dao.css";

/** Addresses below /workspace/:problemSetId/dao. */
export default function DaoArea(): ReactNode {
  return (
    <Routes>
      <Route index element={<DaoList />} />
      <Route path="proposals/:proposalId" element={<ProposalAlone />} />
      <Route path=":daoId/*" element={<DaoFrame />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}

/** Leads whoever knows a proposal's id alone, as the activity does, to its page. */
function ProposalAlone(): ReactNode {
  const { proposalId = "" } = useParams();
  const proposal = useAnswer("GET /dao/proposals/{proposalId}", [{ path: { proposalId } }]);
  if (isOutOfSight(proposal.error)) return <OutOfSight />;
  return (
    <Shown of={proposal} what="Opening the proposal">
      {({ data: { problemSetId, daoId, id } }) => (
        <Navigate to={`${daoAddress({ problemSetId, id: daoId })}/proposals/${id}`} replace />
      )}
    </Shown>
  );
}

/** A DAO: its name, and its pages. */
function DaoFrame(): ReactNode {
  const { daoId = "" } = useParams();
  const { set } = useSet();
  const [dao, mine] = [
    useAnswer("GET /dao/{daoId}", [{ path: { daoId } }]),
    useAnswer("GET /dao/{daoId}/me", [{ path: { daoId } }]),
  ];
  if (isOutOfSight(dao.error)) return <OutOfSight />;
  return (
    <Shown of={dao} what="Opening the DAO">
      {({ data }) =>
        data.problemSetId === set.id ? (
          <Shown of={mine}>
            {({ data: standing }) => (
              <DaoProvider value={{ dao: data, mine: standing }}>
                <DaoHead />
                <DaoRoutes />
              </DaoProvider>
            )}
          </Shown>
        ) : (
          <Navigate to={daoAddress(data)} replace />
        )
      }
    </Shown>
  );
}

const TABS = [
  ["", "Proposals"],
  ["/members", "Members"],
  ["/delegations", "Delegations"],
  ["/rules", "Rules"],
] as const;

function DaoHead(): ReactNode {
  const { dao } = useDao();
  const { pathname } = useLocation();
  // A proposal, and the form for one, belong to the first tab.
  const here = TABS.findLast(([to]) => pathname.startsWith(`${daoAddress(dao)}${to}`))?.[0] ?? "";
  return (
    <header className="set-head">
      <p className="row">
        <ToDaos />
        <span aria-hidden="true">/</span>
        <strong>{dao.name}</strong>
        {dao.training && <Badge tone="warn">training: nothing happens outside</Badge>}
        <Barrier compartments={dao.compartments} />
      </p>
      <Tabs
        label={dao.name}
        of={TABS.map(([to, words]) => ({ to: `${daoAddress(dao)}${to}`, words, isHere: to === here }))}
      />
    </header>
  );
}

const DaoRoutes = (): ReactNode => (
  <Routes>
    <Route index element={<Proposals />} />
    <Route path="propose" element={<Propose />} />
    <Route path="proposals/:proposalId" element={<ProposalPage />} />
    <Route path="members" element={<DaoMembers />} />
    <Route path="delegations" element={<Delegations />} />
    <Route path="rules" element={<DaoRules />} />
    <Route path="*" element={<NotFound />} />
  </Routes>
);

const OutOfSight = (): ReactNode => (
  <Page title="Nothing is here for you">
    <p className="empty">
      There is no DAO at this address that you can see. A DAO in a compartment is seen by those read into it alone.
    </p>
    <p>
      <Link to="/workspace/dao">To your DAOs</Link>
    </p>
  </Page>
);
