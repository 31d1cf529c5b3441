import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { ask } from "../../../api/client.ts";
import { useAct, useAnswer } from "../../../api/hooks.ts";
import { proveFirst } from "../../../api/proof.ts";
import { Check, Form, TextField, type FormFields } from "../../../parts/form.tsx";
import { Section, Shown } from "../../../parts/page.tsx";
import { Time } from "../../../parts/texts.tsx";
import { powerWords } from "../amounts.ts";
import { choiceFrom, choiceWords } from "../choice-words.ts";
import type { DaoChoice, Proposal, ProposalStanding, TypedData } from "../dao-types.ts";
import { whyNot } from "../rule-words.ts";
import { SignDialog } from "../signing/sign-dialog.tsx";
import { daoAddress, useDao } from "../use-dao.tsx";
import { BallotFields } from "./ballot-fields.tsx";

/** This person's part in a vote: what they voted, what it counts, and the ballot while it is open to them. */
export function Ballot({ proposal }: { proposal: Proposal }): ReactNode {
  const mine = useAnswer("GET /dao/{daoId}/proposals/{proposalId}/me", [
    { path: { daoId: proposal.daoId, proposalId: proposal.id } },
  ]);
  return (
    <Section title="Your vote">
      <Shown of={mine}>
        {({ data }) => (
          <>
            <OwnVote proposal={proposal} mine={data} />
            {data.acts.vote.allowed ? (
              <OpenBallot proposal={proposal} mine={data} />
            ) : (
              proposal.status === "active" && <p className="muted">You cannot vote now: {whyNot(data.acts.vote.why)}</p>
            )}
          </>
        )}
      </Shown>
    </Section>
  );
}

interface Given {
  proposal: Proposal;
  mine: ProposalStanding;
}

function OwnVote({ proposal, mine }: Given): ReactNode {
  const { kind, options, rules, status } = proposal;
  const { vote } = mine;
  const mayStill = status === "active" || status === "pending";
  const stood = { pending: "would count", active: "counts" }[status as "active"] ?? "counted";
  const represented = mine.represents.map((id, at) => mine.representsNames?.[at] ?? id);
  return (
    <>
      {vote?.choice !== undefined && (
        <p>
          You voted <strong>{choiceWords(kind, options, vote.choice)}</strong>, <Time at={vote.castAt} />.
        </p>
      )}
      {mine.votes && (mayStill || vote) && (
        <p>
          Your vote {stood} {powerWords(mine.carried, rules.basis)} of {powerWords(mine.total, rules.basis)}
          {represented.length > 0 && `: your own, and that of ${represented.join(", ")}, who delegated to you`}.
        </p>
      )}
      {!vote && mine.speaker && (
        <p>
          {mine.speakerName ?? mine.speaker} {mayStill ? "votes" : "voted"} for you: you delegated your power.
          {status === "active" && " If you vote yourself, your own vote counts instead."}
        </p>
      )}
      {status === "pending" && !mine.frozen && <p className="muted">Power is frozen when the voting opens.</p>}
      {!mayStill && !vote && !mine.speaker && <p className="muted">You did not vote.</p>}
    </>
  );
}

interface Casting {
  choice: DaoChoice;
  reason?: string;
}

function OpenBallot({ proposal, mine }: Given): ReactNode {
  const { dao, mine: inDao } = useDao();
  const path = { daoId: proposal.daoId, proposalId: proposal.id };
  const before = mine.vote?.choice;
  const [ranking, setRanking] = useState<readonly number[]>(
    proposal.kind === "ranked" && Array.isArray(before) ? (before as number[]) : [],
  );
  const [signing, setSigning] = useState<{ casting: Casting; typed: TypedData }>();
  const cast = useAct("POST /dao/{daoId}/proposals/{proposalId}/vote", {
    tellsRefusal: false,
    says: before === undefined ? "Your vote is cast." : "Your vote is changed.",
  });
  const isRequired = proposal.rules.signatures === "required";
  async function submit(fields: FormFields): Promise<void> {
    const made = choiceFrom(proposal.kind, proposal.options, fields, ranking);
    if ("missing" in made) throw new Error(made.missing);
    const casting = { choice: made.choice, ...(fields["reason"] && { reason: fields["reason"] }) };
    if (!isRequired && !fields["signed"]) return void (await cast.mutateAsync({ path, body: casting }));
    const { data: typed } = await proveFirst(() =>
      ask("POST /dao/{daoId}/proposals/{proposalId}/vote/typed-data", { path, body: { choice: made.choice } }),
    );
    setSigning({ casting, typed });
  }
  return (
    <>
      <Form act={before === undefined ? "Vote" : "Change my vote"} onSubmit={submit} label="Ballot">
        <BallotFields proposal={proposal} mine={mine} ranking={ranking} rank={setRanking} />
        <TextField
          label="Why (optional)"
          name="reason"
          rows={2}
          maxLength={2_000}
          defaultValue={mine.vote?.reason}
          hint="Everybody who sees the proposal sees your vote and your reason."
        />
        {isRequired ? (
          <p className="muted">
            Votes here are signed with your wallet.
            {!inDao.address && (
              <>
                {" "}
                <Link to={`${daoAddress(dao)}/members`}>Register your address first</Link>, unless your account has a
                blockchain account bound to it.
              </>
            )}
          </p>
        ) : (
          inDao.address && <Check label="Sign it with my wallet" name="signed" />
        )}
        {!proposal.rules.changeable && <p className="muted">A vote here is cast once and cannot be changed.</p>}
      </Form>
      {signing && (
        <SignDialog
          typed={signing.typed}
          act="Cast the signed vote"
          onSigned={(signature) => cast.mutateAsync({ path, body: { ...signing.casting, signature } })}
          onClose={() => setSigning(undefined)}
        />
      )}
    </>
  );
}
