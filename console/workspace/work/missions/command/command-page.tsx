import type { ReactNode } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { useAnswer } from "../../../../api/hooks.ts";
import { Field, Form } from "../../../../parts/form.tsx";
import { Shown } from "../../../../parts/page.tsx";
import { Time } from "../../../../parts/texts.tsx";
import { SetPage, useSet } from "../../../set/use-set.tsx";
import { instantOf, localOf } from "../../moments.ts";
import { AuthorityMatrix } from "./matrix.tsx";
import { ChainOfCommand } from "./chain.tsx";

/** Who commands whom in a mission, and who may order what, at a moment of one's choice. */
export function CommandPage(): ReactNode {
  const { missionId = "" } = useParams();
  const { set } = useSet();
  const [search, setSearch] = useSearchParams();
  const at = search.get("at") ?? undefined;
  const mission = useAnswer("GET /missions/{id}", [{ path: { id: missionId } }]);
  return (
    <Shown of={mission}>
      {({ data }) => (
        <SetPage
          title={`Command: ${data.name}`}
          intro="Who commands whom, and who may order what. It changes with time: choose the moment to look at."
          acts={
            <>
              <Link to={`/workspace/${set.id}/missions/${data.id}`}>To the mission</Link>
              <Link className="button" to={`/workspace/${set.id}/units`}>
                All units
              </Link>
            </>
          }
        >
          <Form
            key={at}
            act="Show"
            isInline
            label="Choose the moment"
            onSubmit={(fields) => setSearch(fields["at"] ? { at: instantOf(fields["at"]) } : {})}
            beside={
              at && (
                <button type="button" onClick={() => setSearch({})}>
                  Now
                </button>
              )
            }
          >
            <Field label="Moment" name="at" type="datetime-local" defaultValue={localOf(at)} hint="Empty: now." />
          </Form>
          {at && (
            <p>
              As it is at that moment: <Time at={at} />.
            </p>
          )}
          <ChainOfCommand missionId={data.id} at={at} />
          <AuthorityMatrix missionId={data.id} at={at} />
        </SetPage>
      )}
    </Shown>
  );
}
