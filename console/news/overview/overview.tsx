import { useState, type ReactNode } from "react";
import { useAnswer } from "../../api/hooks.ts";
import { useMay } from "../../app/session.tsx";
import { useLive } from "../../live/live.ts";
import { Page } from "../../parts/page.tsx";
import { OrderDialog } from "../briefings/order.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { Intake } from "./intake.tsx";
import { Latest } from "./latest.tsx";
import { Care } from "./care.tsx";
import { Disagreements } from "./disagreements.tsx";
import { UnderWay } from "./under-way.tsx";
import { Alarms, Waiting, Workspaces } from "./yours.tsx";
import "./overview.css";

/** What somebody wants to know first: what happened, what came in, what waits for them. */
export function Overview(): ReactNode {
  const [isOrdering, setOrdering] = useState(false);
  const mayMake = useMay("briefings:make");
  useLive({ topic: "briefings" }, ["briefing.completed", "briefing.failed"]);
  useLive({ topic: "articles" }, ["articles.arrived"], undefined, {
    ops: ["GET /articles/stats", "GET /sources", "GET /verification/claim-reviews"],
  });
  useLive(undefined, ["notification.new"], undefined, { ops: ["POST /problem-sets/notifications/counts"] });
  useLive(undefined, ["assignment.told"], undefined, { ops: ["GET /strategic/assignments"] });
  const followed = useAnswer("GET /sources", [{ query: { limit: 1 } }]);
  const order = (): void => setOrdering(true);
  const hasSources = followed.data?.meta.total !== 0;
  return (
    <Page
      title="Overview"
      intro="What happened, what came in, and what waits for you."
      acts={
        mayMake &&
        hasSources && (
          <button type="button" className="primary" onClick={order}>
            Make a briefing
          </button>
        )
      }
    >
      <FirstSteps sources={followed.data?.meta.total} onOrder={order} />
      <UnderWay />
      <div className="beside">
        <div className="stack">
          <Alarms />
          <Latest hasSources={hasSources} />
          <Disagreements />
          <Care />
        </div>
        <div className="stack">
          <Waiting />
          {hasSources && <Intake />}
          <Workspaces />
        </div>
      </div>
      {isOrdering && <OrderDialog onClose={() => setOrdering(false)} />}
    </Page>
  );
}
