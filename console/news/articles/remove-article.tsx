import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { Confirm } from "../../parts/dialog.tsx";

/** For those who administer articles. */
export function RemoveArticle({ id, title }: { id: number; title: string }): ReactNode {
  const may = useMay("articles:administer");
  const [isAsking, setAsking] = useState(false);
  const go = useNavigate();
  const remove = useAct("DELETE /articles/{id}", {
    says: "The article is removed.",
    then: () => void go("/news/articles"),
  });
  if (!may) return null;
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        Remove
      </button>
      {isAsking && (
        <Confirm
          title="Remove this article?"
          act="Remove"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate({ path: { id } })}
          onClose={() => setAsking(false)}
        >
          <p>
            “{title}” leaves the stream, the search and what was found out about it. Its feed does not bring it back.
          </p>
        </Confirm>
      )}
    </>
  );
}
