import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Data } from "../../api/client.ts";
import { useAct } from "../../api/hooks.ts";
import { Empty, Section } from "../../parts/page.tsx";
import { Badge, many, Progress } from "../../parts/texts.tsx";
import { useSet } from "../set/use-set.tsx";
import { DESIGN_PARTS } from "./sections.ts";

type Analysis = Data<"POST /design/{problemSetId}/analyze">;
type Finding = Analysis["findings"][number];

/** Looks for gaps and contradictions, in the design and against the documents; nothing is changed by it. */
export function DesignAnalysis(): ReactNode {
  const { set } = useSet();
  const analyse = useAct("POST /design/{problemSetId}/analyze");
  const found = analyse.data?.data;
  return (
    <Section title="Does it hold together?">
      <p className="muted">
        Gaps, and sentences that exclude each other: in the design, and in the documents that you see.
      </p>
      <div>
        <button
          type="button"
          disabled={analyse.isPending}
          onClick={() => analyse.mutate({ path: { problemSetId: set.id } })}
        >
          {found ? "Look again" : "Look"}
        </button>
      </div>
      {analyse.isPending && <Progress label="The design is held against itself and the documents" />}
      {found && <Findings found={found} />}
    </Section>
  );
}

const Findings = ({ found: { findings, documents, fault, method } }: { found: Analysis }): ReactNode => (
  <div role="status">
    {!findings.length && <Empty>Nothing was found that does not fit.</Empty>}
    <ul className="list">
      {findings.map((one) => (
        <FindingLine key={`${one.message} ${one.design.map(({ start }) => start).join()}`} finding={one} />
      ))}
    </ul>
    <p className="muted">
      {many(documents, "document")} read, {method === "llm" ? "by rules and a language model" : "by rules"}.{" "}
      {fault && `The language model had no part in it: ${fault}`}
    </p>
  </div>
);

function FindingLine({ finding: { kind, message, method, design, documents } }: { finding: Finding }): ReactNode {
  const { set } = useSet();
  return (
    <li>
      <p>
        <Badge tone={kind === "contradiction" ? "bad" : "warn"}>{kind}</Badge> {message}
        {method === "llm" && <small className="muted"> (by a language model)</small>}
      </p>
      {design.map(({ section, field, item, start, quote }) => (
        <blockquote key={`${section} ${field} ${item ?? ""} ${start}`} dir="auto">
          “{quote}” <cite>{DESIGN_PARTS[section].title}</cite>
        </blockquote>
      ))}
      {documents.map(({ documentId, start, page, quote }) => (
        <blockquote key={`${documentId} ${start}`} dir="auto">
          “{quote}” <Link to={`/workspace/${set.id}/documents/${documentId}`}>a document, page {page}</Link>
        </blockquote>
      ))}
    </li>
  );
}
