import { useRef, type ReactNode } from "react";
import { Link } from "react-router";
import { Section } from "../../../parts/page.tsx";
import { useSet } from "../../set/use-set.tsx";
import { ReadersChoice } from "../compartments.tsx";
import { DropTarget } from "./drop-target.tsx";
import { useUploads, type SentFile } from "./use-uploads.ts";

/** Puts files into the problem set. */
export function Upload(): ReactNode {
  const { set } = useSet();
  const choice = useRef<HTMLDivElement>(null);
  const { files, add, forget } = useUploads((file) => {
    const form = new FormData();
    form.set("problemSetId", set.id);
    const compartment = choice.current?.querySelector("select")?.value;
    if (compartment) form.append("compartments", compartment);
    form.set("file", file);
    return form;
  });
  return (
    <Section title="Put documents in">
      <div ref={choice}>
        <ReadersChoice />
      </div>
      <DropTarget label="Choose files" onFiles={add} />
      <SentFiles files={files} forget={forget} />
    </Section>
  );
}

/** Puts a newer file in the place of a document's newest version. */
export function UploadVersion({ documentId }: { documentId: string }): ReactNode {
  const { files, add, forget } = useUploads((file) => {
    const form = new FormData();
    form.set("file", file);
    return form;
  }, documentId);
  return (
    <>
      <DropTarget label="Choose a newer version" isOne onFiles={add} />
      <SentFiles files={files} forget={forget} />
    </>
  );
}

const SentFiles = ({ files, forget }: { files: readonly SentFile[]; forget(key: number): void }): ReactNode =>
  files.length > 0 && (
    <ul className="list" aria-label="Files sent">
      {files.map((file) => (
        <li key={file.key} className="row between">
          <Sent file={file} />
          {file.taken || file.error ? (
            <button
              type="button"
              className="plain"
              aria-label={`Dismiss ${file.name}`}
              onClick={() => forget(file.key)}
            >
              ×
            </button>
          ) : (
            <button type="button" aria-label={`Stop ${file.name}`} onClick={() => file.stop?.()}>
              Stop
            </button>
          )}
        </li>
      ))}
    </ul>
  );

function Sent({ file: { name, part, taken, error } }: { file: SentFile }): ReactNode {
  const { set } = useSet();
  if (error)
    return (
      <span className="fault" role="alert">
        {error}
      </span>
    );
  if (!taken)
    return (
      <span className="sending">
        <span>
          {name}: {Math.round(part * 100)} %
        </span>
        <progress aria-label={`Sending ${name}`} value={part} max={1} />
      </span>
    );
  return (
    <span role="status">
      <Link to={`/workspace/${set.id}/documents/${taken.id}`}>{taken.title}</Link>{" "}
      {taken.duplicate ? "lay here already, with the same bytes." : "is here."}
    </span>
  );
}
