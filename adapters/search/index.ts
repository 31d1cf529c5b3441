import type { SearchIndex } from "../../core/records/reading/search.ts";
import { ElasticSearch } from "./elastic/elastic.ts";
import { EmbeddedSearch } from "./embedded.ts";

export interface SearchSettings {
  elasticsearchUrl?: string;
  dataDir: string | ":memory:";
  namespace?: string;
}

/** Opens the index that the settings name. It connects, or opens its file, with the first use. */
export const openSearch = ({ elasticsearchUrl, dataDir, namespace = "signalmesh" }: SearchSettings): SearchIndex =>
  elasticsearchUrl ? new ElasticSearch(elasticsearchUrl, namespace) : new EmbeddedSearch(dataDir);
