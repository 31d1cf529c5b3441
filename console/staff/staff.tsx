import type { ReactNode } from "react";
import { Route, Routes } from "react-router";
import { NotFound } from "../app/shell.tsx";
import { AgentPage } from "./agents/agent.tsx";
import { Agents } from "./agents/agents.tsx";
import { HearAgents } from "./shared/frame.tsx";
import { NewAgent } from "./agents/builder/new-agent.tsx";
import { RunPage } from "./agents/run.tsx";
import { AgentSetup } from "./agents/setup/setup.tsx";
import { Assistant } from "./assistant/assistant.tsx";
import { Feed } from "./feed/feed.tsx";
import { ForAdministrators } from "./shared/administration/for-administrators.tsx";
import "./staff.css";
import { TeamPage } from "./teams/team.tsx";
import { Teams } from "./teams/teams.tsx";
import { NewTool } from "./tools/new-tool.tsx";
import { ToolPage } from "./tools/tool.tsx";
import { Tools } from "./tools/tools.tsx";
import { AgentHistory } from "./validation/history.tsx";
import { NewSuite } from "./validation/suites/new-suite.tsx";
import { SuitePage } from "./validation/suites/suite.tsx";
import { Validation } from "./validation/validation.tsx";
import { ValidationRunPage } from "./validation/run.tsx";
import { NewWorkflow } from "./workflows/new-workflow.tsx";
import { WorkflowPage } from "./workflows/workflow.tsx";
import { Workflows } from "./workflows/workflows.tsx";

/** Addresses below /staff: the assistant, and the agents that people work with. */
export default function Staff(): ReactNode {
  return (
    <>
      <HearAgents />
      <Routes>
        <Route index element={<Assistant />} />
        <Route path="feed" element={<Feed />} />
        <Route path="agents" element={<Agents />} />
        <Route path="agents/:agentId" element={<AgentPage />} />
        <Route path="runs/:executionId" element={<RunPage />} />
        <Route path="workflows" element={<Workflows />} />
        <Route path="workflows/new" element={<NewWorkflow />} />
        <Route path="workflows/:executionId" element={<WorkflowPage />} />
        <Route path="validation" element={<Validation />} />
        <Route path="validation/suites/new" element={<NewSuite />} />
        <Route path="validation/suites/:suiteId" element={<SuitePage />} />
        <Route path="validation/agents/:agentId" element={<AgentHistory />} />
        <Route path="validation/:runId" element={<ValidationRunPage />} />
        <Route element={<ForAdministrators />}>
          <Route path="agents/new/*" element={<NewAgent />} />
          <Route path="agents/:agentId/setup" element={<AgentSetup />} />
          <Route path="tools" element={<Tools />} />
          <Route path="tools/new" element={<NewTool />} />
          <Route path="tools/:toolId" element={<ToolPage />} />
          <Route path="teams" element={<Teams />} />
          <Route path="teams/:teamId" element={<TeamPage />} />
        </Route>
        <Route path="*" element={<NotFound />} />
      </Routes>
    </>
  );
}
