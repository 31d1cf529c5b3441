import { useState, type ReactNode } from "react";
import { useAnswer } from "../../api/hooks.ts";
import { Shown } from "../../parts/page.tsx";
import { many } from "../../parts/texts.tsx";
import { SourceList } from "../entity/sources.tsx";
import { useTitles } from "../sets.ts";
import type { EntitySeen, StatementSeen } from "../vocabulary.ts";

const MOST = 5;

/** What is said of both, side by side, so that nobody must leave the list to judge them. */
export function Said({ of, setId }: { of: readonly EntitySeen[]; setId: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>What is said of {of.length > 1 ? "each" : "it"}</summary>
      {isOpen && (
        <div className="columns">
          {of.map((one) => (
            <SaidOf key={one.id} one={one} setId={setId} />
          ))}
        </div>
      )}
    </details>
  );
}

const placeOf = ({ origin }: StatementSeen): string =>
  origin.kind === "document"
    ? `${origin.citation.documentId} ${origin.citation.start}`
    : origin.kind === "article"
      ? `${origin.articleId} ${origin.quote}`
      : JSON.stringify(origin);

/** One statement for each place in the sources: a name and its kind are said by the same words. */
const onePerPlace = (statements: readonly StatementSeen[]): StatementSeen[] =>
  [...new Map(statements.toReversed().map((one) => [placeOf(one), one])).values()].toReversed();

function SaidOf({ one: { id, name }, setId }: { one: EntitySeen; setId: string }): ReactNode {
  const titles = useTitles(setId);
  const statements = useAnswer("GET /graph/statements", [{ query: { entityId: id, limit: 100 } }]);
  return (
    <div>
      <h3>{name}</h3>
      <Shown of={statements}>
        {({ data }) => {
          const said = onePerPlace(data);
          return (
            <>
              <SourceList said={said.slice(0, MOST)} setId={setId} titles={titles} first={MOST} />
              {said.length > MOST && (
                <p className="muted">and {many(said.length - MOST, "more place")}: see its page.</p>
              )}
            </>
          );
        }}
      </Shown>
    </div>
  );
}
