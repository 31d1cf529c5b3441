import { decodeXML } from "entities";
import { Parser } from "htmlparser2";
import { escapeHtml } from "./html/plain-text.ts";
import { FeedError } from "./feed.ts";
import { oneLine, shorten } from "./html/plain-text.ts";

/** A source as OPML carries it. */
export interface OpmlSource {
  name: string;
  /** As given, but with `feed:` addresses turned into http ones; not checked. */
  url: string;
  /** What it is filed under: the outlines it stands in, from within, then its own categories. It is written in the first. */
  categories?: readonly string[];
  /** Settings that OPML has no attribute for, in a namespace of ours; absent where they are as usual. */
  fullText?: boolean;
  active?: boolean;
}

const NAMESPACE = "urn:signalmesh:source";
const SETTINGS = ["fullText", "active"] as const;

const most = { sources: 10_000, depth: 64, name: 200, characters: 10 * 1024 * 1024 };

const text = (value: string | undefined) => shorten(oneLine(decodeXML(value ?? "")), most.name);

/** feed://example.org and feed:https://example.org, as old readers wrote them. */
const webUrl = (url: string) => url.replace(/^feed:(?=https?:)/i, "").replace(/^feed:\/\//i, "http://");

/** The category attribute is a list of paths: "/News/Politics,/Europe". The last name of each path comes first. */
const ownCategories = (value = ""): string[] =>
  value.split(",").flatMap((path) => path.split("/").map(text).filter(Boolean).reverse());

/** Settings among attributes whose names are in small letters; what is neither `true` nor `false` says nothing. */
function settingsIn(values: Readonly<Record<string, string>>): Pick<OpmlSource, (typeof SETTINGS)[number]> {
  const said = SETTINGS.map((name) => [name, values[`signalmesh:${name.toLowerCase()}`]] as const);
  return Object.fromEntries(
    said.filter(([, value]) => /^(?:true|false)$/.test(value ?? "")).map(([name, value]) => [name, value === "true"]),
  );
}

/**
 * Reads OPML 1.0 and 2.0, nested outlines and broken documents too; each address once. Throws FeedError `not-a-feed` or
 * `too-large`.
 */
export function readOpml(source: string): OpmlSource[] {
  if (source.length > most.characters)
    throw new FeedError("too-large", `The document is larger than ${most.characters / 1024 / 1024} MB.`);
  const found = new Map<string, OpmlSource>();
  const groups: string[] = [];
  let isOpml = false;
  const parser = new Parser(
    {
      onopentag(written, attributes) {
        const name = written.toLowerCase();
        isOpml ||= name === "opml";
        if (name !== "outline" || !isOpml) return;
        if (groups.length >= most.depth || found.size >= most.sources)
          throw new FeedError(
            "too-large",
            `The document holds more than ${most.sources} sources or nests its outlines more than ${most.depth} deep.`,
          );
        const values = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key.toLowerCase(), value]));
        const label = text(values["text"]) || text(values["title"]);
        const url = webUrl(decodeXML(values["xmlurl"] ?? values["feedurl"] ?? "").trim());
        const categories = [...groups.filter(Boolean).reverse(), ...ownCategories(values["category"])];
        if (url && !found.has(url))
          found.set(url, {
            name: label || url,
            url,
            ...(categories.length > 0 && { categories }),
            ...settingsIn(values),
          });
        groups.push(url ? "" : label);
      },
      onclosetag(name) {
        if (name.toLowerCase() === "outline") groups.pop();
      },
    },
    { xmlMode: true, decodeEntities: false },
  );
  parser.write(source.replace(/^\ufeff/, ""));
  parser.end();
  if (!isOpml) throw new FeedError("not-a-feed", "The document is no OPML: it has no opml element.");
  return [...found.values()];
}

/** An attribute value: without the characters that XML has no way to write. */
const attributeValue = (value: string) =>
  escapeHtml(value.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "").toWellFormed());

const settingsOf = (source: OpmlSource) =>
  SETTINGS.map((name) => (source[name] === undefined ? "" : ` signalmesh:${name}="${source[name]}"`)).join("");

const outline = (source: OpmlSource) =>
  `<outline type="rss" text="${attributeValue(source.name)}" title="${attributeValue(source.name)}" ` +
  `xmlUrl="${attributeValue(source.url)}"${settingsOf(source)}/>`;

/** Writes OPML 2.0: sources of one category in one outline, in order of first appearance; those without at the end. */
export function writeOpml(sources: readonly OpmlSource[], title = "Sources"): string {
  const groups = Map.groupBy(sources, ({ categories }) => categories?.[0] ?? "");
  const grouped = [...groups]
    .filter(([category]) => category !== "")
    .flatMap(([category, members]) => [
      `    <outline text="${attributeValue(category)}" title="${attributeValue(category)}">`,
      ...members.map((source) => `      ${outline(source)}`),
      "    </outline>",
    ]);
  const loose = (groups.get("") ?? []).map((source) => `    ${outline(source)}`);
  const head = `  <head><title>${attributeValue(title)}</title></head>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<opml version="2.0" xmlns:signalmesh="${NAMESPACE}">`,
    head,
    "  <body>",
    ...grouped,
    ...loose,
    "  </body>",
    "</opml>",
    "",
  ].join("\n");
}
