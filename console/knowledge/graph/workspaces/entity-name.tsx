import type { ReactNode } from "react";
import { useAnswer } from "../../../api/hooks.ts";
import { Glyph } from "../../picture/glyph.tsx";

/** An entity by its name, wherever it was joined with since. */
export function EntityName({ id }: { id: string }): ReactNode {
  const { data, error } = useAnswer("GET /graph/actors/{id}", [{ path: { id } }], { stays: true });
  if (!data) return error ? "an entity that is gone, or that you do not see" : "…";
  return (
    <>
      <Glyph kind={data.data.type} /> {data.data.name}
    </>
  );
}
