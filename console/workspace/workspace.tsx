import type { ReactNode } from "react";
import { Route, Routes } from "react-router";
import { NotFound } from "../app/shell.tsx";
import { SetFrame } from "./set/frame.tsx";

/** Addresses below /workspace. */
export default function Workspace(): ReactNode {
  return (
    <Routes>
      <Route path=":problemSetId/*" element={<SetFrame />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
