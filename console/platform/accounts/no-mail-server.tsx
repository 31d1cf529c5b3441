import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAnswer } from "../../api/hooks.ts";

/** Whether letters go to nobody, as no mail server is set. */
export const useReachesNobody = (): boolean => useAnswer("GET /admin/letters").data?.meta.mailServer === false;

/** What that means for a new account. */
export const NoMailServer = (): ReactNode => (
  <>
    {" "}
    <strong>No mail server is set, so that the link reaches nobody</strong>: set SMTP_URL where the platform is started.{" "}
    <Link to="/platform/letters">Letters</Link> has the links of a platform that only its own machine reaches.
  </>
);
