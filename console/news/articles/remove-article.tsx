import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { useAct } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";

/** For those who administer articles. */
export function RemoveArticle({ id, title }: { id: number; title: string }): ReactNode {
  const may = useMay("articles:administer");
  const go = useNavigate();
  const remove = useAct("DELETE /articles/{id}", {
    says: "The article is removed.",
    then: () => void go("/news/articles"),
  });
  if (!may) return null;
  return (
    <ConfirmButton words="Remove" title="Remove this article?" run={() => remove.mutateAsync({ path: { id } })}>
      <p>“{title}” leaves the stream, the search and what was found out about it. Its feed does not bring it back.</p>
    </ConfirmButton>
  );
}
