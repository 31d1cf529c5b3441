import type { ReactNode } from "react";
import { Route, Routes } from "react-router";
import { NotFound } from "../app/shell.tsx";
import { Sources } from "./sources/sources.tsx";

/** Addresses below /news. */
export default function News(): ReactNode {
  return (
    <Routes>
      <Route path="sources" element={<Sources />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
