import type { ReactNode } from "react";
import { Route, Routes } from "react-router";
import { NotFound } from "../../app/shell.tsx";
import { ContainerList } from "./containers/container-list.tsx";
import { ContainerPage, Unorganized } from "./containers/container-page.tsx";
import { DocumentPage } from "./documents/document.tsx";
import { DocumentList } from "./documents/document-list.tsx";
import { GatePage } from "./gates/gate.tsx";
import { GateList } from "./gates/gate-list.tsx";
import { Channels } from "./messages/channels.tsx";
import { DeadLetters } from "./messages/dead-letters.tsx";
import { CommandPage } from "./missions/command/command-page.tsx";
import { MissionList } from "./missions/mission-list.tsx";
import { MissionPage } from "./missions/mission.tsx";
import { PlanPage } from "./missions/plan/plan.tsx";
import { RequestPage } from "./requests/request.tsx";
import { RequestList } from "./requests/request-list.tsx";
import { ReviewPage } from "./reviews/review.tsx";
import { TaskList } from "./tasks/task-list.tsx";
import { Topics } from "./topics/topics.tsx";
import { UnitList } from "./units/unit-list.tsx";
import "./work.css";

/** Addresses of a problem set that its own pages do not know: gates, missions, messages, documents, requests. */
export default function Work(): ReactNode {
  return (
    <Routes>
      <Route path="gates" element={<GateList />} />
      <Route path="gates/:gateId" element={<GatePage />} />
      <Route path="missions" element={<MissionList />} />
      <Route path="missions/:missionId" element={<MissionPage />} />
      <Route path="missions/:missionId/plan" element={<PlanPage />} />
      <Route path="missions/:missionId/command" element={<CommandPage />} />
      <Route path="units" element={<UnitList />} />
      <Route path="messages" element={<Channels />} />
      <Route path="messages/dead-letters" element={<DeadLetters />} />
      <Route path="documents" element={<DocumentList />} />
      <Route path="documents/topics" element={<Topics />} />
      <Route path="documents/:documentId" element={<DocumentPage />} />
      <Route path="containers" element={<ContainerList />} />
      <Route path="containers/none" element={<Unorganized />} />
      <Route path="containers/:containerId" element={<ContainerPage />} />
      <Route path="reviews/:reviewId" element={<ReviewPage />} />
      <Route path="rfis" element={<RequestList />} />
      <Route path="rfis/:rfiId" element={<RequestPage />} />
      <Route path="tasks" element={<TaskList />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
