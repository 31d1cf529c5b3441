import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Data } from "../../../api/client.ts";
import { useAnswer } from "../../../api/hooks.ts";
import { Section, Shown } from "../../../parts/page.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { many, Share } from "../../../parts/texts.tsx";
import { useSet } from "../../set/use-set.tsx";

type RankedDomain = Data<"POST /strategic-tools/prioritize-domain">["domains"][number];
type Touch = RankedDomain["parts"]["relevance"]["touches"][number];

/** Which part of the environment wants looking at, and why. */
export function FirstToExamine(): ReactNode {
  const { set } = useSet();
  const ranked = useAnswer("POST /strategic-tools/prioritize-domain", [{ body: { problemSetId: set.id } }], {
    stays: true,
  });
  return (
    <Shown of={ranked} what="Reading the documents">
      {({ data: { domains, documents, weights } }) => (
        <Section title="What to examine first">
          <Table
            label="Variables, the most urgent first"
            rows={domains}
            keyOf={({ domain }) => domain}
            columns={columnsIn(set.id)}
            empty="There is nothing to rank yet."
          />
          <p className="muted">
            By what you see: {many(documents, "document")}, objectives, missions and alerts. What touches them counts{" "}
            {percent(weights.relevance)}, how old and thin the information is {percent(weights.gap)}, and how much more
            came in the last week than usual {percent(weights.change)}.
          </p>
        </Section>
      )}
    </Shown>
  );
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const columnsIn = (setId: string): readonly Column<RankedDomain>[] => [
  { head: "Variable", cell: ({ name }) => name },
  { head: "Urgency", cell: ({ name, priority }) => <Share of={priority / 100} label={`Urgency: ${name}`} /> },
  { head: "Touches", cell: ({ parts: { relevance } }) => <Touches touches={relevance.touches} setId={setId} /> },
  { head: "What is known", cell: ({ parts: { gap } }) => known(gap) },
  { head: "What is new", cell: ({ parts: { change } }) => news(change) },
];

function known({ ageDays, sources }: RankedDomain["parts"]["gap"]): string {
  if (ageDays === null) return "nothing";
  const age = ageDays < 1 ? "less than a day old" : `${many(Math.floor(ageDays), "day")} old`;
  return `from ${many(sources, "independent document")}, the newest ${age}`;
}

const news = ({ recent, usual }: RankedDomain["parts"]["change"]): string =>
  `${many(recent, "document")} in the last week, usually ${usual.toLocaleString("en", { maximumFractionDigits: 1 })}`;

const KINDS = {
  objective: { one: "objective", several: "objectives" },
  mission: { one: "mission", several: "missions" },
  "threat-alert": { one: "alert of a monitor", several: "alerts of monitors" },
  "validity-alert": { one: "doubt about an objective", several: "doubts about objectives" },
} as const satisfies Record<Touch["kind"], unknown>;

const placeOf = (kind: Touch["kind"], setId: string): string =>
  ({
    objective: `/knowledge/strategy?set=${setId}`,
    mission: `/workspace/${setId}/missions`,
    "threat-alert": `/knowledge/intelligence/monitors?set=${setId}`,
    "validity-alert": `/knowledge/strategy?set=${setId}`,
  })[kind];

function Touches({ touches, setId }: { touches: readonly Touch[]; setId: string }): ReactNode {
  if (!touches.length) return <span className="muted">nothing</span>;
  return [...Map.groupBy(touches, ({ kind }) => kind)].map(([kind, all], at) => (
    <span key={kind}>
      {at > 0 && ", "}
      <Link to={placeOf(kind, setId)}>{many(all.length, KINDS[kind].one, KINDS[kind].several)}</Link>
    </span>
  ));
}
