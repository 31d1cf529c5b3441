import type { ReactNode } from "react";
import { Route, Routes } from "react-router";
import { NotFound } from "../../app/shell.tsx";
import { ComparePage } from "./comparisons/compare.tsx";
import { ComparisonPage } from "./comparisons/comparison.tsx";
import { Comparisons } from "./comparisons/comparisons.tsx";
import { CyclePage } from "./cycles/cycle.tsx";
import { Cycles } from "./cycles/cycles.tsx";
import { NewCycle } from "./cycles/new-cycle.tsx";
import { Monitors } from "./monitors/monitors.tsx";

/** What is made of reports: comparisons, alerts, answers to questions. */
export const Intelligence = (): ReactNode => (
  <Routes>
    <Route index element={<Comparisons />} />
    <Route path="compare" element={<ComparePage />} />
    <Route path="comparisons/:productId" element={<ComparisonPage />} />
    <Route path="monitors" element={<Monitors />} />
    <Route path="cycles" element={<Cycles />} />
    <Route path="cycles/new" element={<NewCycle />} />
    <Route path="cycles/:cycleId" element={<CyclePage />} />
    <Route path="*" element={<NotFound />} />
  </Routes>
);
