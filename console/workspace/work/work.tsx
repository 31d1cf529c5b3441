import type { ReactNode } from "react";
import { Route, Routes } from "react-router";
import { NotFound } from "../../app/shell.tsx";

/** Addresses of a problem set that its own pages do not know: gates, missions, messages, documents. */
export default function Work(): ReactNode {
  return (
    <Routes>
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
