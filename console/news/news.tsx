import type { ReactNode } from "react";
import { Route, Routes } from "react-router";
import { NotFound } from "../app/shell.tsx";
import { ArticleAt } from "./articles/article.tsx";
import { Articles } from "./articles/articles.tsx";
import { CheckedClaims } from "./verification/checked-claims.tsx";
import { Sources } from "./sources/sources.tsx";

/** Addresses below /news. */
export default function News(): ReactNode {
  return (
    <Routes>
      <Route path="articles" element={<Articles />} />
      <Route path="articles/:id" element={<ArticleAt />} />
      <Route path="claims" element={<CheckedClaims />} />
      <Route path="sources" element={<Sources />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
