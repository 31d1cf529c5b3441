import type { ReactNode } from "react";
import { useAct } from "../../api/hooks.ts";
import { sessionChanged, type Who } from "../session.tsx";

/** An account whose address is not confirmed yet: what to do, and the two things that it may do. */
export function Waiting({ who }: { who: Who }): ReactNode {
  const mail = useAct("POST /auth/email", { says: "The link was mailed again." });
  const leave = useAct("POST /auth/logout", { then: () => void sessionChanged() });
  return (
    <main className="narrow">
      <title>Confirm your address · Signalmesh</title>
      <h1>One step left</h1>
      <p>
        {who.user?.claimedEmail ?? "Your address"} waits to be confirmed: follow the link that was mailed there. Until
        then you can see yourself and leave, and nothing else.
      </p>
      <div className="row">
        <button type="button" className="primary" onClick={() => void sessionChanged()}>
          I have followed it
        </button>
        <button type="button" onClick={() => mail.mutate({ body: {} })}>
          Mail it again
        </button>
        <button type="button" onClick={() => leave.mutate({})}>
          Sign out
        </button>
      </div>
    </main>
  );
}
