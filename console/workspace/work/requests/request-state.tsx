import type { ReactNode } from "react";
import { Badge } from "../../../parts/texts.tsx";
import type { RequestStatus } from "./request-words.ts";

/** A request's state in its colour. */
export const RequestState = ({ of: status }: { of: RequestStatus }): ReactNode => (
  <Badge {...(status === "answered" && { tone: "good" })}>{status}</Badge>
);
