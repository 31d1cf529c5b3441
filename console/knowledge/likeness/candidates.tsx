import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, TextField } from "../../parts/form.tsx";
import { Section, Shown } from "../../parts/page.tsx";
import { Badge, many, Share } from "../../parts/texts.tsx";
import { Glyph } from "../picture/glyph.tsx";
import { Said } from "./said.tsx";
import { entityAddress, type EntitySeen } from "../vocabulary.ts";

export type LikePair = ListRow<"GET /graph/resolution/duplicates">;
type PairVerdict = "positive" | "negative" | "unsure";

/** Those that an entity may be one with; nothing where there are none. */
export function Candidates({
  setId,
  entityId,
  mayJudge,
}: {
  setId: string;
  entityId: string;
  mayJudge: boolean;
}): ReactNode {
  const pairs = useAnswer("GET /graph/resolution/duplicates", [{ query: { problemSetId: setId, entityId } }]);
  if (!pairs.data?.data.length) return null;
  return (
    <Section title="May be the same as">
      <Shown of={pairs}>{({ data }) => <Pairs pairs={data} mayJudge={mayJudge} about={entityId} />}</Shown>
    </Section>
  );
}

interface PairsProps {
  pairs: readonly LikePair[];
  mayJudge: boolean;
  /** On the page of this entity, which need not be named again. */
  about?: string;
}

export const Pairs = ({ pairs, mayJudge, about }: PairsProps): ReactNode => (
  <ul className="list">
    {pairs.map((pair) => (
      <Pair key={`${pair.one.id} ${pair.other.id}`} pair={pair} mayJudge={mayJudge} {...(about && { about })} />
    ))}
  </ul>
);

const Side = ({ id, name, type, sources, degree }: EntitySeen): ReactNode => (
  <span>
    <Glyph kind={type} /> <Link to={entityAddress(id)}>{name}</Link>{" "}
    <small className="muted">
      {many(sources, "source")}, {many(degree, "neighbour")}
    </small>
  </span>
);

function Pair({ pair, mayJudge, about }: Omit<PairsProps, "pairs"> & { pair: LikePair }): ReactNode {
  const [verdict, setVerdict] = useState<PairVerdict>();
  const { one, other, probability, why, whyNot, nameAlone, ambiguous, unsure } = pair;
  const both = `${one.name} and ${other.name}`;
  return (
    <li>
      <p className="row">
        {about !== one.id && <Side {...one} />} {!about && <span className="muted">and</span>}{" "}
        {about !== other.id && <Side {...other} />}
        <Share of={probability} label={`How likely ${both} are one`} />
        {unsure && <Badge tone="warn">somebody could not tell</Badge>}
      </p>
      <ul className="reasons">
        {why.map(({ because }) => (
          <li key={because}>For: {because}</li>
        ))}
        {whyNot.map(({ because }) => (
          <li key={because}>Against: {because}</li>
        ))}
        {nameAlone && <li>Only the names speak for it.</li>}
        {ambiguous.length > 0 && <li>It fits {ambiguous.map(({ name }) => name).join(", ")} about as well.</li>}
      </ul>
      <Said of={[one, other].filter(({ id }) => id !== about)} setId={pair.problemSetId} />
      {mayJudge && (
        <div className="row">
          <button type="button" aria-label={`They are the same: ${both}`} onClick={() => setVerdict("positive")}>
            The same
          </button>
          <button type="button" aria-label={`They are not the same: ${both}`} onClick={() => setVerdict("negative")}>
            Not the same
          </button>
          <button type="button" aria-label={`I cannot tell: ${both}`} onClick={() => setVerdict("unsure")}>
            I cannot tell
          </button>
        </div>
      )}
      {verdict && <Judge pair={pair} verdict={verdict} onClose={() => setVerdict(undefined)} />}
    </li>
  );
}

const TITLES: Readonly<Record<PairVerdict, string>> = {
  positive: "They are the same",
  negative: "They are not the same",
  unsure: "It cannot be told",
};

function Judge({ pair, verdict, onClose }: { pair: LikePair; verdict: PairVerdict; onClose(): void }): ReactNode {
  const { one, other, problemSetId } = pair;
  const judge = useAct("POST /graph/resolution/merge", {
    tellsRefusal: false,
    says: verdict === "positive" ? `${one.name} and ${other.name} are shown as one now.` : "Your judgement is kept.",
    then: onClose,
  });
  return (
    <Dialog title={TITLES[verdict]} onClose={onClose}>
      <p>
        {one.name} and {other.name}.{" "}
        {verdict === "positive"
          ? "Whoever sees both sees one from now on. Nothing is rewritten, and it can be taken back."
          : verdict === "negative"
            ? "The pair is no longer proposed. This can be taken back."
            : "The pair stays in the list, marked so that others know that somebody looked."}
      </p>
      <Form
        act="Judge so"
        onSubmit={({ reason }) =>
          judge.mutateAsync({
            body: { problemSetId, entityIds: [one.id, other.id], verdict, ...(reason && { reason }) },
          })
        }
      >
        <TextField label="Why" name="reason" hint="Others read it beside the judgement." rows={3} />
      </Form>
    </Dialog>
  );
}
