import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { useAnswer } from "../../api/hooks.ts";
import { Shown } from "../../parts/page.tsx";
import { StaffPage } from "../shared/frame.tsx";
import { useStaffPlace } from "../shared/place.ts";
import { Conversation } from "./conversation.tsx";
import { Health } from "./health.tsx";
import { Trust } from "./trust.tsx";

const SHOWN = 30;

/** The person's conversation with the assistant: outside all problem sets, or in one. */
export function Assistant(): ReactNode {
  const place = useStaffPlace();
  const [search] = useSearchParams();
  const cursor = search.get("before") ?? undefined;
  const query = { limit: SHOWN, ...(cursor && { cursor }) };
  const { setId } = place;
  const isGlobal = setId === undefined;
  const everywhere = useAnswer("GET /assistant/global/history", [{ query }], { enabled: isGlobal });
  const inSet = useAnswer("GET /assistant/{problemSetId}/history", [{ path: { problemSetId: setId ?? "" }, query }], {
    enabled: !isGlobal && place.set !== undefined,
  });
  return (
    <StaffPage
      title="Assistant"
      intro={
        isGlobal
          ? "It reads the news for you, and tells how things are done here. In a problem set it knows that too, and can propose acts."
          : "It reads what you may read in this problem set, and the news. What it would change waits for your yes. Nobody else sees this conversation."
      }
      place={place}
      elsewhere="None: the news"
    >
      <Health />
      <Shown of={isGlobal ? everywhere : inSet} what="Reading your conversation">
        {({ data, meta }) => (
          <Conversation
            key={setId ?? "global"}
            place={place}
            rows={data}
            older={meta.next}
            isOlder={cursor !== undefined}
          />
        )}
      </Shown>
      {!isGlobal && <Trust setId={setId} />}
    </StaffPage>
  );
}
