import type { ReactNode } from "react";
import { Route, Routes } from "react-router";
import { area } from "../app/area.ts";
import { NotFound } from "../app/shell.tsx";
import { JoinPage } from "./sets/code.tsx";
import { ScenarioPage, Scenarios } from "./sets/scenarios.tsx";
import { Sets } from "./sets/sets.tsx";
import { SetFrame } from "./set/frame.tsx";
import "./workspace.css";

const MyDaos = area(() => import("./dao/mine.tsx"));

/** Addresses below /workspace. */
export default function Workspace(): ReactNode {
  return (
    <Routes>
      <Route index element={<Sets />} />
      <Route path="dao" element={<MyDaos />} />
      <Route path="join" element={<JoinPage />} />
      <Route path="scenarios" element={<Scenarios />} />
      <Route path="scenarios/:scenarioId" element={<ScenarioPage />} />
      <Route path=":problemSetId/*" element={<SetFrame />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
