import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../../api/hooks.ts";
import { many } from "../../../parts/texts.tsx";
import { useSet } from "../../set/use-set.tsx";
import type { RequestDirection, RequestStatus } from "./request-words.ts";

/** How many requests are in a state; 0 until that is known. */
export function useCountOf(direction: RequestDirection, status: RequestStatus): number {
  const { set } = useSet();
  const found = useAnswer("GET /inheritance/{id}/rfis", [
    { path: { id: set.id }, query: { direction, status, limit: 1 } },
  ]);
  return found.data?.meta.total ?? 0;
}

/** Requests for information that this set is to answer, and answers that it is to look at. */
export function WaitingRequests(): ReactNode {
  const { set } = useSet();
  const [asked, answered] = [useCountOf("received", "open"), useCountOf("sent", "answered")];
  const place = `/workspace/${set.id}/rfis`;
  return (
    <>
      {asked > 0 && (
        <p>
          <Link to={`${place}?direction=received&status=open`}>
            {many(asked, "request for information waits", "requests for information wait")} for an answer
          </Link>
        </p>
      )}
      {answered > 0 && (
        <p>
          <Link to={`${place}?direction=sent&status=answered`}>
            {many(answered, "request of yours is", "requests of yours are")} answered
          </Link>
        </p>
      )}
    </>
  );
}
