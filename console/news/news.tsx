import type { ReactNode } from "react";
import { Route, Routes } from "react-router";
import { NotFound } from "../app/shell.tsx";
import { Briefing } from "./briefings/briefing.tsx";
import { Briefings } from "./briefings/briefings.tsx";
import { Sources } from "./sources/sources.tsx";

/** Addresses below /news. */
export default function News(): ReactNode {
  return (
    <Routes>
      <Route path="briefings" element={<Briefings />} />
      <Route path="briefings/:id" element={<Briefing />} />
      <Route path="sources" element={<Sources />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
