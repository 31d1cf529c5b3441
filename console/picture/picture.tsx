import "./picture.css";
import type { ReactNode } from "react";
import { Route, Routes } from "react-router";
import { NotFound } from "../app/shell.tsx";
import { MapPage } from "./map/map-page.tsx";

export default function Picture(): ReactNode {
  return (
    <Routes>
      <Route index element={<MapPage />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
