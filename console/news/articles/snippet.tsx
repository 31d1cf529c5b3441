import type { ReactNode } from "react";
import { snippetPieces } from "./snippet-pieces.ts";

/** Text around the matches of a search, with the matches marked. */
export const Snippet = ({ children }: { children: string }): ReactNode =>
  snippetPieces(children).map(({ text, isMatch }, at) => {
    // Pieces of one text have no identity but their place.
    // oxlint-disable-next-line react/no-array-index-key
    return isMatch ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>;
  });
