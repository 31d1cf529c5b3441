import type { ReactNode } from "react";
import { Link } from "react-router";
import { recordPlace } from "./record-place.ts";
import { inLocalTime } from "./words.ts";

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

interface Reference {
  type: string;
  id: string;
}

/** What is said of records: a link itself where it is of one, else with a link to each. */
export function SaidOf({
  text,
  evidence,
  setId,
}: {
  text: string;
  evidence: readonly Reference[];
  setId: string | undefined;
}): ReactNode {
  const words = inLocalTime(text);
  const [only, ...others] = evidence;
  const place = only && !others.length ? recordPlace(only.type, only.id, setId) : undefined;
  if (place) return <Link to={place}>{words}</Link>;
  return (
    <>
      {words}{" "}
      {evidence.map((one) => (
        <RecordLink key={one.id} {...one} setId={setId} />
      ))}
    </>
  );
}
