import type { ReactNode } from "react";
import { Link } from "react-router";
import { recordPlace } from "./record-place.ts";

/** "The gate", as a link to it; nothing where it has no page. */
export function RecordLink({ type, id, setId }: { type: string; id: string; setId: string | undefined }): ReactNode {
  const place = recordPlace(type, id, setId);
  return (
    place && (
      <>
        <Link to={place}>The {type.replaceAll("-", " ")}</Link>{" "}
      </>
    )
  );
}
