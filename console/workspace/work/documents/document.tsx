import { useState, type ReactNode } from "react";
import { Link, useParams } from "react-router";
import { addressOf } from "../../../api/client.ts";
import { useAnswer } from "../../../api/hooks.ts";
import { useWho } from "../../../app/session.tsx";
import { useLive } from "../../../live/live.ts";
import { Section, Shown } from "../../../parts/page.tsx";
import { Badge, many, Time } from "../../../parts/texts.tsx";
import { SetPage, useSet } from "../../set/use-set.tsx";
import { Barrier } from "../compartments.tsx";
import { DocumentContainers } from "../containers/document-containers.tsx";
import { DocumentReviews } from "../reviews/document-reviews.tsx";
import { DocumentTasks } from "../tasks/document-tasks.tsx";
import { DocumentObjectives } from "./document-objectives.tsx";
import { DocumentText } from "./document-text.tsx";
import { formatWords, statusWords, type DocumentShown } from "./document-words.ts";
import { UploadVersion } from "./upload.tsx";
import { Versions } from "./versions.tsx";
import { WithdrawDocument } from "./withdraw.tsx";

/** One document: what it is, its text, its versions. */
export function DocumentPage(): ReactNode {
  const { documentId = "" } = useParams();
  const { set, maySet } = useSet();
  const { userId } = useWho();
  const [isWithdrawing, setWithdrawing] = useState(false);
  useLive({ problemSetId: set.id }, ["document.changed"]);
  const document = useAnswer("GET /documents/{documentId}", [{ path: { documentId } }]);
  return (
    <Shown of={document}>
      {({ data }) => {
        const isThere = data.status !== "withdrawn";
        const mayWithdraw = maySet("documents:withdraw") || (data.createdBy === userId && maySet("documents:add"));
        return (
          <SetPage
            title={data.title}
            intro={data.description}
            acts={
              <>
                <Link to={`/workspace/${set.id}/documents`}>All documents</Link>
                {data.status === "ready" && maySet("intelligence:fuse") && (
                  <Link to={`/knowledge/intelligence/compare?set=${set.id}&document=${data.id}`}>
                    Compare with other reports
                  </Link>
                )}
                {isThere && (
                  <a
                    className="button"
                    href={addressOf("GET /documents/{documentId}/file", { path: { documentId } })}
                    download
                  >
                    Download
                  </a>
                )}
                {isThere && mayWithdraw && (
                  <button type="button" className="danger" onClick={() => setWithdrawing(true)}>
                    Withdraw
                  </button>
                )}
              </>
            }
          >
            <About document={data} />
            {isThere && <DocumentText document={data} />}
            {isThere && <DocumentContainers documentId={data.id} />}
            {isThere && maySet("objectives:read") && <DocumentObjectives document={data} />}
            {isThere && <DocumentReviews document={data} />}
            {isThere && <DocumentTasks documentId={data.id} />}
            <div className="columns">
              <Section title="Versions">
                <Versions document={data} />
                {isThere && maySet("documents:add") && <UploadVersion documentId={data.id} />}
              </Section>
              <Alike document={data} />
            </div>
            {isWithdrawing && <WithdrawDocument document={data} onClose={() => setWithdrawing(false)} />}
          </SetPage>
        );
      }}
    </Shown>
  );
}

function About({ document }: { document: DocumentShown }): ReactNode {
  const { status, format, kind, issuer, reference, effectiveAt, withdrawn, compartments, versions, version } = document;
  const newest = versions.find((one) => one.version === version);
  return (
    <>
      <p className="row">
        <Badge tone={status === "ready" ? "good" : status === "unreadable" ? "bad" : "info"}>
          {statusWords(status)}
        </Badge>
        <span>
          {[kind, formatWords(format), reference, issuer].filter(Boolean).join(", ")}
          {newest?.pages && `, ${many(newest.pages, "page")}`}
          {newest?.language && `, in ${languageWords(newest.language)}`}
        </span>
        <small className="muted">
          put in by {document.createdByName ?? document.createdBy}, <Time at={document.createdAt} />
          {effectiveAt && (
            <>
              ; in force from <Time at={effectiveAt} />
            </>
          )}
        </small>
        <Barrier compartments={compartments} />
      </p>
      {withdrawn && (
        <p>
          Withdrawn by {withdrawn.byName ?? withdrawn.by}, <Time at={withdrawn.at} />
          {withdrawn.reason && `: ${withdrawn.reason}`}. Its files and text are gone; what cites it still finds its
          name.
        </p>
      )}
    </>
  );
}

const languages = new Intl.DisplayNames("en", { type: "language" });
const languageWords = (code: string): string => languages.of(code) ?? code;

function Alike({ document: { similar, problemSetId } }: { document: DocumentShown }): ReactNode {
  if (!similar.length) return null;
  return (
    <Section title="Much the same text">
      <ul className="list">
        {similar.map(({ documentId, title, likeness }) => (
          <li key={documentId}>
            <Link to={`/workspace/${problemSetId}/documents/${documentId}`}>{title}</Link>{" "}
            <small className="muted">{Math.round(likeness * 100)} % alike</small>
          </li>
        ))}
      </ul>
    </Section>
  );
}
