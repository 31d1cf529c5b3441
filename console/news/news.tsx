import type { ReactNode } from "react";
import { Route, Routes } from "react-router";
import { area } from "../app/area.ts";
import { NotFound } from "../app/shell.tsx";
import { Briefing } from "./briefings/briefing.tsx";
import { Briefings } from "./briefings/briefings.tsx";
import { Overview } from "./overview/overview.tsx";
import { Import } from "./sources/import.tsx";
import { ListPage, NewListPage } from "./sources/list-page.tsx";
import { SourceLists } from "./sources/lists.tsx";
import { SourcePage } from "./sources/source.tsx";
import { ArticleAt } from "./articles/article.tsx";
import { Articles } from "./articles/articles.tsx";
import { CheckedClaims } from "./verification/checked-claims.tsx";
import { Sources } from "./sources/sources.tsx";
import { Webhooks } from "./webhooks/webhooks.tsx";

const EscrowArea = area(() => import("./escrow/escrow-area.tsx"));

/** Addresses below /news. */
export default function News(): ReactNode {
  return (
    <Routes>
      <Route index element={<Overview />} />
      <Route path="briefings" element={<Briefings />} />
      <Route path="briefings/:id" element={<Briefing />} />
      <Route path="articles" element={<Articles />} />
      <Route path="articles/:id" element={<ArticleAt />} />
      <Route path="claims" element={<CheckedClaims />} />
      <Route path="sources" element={<Sources />} />
      <Route path="sources/import" element={<Import />} />
      <Route path="sources/lists" element={<SourceLists />} />
      <Route path="sources/lists/new" element={<NewListPage />} />
      <Route path="sources/lists/:id" element={<ListPage />} />
      <Route path="sources/:id" element={<SourcePage />} />
      <Route path="webhooks" element={<Webhooks />} />
      <Route path="escrow/*" element={<EscrowArea />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}
