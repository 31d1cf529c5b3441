import { useState, type ReactNode } from "react";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { useWho } from "../../../app/session.tsx";
import { ConfirmButton, Dialog } from "../../../parts/dialog.tsx";
import { Field, Form, Select } from "../../../parts/form.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { Pager, Table, usePage, type Column } from "../../../parts/table.tsx";
import { many, Time } from "../../../parts/texts.tsx";
import { instantOf } from "../../work/moments.ts";
import { powerWords } from "../amounts.ts";
import type { DaoDelegation } from "../dao-types.ts";
import { choicesOf } from "../../set/known.ts";
import { DaoPage, useDao, useVoters } from "../use-dao.tsx";

/** Whose power is in whose hands, one's own first. */
export function Delegations(): ReactNode {
  const { dao } = useDao();
  const depth = dao.config.delegationDepth;
  return (
    <DaoPage
      title="Delegations"
      intro={
        depth
          ? `Whoever does not vote can let somebody vote for them. Power passes over ${many(depth, "delegate")} at most; an open vote keeps the delegations it opened with.`
          : "By the rules of this DAO delegations do not count."
      }
    >
      <div className="columns">
        <Own />
        <Received />
      </div>
      <All />
    </DaoPage>
  );
}

function Own(): ReactNode {
  const { dao, mine } = useDao();
  const [isDelegating, setDelegating] = useState(false);
  const takeBack = useAct("DELETE /dao/{daoId}/delegate", {
    says: "Your power is yours again, in votes that open from now on.",
  });
  const { delegation, acts } = mine;
  return (
    <Section title="Your power">
      {delegation ? (
        <p>
          You delegated it to <strong>{delegation.toName ?? delegation.to}</strong>, <Time at={delegation.since} />
          {delegation.expiresAt && (
            <>
              ; it comes back <Time at={delegation.expiresAt} />
            </>
          )}
          .
        </p>
      ) : (
        <p>
          {mine.votes
            ? `You have ${powerWords(mine.power, dao.config.basis)} of your own, and have delegated it to nobody.`
            : "You have no vote here, and nothing to delegate."}
        </p>
      )}
      {acts.vote.allowed && (mine.votes || delegation) && (
        <div className="row">
          <button type="button" onClick={() => setDelegating(true)}>
            {delegation ? "Delegate to somebody else" : "Delegate my power"}
          </button>
          {delegation && (
            <ConfirmButton
              words="Take it back"
              title="Take your power back?"
              run={() => takeBack.mutateAsync({ path: { daoId: dao.id } })}
            >
              <p>It applies to votes that open from now on. In a vote that is open already, vote yourself.</p>
            </ConfirmButton>
          )}
        </div>
      )}
      {isDelegating && <DelegateDialog onClose={() => setDelegating(false)} />}
    </Section>
  );
}

function Received(): ReactNode {
  const { dao, mine } = useDao();
  return (
    <Section title="Delegated to you">
      {mine.delegators.length ? (
        <>
          <ul>
            {mine.delegators.map(({ from, fromName, since }) => (
              <li key={from}>
                {fromName ?? from}, <Time at={since} />
              </li>
            ))}
          </ul>
          <p>
            With what they hold from others, your vote counts {powerWords(mine.carried, dao.config.basis)} in a vote
            that opens now.
          </p>
        </>
      ) : (
        <p className="empty">Nobody has delegated to you.</p>
      )}
    </Section>
  );
}

function DelegateDialog({ onClose }: { onClose(): void }): ReactNode {
  const { dao } = useDao();
  const { userId } = useWho();
  const people = useVoters().filter((one) => one.userId !== userId);
  const delegate = useAct("POST /dao/{daoId}/delegate", {
    tellsRefusal: false,
    says: ({ data }) => `${data.toName ?? "Your delegate"} votes for you from now on, unless you vote yourself.`,
    then: onClose,
  });
  return (
    <Dialog title="Delegate your power" onClose={onClose}>
      <p>
        All of it passes to one person, and on to whom they delegate. Whenever you vote yourself, your own vote counts.
        It applies to votes that open from now on.
      </p>
      <Form
        act="Delegate"
        onSubmit={({ to = "", expiresAt }) =>
          delegate.mutateAsync({
            path: { daoId: dao.id },
            body: { to, ...(expiresAt && { expiresAt: instantOf(expiresAt) }) },
          })
        }
      >
        <Select
          label="To whom"
          name="to"
          required
          options={[["", "Choose somebody"], ...choicesOf(people, (one) => one.userId)]}
        />
        <Field label="Until (optional)" name="expiresAt" type="datetime-local" hint="Empty: until you take it back." />
      </Form>
    </Dialog>
  );
}

function All(): ReactNode {
  const { dao } = useDao();
  const delegations = useAnswer(
    "GET /dao/{daoId}/delegations",
    [{ path: { daoId: dao.id }, query: { page: usePage() } }],
    { keepsShown: true },
  );
  return (
    <Section title="All delegations">
      <Shown of={delegations}>
        {({ data, meta }) => (
          <>
            <Table
              label="Delegations"
              rows={data}
              keyOf={({ from }) => from}
              columns={COLUMNS}
              empty="Everybody votes for themselves."
            />
            <Pager meta={meta} />
          </>
        )}
      </Shown>
    </Section>
  );
}

const COLUMNS: readonly Column<DaoDelegation>[] = [
  { head: "From", cell: ({ from, fromName }) => fromName ?? from },
  { head: "To", cell: ({ to, toName }) => toName ?? to },
  { head: "Since", cell: ({ since }) => <Time at={since} /> },
  {
    head: "Until",
    cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : <span className="muted">no end set</span>),
  },
];
