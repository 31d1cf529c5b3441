import { useState, type ReactNode } from "react";
import { Link, useParams } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { Form, Select } from "../../parts/form.tsx";
import { useWho } from "../../app/session.tsx";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { CompartmentKeys } from "../keys/compartment-keys.tsx";
import { SetPage, useSet } from "../set/use-set.tsx";
import { Contents } from "./contents.tsx";
import { DissolveDialog } from "./dissolve.tsx";
import { RestoreButton } from "./restore.tsx";
import { useIsReadIn, type SetCompartment } from "../../app/compartments.tsx";
import { choicesOf, readersOf, useCompartments, usePeople } from "../set/known.ts";

/** One compartment: who is read in, and, for those, what lies in it. */
export function CompartmentPage(): ReactNode {
  const { set } = useSet();
  const { compartmentId } = useParams();
  const compartments = useCompartments("active");
  return (
    <Shown of={compartments}>
      {({ data }) => {
        const found = data.find(({ id }) => id === compartmentId);
        if (found) return <Open compartment={found} />;
        return (
          <SetPage title="No compartment is here">
            <Empty>
              There is none at this address that you may know of, or it was dissolved.{" "}
              <Link to={`/workspace/${set.id}/compartments`}>To the compartments</Link>
            </Empty>
          </SetPage>
        );
      }}
    </Shown>
  );
}

function Open({ compartment }: { compartment: SetCompartment }): ReactNode {
  const { maySet } = useSet();
  const isReadIn = useIsReadIn()(compartment);
  const [isDissolving, setDissolving] = useState(false);
  const manages = maySet("compartments:manage");
  return (
    <SetPage
      title={compartment.name}
      intro={compartment.description ?? "A compartment: only those who are read in see what lies in it."}
      acts={
        manages && (
          <button type="button" className="danger" onClick={() => setDissolving(true)}>
            Dissolve
          </button>
        )
      }
    >
      {compartment.closing && <Closing compartment={compartment} manages={manages} />}
      <div className="columns">
        <Readers compartment={compartment} manages={manages} />
        {isReadIn ? <Contents compartment={compartment} /> : <NotReadIn />}
      </div>
      {isReadIn && <CompartmentKeys compartment={compartment} />}
      {isDissolving && (
        <DissolveDialog compartment={compartment} isReadIn={isReadIn} onClose={() => setDissolving(false)} />
      )}
    </SetPage>
  );
}

interface Part {
  compartment: SetCompartment;
  manages: boolean;
}

function Closing({ compartment, manages }: Part): ReactNode {
  const { by, byName, at } = compartment.closing!;
  return (
    <section className="card" aria-label="It is to be dissolved">
      <p className="row">
        <Badge tone="warn">is to be dissolved</Badge>
        <span>
          {byName ?? by} asked for it <Time at={at} />. It happens as soon as a second person who manages compartments
          asks for the same, within seven days.
        </span>
      </p>
      {manages && (
        <div className="row">
          <RestoreButton compartment={compartment} act="Keep it" />
        </div>
      )}
    </section>
  );
}

function Readers({ compartment, manages }: Part): ReactNode {
  const readers = readersOf(compartment);
  return (
    <Section title="Read in">
      {readers.length ? (
        <ul className="list">
          {readers.map(({ did, name }) => (
            <li key={did} className="row between">
              {name}
              {manages && <ReadOut compartment={compartment} did={did} name={name} />}
            </li>
          ))}
        </ul>
      ) : (
        <Empty>Nobody is read in yet, so that nobody sees what lies here.</Empty>
      )}
      {manages && <ReadIn compartment={compartment} />}
    </Section>
  );
}

function ReadOut({
  compartment: { id, problemSetId, name: where },
  did,
  name,
}: {
  compartment: SetCompartment;
  did: string;
  name: string;
}): ReactNode {
  const readOut = useAct("DELETE /problem-sets/{id}/compartments/{cid}/members/{mid}", {
    says: `${name} is read out of ${where}.`,
  });
  return (
    <button
      type="button"
      aria-label={`Read out: ${name}`}
      disabled={readOut.isPending}
      onClick={() => readOut.mutate({ path: { id: problemSetId, cid: id, mid: did } })}
    >
      Read out
    </button>
  );
}

/** Others than whoever is here: nobody reads themself in. */
function ReadIn({ compartment: { id, problemSetId, name, memberDids } }: { compartment: SetCompartment }): ReactNode {
  const { userId: me } = useWho();
  const people = usePeople();
  const readIn = useAct("POST /problem-sets/{id}/compartments/{cid}/members", { tellsRefusal: false });
  const outside = people.filter(({ userId, did }) => userId !== me && !memberDids.includes(did));
  return (
    <>
      {outside.length > 0 && (
        <Form
          act="Read in"
          isInline
          label={`Read somebody into ${name}`}
          onSubmit={({ did = "" }) => readIn.mutateAsync({ path: { id: problemSetId, cid: id }, body: { did } })}
        >
          <Select label="Person" name="did" options={choicesOf(outside, ({ did }) => did)} />
        </Form>
      )}
      <p className="muted">
        {outside.length === 0 && "Everybody else of this set is read in. "}
        You cannot read yourself in: another who manages compartments does it, and it is kept in the audit log.
      </p>
    </>
  );
}

const NotReadIn = (): ReactNode => (
  <Section title="What lies in it">
    <Empty>You are not read in. You manage who is, and see nothing of what lies here, not even how much.</Empty>
  </Section>
);
