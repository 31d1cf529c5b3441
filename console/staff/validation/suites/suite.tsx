import { useState, type ReactNode } from "react";
import { Link, useNavigate, useParams } from "react-router";
import type { Data } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { BarrierOf } from "../../../app/compartments.tsx";
import { useMay } from "../../../app/session.tsx";
import { useMayIn } from "../../../app/sets.ts";
import { ConfirmButton } from "../../../parts/dialog.tsx";
import { PageOf, Section, Shown } from "../../../parts/page.tsx";
import { Table } from "../../../parts/table.tsx";
import { Badge, Time } from "../../../parts/texts.tsx";
import { StaffPage } from "../../shared/frame.tsx";
import { useStaffPlace } from "../../shared/place.ts";
import { RUN_COLUMNS } from "../runs.tsx";
import { ValidateDialog } from "../validate-dialog.tsx";
import { checkWords } from "./check-words.ts";
import type { CaseOfSuite } from "./drafting.ts";

type WholeSuite = Data<"GET /validation/suites/{suiteId}">;

/** One suite: what it asks, what must hold, and how agents did by it. */
export function SuitePage(): ReactNode {
  const { suiteId = "" } = useParams();
  const suite = useAnswer("GET /validation/suites/{suiteId}", [{ path: { suiteId } }]);
  return (
    <PageOf of={suite} title="Suite" back={<Link to="/staff/validation">To all suites</Link>}>
      {({ data }) => <WholeSuitePage suite={data} />}
    </PageOf>
  );
}

function WholeSuitePage({ suite }: { suite: WholeSuite }): ReactNode {
  const { name, description, problemSetId, compartments, cases, createdBy, createdByName, createdAt } = suite;
  const { nameOf } = useStaffPlace();
  return (
    <StaffPage
      title={name}
      intro={description ?? "A suite of cases that agents are tried with."}
      acts={
        <>
          <Acts suite={suite} />
        </>
      }
    >
      <p className="row">
        <span>For agents of {nameOf(problemSetId)}</span>
        <BarrierOf problemSetId={problemSetId} compartments={compartments} />
        <small className="muted">
          written by {createdByName ?? createdBy}, <Time at={createdAt} />
        </small>
      </p>
      <Section title={`Cases (${cases.length})`}>
        <ol className="list">
          {cases.map((one) => (
            <CaseShown key={one.id} of={one} />
          ))}
        </ol>
      </Section>
      <RunsOf suite={suite} />
    </StaffPage>
  );
}

/** Those of a set belong to its planners, those for everybody to the administrators of agents. */
function Acts({ suite: { id, name, problemSetId } }: { suite: WholeSuite }): ReactNode {
  const navigate = useNavigate();
  const [isTrying, setTrying] = useState(false);
  const mayIn = useMayIn(problemSetId)("validation:run");
  const mayAll = useMay("agents:administer");
  const remove = useAct("DELETE /validation/suites/{suiteId}", {
    says: `The suite ${name} is gone.`,
    then: () => void navigate("/staff/validation"),
  });
  if (!(problemSetId === undefined ? mayAll : mayIn)) return null;
  return (
    <>
      <button type="button" className="primary" onClick={() => setTrying(true)}>
        Try an agent with it
      </button>
      <ConfirmButton
        words="Remove"
        className="danger"
        title={`Remove ${name}?`}
        run={() => remove.mutateAsync({ path: { suiteId: id } })}
      >
        <p>Nobody is tried with it any longer. Validations keep the cases that they began with.</p>
      </ConfirmButton>
      {isTrying && <Trying suite={{ id, name }} setId={problemSetId} onClose={() => setTrying(false)} />}
    </>
  );
}

interface TryingProps {
  suite: { id: string; name: string };
  setId: string | undefined;
  onClose(): void;
}

function Trying({ suite, setId, onClose }: TryingProps): ReactNode {
  const dashboard = useAnswer("GET /validation/dashboard", [
    { query: setId === undefined ? {} : { problemSetId: setId } },
  ]);
  const agents = dashboard.data?.data.rows;
  return agents && <ValidateDialog setId={setId} agents={agents} suites={[suite]} only={suite} onClose={onClose} />;
}

const CaseShown = ({ of: { task, input, assertions, mark } }: { of: CaseOfSuite }): ReactNode => (
  <li>
    <p>
      <strong dir="auto">{task}</strong>
    </p>
    {input && Object.keys(input).length > 0 && (
      <dl>
        {Object.entries(input).map(([name, value]) => (
          <div key={name} className="contents">
            <dt>Given: {name}</dt>
            <dd dir="auto">{typeof value === "string" ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    )}
    <ul>
      {assertions.map((check) => (
        <li key={JSON.stringify(check)}>
          {checkWords(check)} {check.critical && <Badge tone="warn">must hold</Badge>}
          {check.weight !== undefined && check.weight !== 1 && (
            <small className="muted">counts {check.weight} times</small>
          )}
        </li>
      ))}
    </ul>
    {mark !== undefined && mark < 1 && <small className="muted">Passed from {Math.round(mark * 100)} of 100 on.</small>}
  </li>
);

const NEWEST = 100;

/** How agents did by it: the newest validations are looked through. */
function RunsOf({ suite: { id, problemSetId } }: { suite: WholeSuite }): ReactNode {
  const query = { limit: NEWEST, sort: "-createdAt" as const, ...(problemSetId && { problemSetId }) };
  const runs = useAnswer("GET /validation/runs", [{ query }]);
  return (
    <Section title="Validations by it">
      <Shown of={runs}>
        {({ data, meta }) => (
          <>
            <Table
              label="Validations by this suite"
              rows={data.filter(({ suite }) => suite === id)}
              keyOf={(run) => run.id}
              columns={RUN_COLUMNS}
              empty="No agent was tried with it yet."
            />
            {meta.total > NEWEST && (
              <p className="muted">Among the newest {NEWEST} validations; the page of each agent has older ones.</p>
            )}
          </>
        )}
      </Shown>
    </Section>
  );
}
