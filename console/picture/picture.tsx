import type { ReactNode } from "react";
import { Route, Routes } from "react-router";
import { NotFound } from "../app/shell.tsx";

export default function Picture(): ReactNode {
  return (
    <Routes>
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
