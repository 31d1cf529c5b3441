import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import type { ListRow } from "../../api/client.ts";
import { useAct, useAnswer } from "../../api/hooks.ts";
import { useLive } from "../../live/live.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, Select, TextField } from "../../parts/form.tsx";
import { Empty, Section, Shown } from "../../parts/page.tsx";
import { Pager, usePage } from "../../parts/table.tsx";
import { Badge, Time } from "../../parts/texts.tsx";
import { PageOfSet } from "../area.tsx";
import { useMayIn } from "../../app/sets.ts";
import { entityAddress } from "../vocabulary.ts";
import { Pairs } from "./candidates.tsx";

type EntityJudgement = ListRow<"GET /graph/resolution/judgements">;
type JudgementVerdict = EntityJudgement["verdict"];

/** Names that may stand for one and the same, and what people judged of them. */
export const Likeness = (): ReactNode => (
  <PageOfSet
    title="Same or not"
    intro="Two names may stand for one person or place. Nothing is joined by itself: people decide, and can take it back."
  >
    {({ id }) => <Lists setId={id} />}
  </PageOfSet>
);

function Lists({ setId }: { setId: string }): ReactNode {
  const page = usePage();
  const mayJudge = useMayIn(setId)("graph:edit");
  useLive({ problemSetId: setId }, ["graph.changed"]);
  const pairs = useAnswer("GET /graph/resolution/duplicates", [{ query: { problemSetId: setId, page, limit: 10 } }], {
    keepsShown: true,
  });
  const judged = useAnswer("GET /graph/resolution/judgements", [
    { query: { problemSetId: setId, sort: "-updatedAt", limit: 50 } },
  ]);
  return (
    <>
      <Section title="To be judged">
        <Shown of={pairs} what="Comparing names">
          {({ data, meta }) => (
            <>
              {!data.length && <Empty>No two names here are so alike that they may stand for one.</Empty>}
              <Pairs pairs={data} mayJudge={mayJudge} />
              <Pager meta={meta} />
            </>
          )}
        </Shown>
      </Section>
      <Section title="Judged">
        <Shown of={judged}>
          {({ data }) => (
            <>
              {!data.length && <Empty>Nobody has judged anything yet.</Empty>}
              <ul className="list">
                {data.map((one) => (
                  <Judged key={one.id} judgement={one} mayJudge={mayJudge} />
                ))}
              </ul>
            </>
          )}
        </Shown>
      </Section>
    </>
  );
}

const VERDICTS: Readonly<Record<JudgementVerdict, readonly [string, "good" | "bad" | "warn" | "plain"]>> = {
  positive: ["the same", "good"],
  negative: ["not the same", "bad"],
  unsure: ["cannot be told", "warn"],
  withdrawn: ["taken back", "plain"],
};

const Verdict = ({ of }: { of: JudgementVerdict }): ReactNode => (
  <Badge tone={VERDICTS[of][1]}>{VERDICTS[of][0]}</Badge>
);

function Judged({ judgement, mayJudge }: { judgement: EntityJudgement; mayJudge: boolean }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { entities, verdict, reason, decidedBy, decidedByName, decidedAt, former } = judgement;
  const takeBack = verdict === "positive" ? "Separate again" : "Take back";
  const names = entities.map(({ name }) => name).join(" and ");
  return (
    <li>
      <p className="row">
        {entities.map(({ name, ids }) => (
          <Link key={ids[0]} to={entityAddress(ids[0]!)}>
            {name}
          </Link>
        ))}
        <Verdict of={verdict} />
        <small className="muted">
          {decidedByName ?? decidedBy}, <Time at={decidedAt} />
        </small>
      </p>
      {reason && <blockquote>{reason}</blockquote>}
      {former.length > 0 && (
        <details>
          <summary>Judged before</summary>
          <ul>
            {former.map((one) => (
              <li key={one.decidedAt}>
                <Verdict of={one.verdict} /> {one.decidedByName ?? one.decidedBy}, <Time at={one.decidedAt} />
                {one.reason && `: ${one.reason}`}
              </li>
            ))}
          </ul>
        </details>
      )}
      {mayJudge && verdict !== "withdrawn" && (
        <button type="button" aria-label={`${takeBack}: ${names}`} onClick={() => setOpen(true)}>
          {takeBack}
        </button>
      )}
      {isOpen && <TakeBack judgement={judgement} names={names} onClose={() => setOpen(false)} />}
    </li>
  );
}

interface TakeBackProps {
  judgement: EntityJudgement;
  names: string;
  onClose(): void;
}

function TakeBack({ judgement, names, onClose }: TakeBackProps): ReactNode {
  const separate = useAct("POST /graph/resolution/judgements/{judgementId}/separate", {
    tellsRefusal: false,
    says: `The judgement of ${names} was taken back.`,
    then: onClose,
  });
  const wasMerge = judgement.verdict === "positive";
  return (
    <Dialog title={wasMerge ? "Separate again" : "Take the judgement back"} onClose={onClose}>
      <p>{names}: the graph is again as it was without this judgement.</p>
      <Form
        act={wasMerge ? "Separate" : "Take back"}
        onSubmit={({ leave, reason }) =>
          separate.mutateAsync({
            path: { judgementId: judgement.id },
            body: { leave: wasMerge ? (leave as "negative" | "nothing") : "nothing", ...(reason && { reason }) },
          })
        }
      >
        {wasMerge && (
          <Select
            label="And from now on"
            name="leave"
            options={[
              ["negative", "they are judged not to be the same"],
              ["nothing", "as if nobody had ever judged"],
            ]}
          />
        )}
        <TextField label="Why" name="reason" rows={3} />
      </Form>
    </Dialog>
  );
}
