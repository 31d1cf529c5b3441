import type { ReactNode } from "react";
import { Route, Routes } from "react-router";
import { NotFound } from "../app/shell.tsx";

export default function Workspace(): ReactNode {
  return (
    <Routes>
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
