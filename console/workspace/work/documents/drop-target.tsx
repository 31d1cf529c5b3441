import { useId, useState, type DragEvent, type ReactNode } from "react";

const TAKEN = ".pdf,.docx,.odt,.html,.htm,.md,.txt";

/** A place to drop files, which is also a button that opens the file chooser. */
export function DropTarget({
  label,
  isOne = false,
  onFiles,
}: {
  label: string;
  isOne?: boolean;
  onFiles(files: Iterable<File>): void;
}): ReactNode {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length) onFiles(isOne ? files.slice(0, 1) : files);
  };
  return (
    <div
      className={isOver ? "drop over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        id={id}
        type="file"
        className="visually-hidden"
        accept={TAKEN}
        multiple={!isOne}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => {
          // Copied: the list is emptied with the field, so that the same file can be chosen again.
          const files = [...(target.files ?? [])];
          target.value = "";
          if (files.length) onFiles(files);
        }}
      />
      <label htmlFor={id} className="button">
        {label}
      </label>
      <small id={`${id}-hint`} className="muted">
        or drop {isOne ? "it" : "them"} here: PDF, Word (DOCX), OpenDocument (ODT), HTML, Markdown, plain text
      </small>
    </div>
  );
}
