import type { SearchIndex } from "../../core/search.ts";
import { EmbeddedSearch } from "./embedded.ts";

export interface SearchSettings { elasticsearchUrl?: string; dataDir: string | ":memory:" }

/** Opens the index that the settings name. It connects, or opens its file, with the first use. */
export const openSearch = ({ dataDir }: SearchSettings): SearchIndex => new EmbeddedSearch(dataDir);
