import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { Data } from "../../../api/client.ts";
import { useAnswer } from "../../../api/hooks.ts";
import { Section, Shown } from "../../../parts/page.tsx";
import { Table, type Column } from "../../../parts/table.tsx";
import { Tabs } from "../../../parts/tabs.tsx";
import { many } from "../../../parts/texts.tsx";
import { SetPage, useSet } from "../../set/use-set.tsx";
import { FirstToExamine } from "./first-to-examine.tsx";

type Sorted = Data<"POST /strategic-tools/categorize-midlife">;
type SortedDocument = Sorted["documents"][number];
type Found = SortedDocument["categories"][number];
type FrameworkId = Sorted["framework"]["id"];

const FRAMEWORKS: readonly (readonly [FrameworkId, string])[] = [
  ["midlife", "Instruments of power (MIDLIFE)"],
  ["pmesii-pt", "Variables of the environment (PMESII-PT)"],
];
const FIRST = "first";

/** What the documents of a set are about, by an established scheme, and what to examine first. */
export function Topics(): ReactNode {
  const { set } = useSet();
  const [search] = useSearchParams();
  const asked = search.get("by");
  const framework = FRAMEWORKS.find(([id]) => id === asked)?.[0] ?? "midlife";
  const isFirst = asked === FIRST;
  return (
    <SetPage
      title="What the documents are about"
      intro="Sorted by the words that stand in them, without a language model. A document may be about several things."
      acts={<Link to={`/workspace/${set.id}/documents`}>All documents</Link>}
    >
      <Tabs
        label="Schemes"
        of={[
          ...FRAMEWORKS.map(([id, words]) => ({ to: `?by=${id}`, words, isHere: !isFirst && id === framework })),
          { to: `?by=${FIRST}`, words: "What to examine first", isHere: isFirst },
        ]}
      />
      {isFirst ? <FirstToExamine /> : <ByFramework key={framework} framework={framework} />}
    </SetPage>
  );
}

function ByFramework({ framework }: { framework: FrameworkId }): ReactNode {
  const { set } = useSet();
  // Every document is read for it: not again at each thing that happens in the set.
  const sorted = useAnswer(
    "POST /strategic-tools/categorize-midlife",
    [{ body: { problemSetId: set.id, framework } }],
    { stays: true },
  );
  return (
    <Shown of={sorted} what="Reading the documents">
      {({ data }) => (
        <>
          <Categories sorted={data} />
          <Section title="Document by document">
            <Table
              label="What each document is about"
              rows={data.documents}
              keyOf={({ documentId }) => documentId}
              columns={columnsIn(set.id, data.framework)}
              empty="No document with a text is here yet."
            />
            <p className="muted">
              The newest fifty that you see, and of each its first 200,000 characters; English words.
            </p>
          </Section>
        </>
      )}
    </Shown>
  );
}

/** How many documents are about each, so that a gap is seen at once. */
function Categories({ sorted: { framework, documents } }: { sorted: Sorted }): ReactNode {
  const about = (id: string): SortedDocument[] =>
    documents.filter(({ categories }) => categories.some(({ category }) => category === id));
  return (
    <Section title={framework.title}>
      <dl>
        {framework.categories.map(({ id, name, definition }) => (
          <div key={id} className="topic">
            <dt>{name}</dt>
            <dd>
              {about(id).length ? <strong>{many(about(id).length, "document")}</strong> : <span>none</span>}
              <br />
              <small className="muted">{definition}</small>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

const columnsIn = (setId: string, { categories }: Sorted["framework"]): readonly Column<SortedDocument>[] => [
  {
    head: "Document",
    cell: ({ documentId, title }) => <Link to={`/workspace/${setId}/documents/${documentId}`}>{title}</Link>,
  },
  {
    head: "Is about",
    cell: (document) =>
      document.uncategorised ? (
        <span className="muted">nothing in it indicates any of them</span>
      ) : (
        <ul className="topic-list">
          {document.categories.map((found) => (
            <li key={found.category}>
              <Why found={found} name={categories.find(({ id }) => id === found.category)?.name ?? found.category} />
            </li>
          ))}
        </ul>
      ),
  },
];

/** How far, and by which words. */
const Why = ({ found: { score, evidence }, name }: { found: Found; name: string }): ReactNode => (
  <details>
    <summary>
      {name}: <span className="figure">{score} of 100</span>
    </summary>
    <ul>
      {evidence.map(({ start, page, prefix, quote, suffix }) => (
        <li key={start}>
          page {page}: …{prefix.slice(-40)}
          <mark>{quote}</mark>
          {suffix.slice(0, 40)}…
        </li>
      ))}
    </ul>
  </details>
);
