import type { ReactNode } from "react";
import { Route, Routes } from "react-router";
import { NotFound } from "../app/shell.tsx";
import { Entity } from "./entity/entity.tsx";
import { Events } from "./events/events.tsx";
import { Feed } from "./feed/feed.tsx";
import { Explorer } from "./graph/explorer.tsx";
import { WorkspacePage } from "./graph/workspaces/workspace.tsx";
import { Workspaces } from "./graph/workspaces/workspaces.tsx";
import { Intelligence } from "./intelligence/intelligence.tsx";
import { Likeness } from "./likeness/likeness.tsx";
import { Objective } from "./strategy/frame.tsx";
import { Strategy } from "./strategy/strategy.tsx";
import "./knowledge.css";

export default function Knowledge(): ReactNode {
  return (
    <Routes>
      <Route index element={<Explorer />} />
      <Route path="entities/:entityId" element={<Entity />} />
      <Route path="events" element={<Events />} />
      <Route path="feed" element={<Feed />} />
      <Route path="intelligence/*" element={<Intelligence />} />
      <Route path="likeness" element={<Likeness />} />
      <Route path="strategy" element={<Strategy />} />
      <Route path="strategy/:objectiveId/*" element={<Objective />} />
      <Route path="workspaces" element={<Workspaces />} />
      <Route path="workspaces/:workspaceId" element={<WorkspacePage />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
