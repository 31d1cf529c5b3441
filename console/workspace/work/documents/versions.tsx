import type { ReactNode } from "react";
import { Link } from "react-router";
import { addressOf } from "../../../api/client.ts";
import { Table, type Column } from "../../../parts/table.tsx";
import { Time } from "../../../parts/texts.tsx";
import { sizeWords, statusWords, type DocumentShown } from "./document-words.ts";

type Version = DocumentShown["versions"][number];

/** Every file that the document was, the newest first. */
export function Versions({ document: { id, versions, status } }: { document: DocumentShown }): ReactNode {
  return (
    <Table
      label="Versions"
      rows={versions.toReversed()}
      keyOf={({ version }) => version}
      columns={columnsOf(id, status !== "withdrawn")}
      empty="No version is kept."
    />
  );
}

const columnsOf = (id: string, isThere: boolean): readonly Column<Version>[] => [
  {
    head: "Version",
    cell: ({ version, fileName }) =>
      isThere ? <Link to={`?version=${version}`}>{`${version}: ${fileName}`}</Link> : `${version}: ${fileName}`,
  },
  { head: "Size", isFigure: true, cell: ({ bytes }) => sizeWords(bytes) },
  { head: "Text", cell: ({ status: state, explanation }) => explanation ?? statusWords(state) },
  {
    head: "Put in",
    cell: ({ at, byName, by }) => (
      <>
        <Time at={at} /> by {byName ?? by}
      </>
    ),
  },
  {
    head: "Acts",
    isAct: true,
    cell: ({ version }) =>
      isThere && (
        <a
          href={addressOf("GET /documents/{documentId}/file", { path: { documentId: id }, query: { version } })}
          aria-label={`Download version ${version}`}
          download
        >
          Download
        </a>
      ),
  },
];
