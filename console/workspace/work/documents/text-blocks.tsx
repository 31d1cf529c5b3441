import type { ReactNode } from "react";
import type { Data } from "../../../api/client.ts";

type TextBlock = NonNullable<Data<"GET /documents/{documentId}/text">["blocks"]>[number];

interface TextBlocksProps {
  text: string;
  /** Where the text begins in the whole; blocks lie by offsets in the whole. */
  start: number;
  blocks?: readonly TextBlock[];
}

/** A text by its headings, paragraphs and items; as it stands where they are not told. */
export function TextBlocks({ text, start, blocks = [] }: TextBlocksProps): ReactNode {
  const here = blocks.filter((one) => one.start >= start && one.end <= start + text.length);
  const covered = here.reduce((sum, one) => sum + one.end - one.start, 0);
  // Blocks that leave much out would hide what a reader looks for.
  if (covered < text.trim().length * 0.9) return <div className="as-written read-text">{text}</div>;
  return (
    <div className="prose read-text">
      {here.map((one) => (
        <Block key={one.start} kind={one.kind} text={text.slice(one.start - start, one.end - start)} />
      ))}
    </div>
  );
}

function Block({ kind, text }: { kind: TextBlock["kind"]; text: string }): ReactNode {
  if (kind === "heading") return <h3>{text}</h3>;
  if (kind === "list-item") return <p className="item">{text}</p>;
  if (kind === "running-head" || kind === "note") return <p className="muted">{text}</p>;
  return <p className="as-written">{text}</p>;
}
