import { figuresOf, ratio } from "../../../bench/judgement/feeds/figures.ts";
import { extractArticle } from "../../../adapters/feeds/html/article.ts";
import { decodeDocument } from "../../../adapters/feeds/charset.ts";
import { parseFeed } from "../../../adapters/feeds/parse.ts";

// The aims of the labelled set: whoever changes a rule sees here that it costs more than it brings.
it.each(["tune", "held"] as const)("feeds, encodings and pages of the %s part are read", (part) => {
  const { feeds, titles, encodings, legacy, fullText } = figuresOf({ parseFeed, decodeDocument, extractArticle }, part);
  expect(ratio(feeds)).toBeGreaterThanOrEqual(0.97);
  expect(ratio(titles)).toBeGreaterThanOrEqual(0.97);
  expect(ratio(encodings)).toBeGreaterThanOrEqual(0.98);
  expect(ratio(legacy)).toBeGreaterThanOrEqual(0.99);
  expect(fullText.f1).toBeGreaterThanOrEqual(0.98);
});
