import { total, type TestWorld } from "../mesh.ts";
import type { Rows } from "../requests.ts";

let counter = 0;
/** A feed address that nothing answers: sources are made, not fetched. */
const feed = (): string => `http://127.0.0.1:9/feed-${++counter}.xml`;
const source = async (at: TestWorld): Promise<number> =>
  (await at.http("POST", "/api/sources", { body: { name: "Row", url: feed(), domain: "science" } })).body.data.id;
const OPML = (): string =>
  `<?xml version="1.0"?><opml version="2.0"><head><title>t</title></head><body><outline text="Science">` +
  `<outline type="rss" text="One" xmlUrl="${feed()}" category="science"/></outline></body></opml>`;

export const requests: Rows["requests"] = {
  "POST /api/sources": async () => ({
    path: "/api/sources",
    body: { name: "Once", url: feed(), domain: "energy" },
    effect: total("/api/sources"),
  }),
  "POST /api/sources/bulk": async () => ({
    path: "/api/sources/bulk",
    body: {
      sources: [
        { name: "One", url: feed(), domain: "energy" },
        { name: "Two", url: feed(), domain: "health" },
      ],
    },
    effect: total("/api/sources"),
  }),
  "POST /api/sources/opml": async () => ({
    path: "/api/sources/opml",
    raw: OPML(),
    type: "text/x-opml",
    effect: total("/api/sources"),
  }),
  "POST /api/sources/:id/refresh": async (at) => ({ path: `/api/sources/${await source(at)}/refresh` }),
};
