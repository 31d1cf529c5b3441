import { fileNameOf } from "../html/links.ts";
import { Fields } from "./fields.ts";
import type { Element } from "./xml-element.ts";

/** What a link is to its page (RFC 4287, 4.2.7.2), lower-cased. */
export const relations = (link: Element): string[] =>
  (link.attributes["rel"] ?? "alternate").toLowerCase().split(/\s+/);
const isHtmlLink = (link: Element) =>
  /^(text\/html|application\/xhtml\+xml|)$/.test(link.attributes["type"]?.toLowerCase() ?? "");

/** Among Atom's links (also met in RSS), the one to the page that people read. */
export function alternate(links: readonly Element[]): string | undefined {
  const pages = links.filter((link) => link.attributes["href"] && relations(link).includes("alternate"));
  return (pages.find(isHtmlLink) ?? pages[0])?.attributes["href"];
}

const webAddress = (text: string | undefined) => (text && /^https?:\/\//i.test(text) ? text : undefined);

/** The page that people read of an item: its link, or what stands for one. */
export function itemUrl(fields: Fields, item: Element): string | undefined {
  const links = fields.all("link", "atom:link");
  const permalink = fields
    .all("guid")
    .find((guid) => guid.attributes["ispermalink"]?.toLowerCase() !== "false")
    ?.text.trim();
  // FeedBurner and its like replace the link by a counter and keep the original beside it.
  return (
    fields.text("feedburner:origlink", "pheedo:origlink") ??
    fields.text("link") ??
    alternate(links) ??
    webAddress(permalink) ??
    webAddress(item.attributes["rdf:about"]) ??
    webAddress(item.attributes["href"]) ??
    webAddress(fields.text("id")) ??
    enclosures(fields)[0]?.url
  );
}

interface Enclosure {
  url: string;
  type: string;
  title?: string;
}

function enclosures(fields: Fields): Enclosure[] {
  const linked = fields
    .all("link", "atom:link")
    .filter((link) => relations(link).includes("enclosure"))
    .map(({ attributes }) => ({ url: attributes["href"], type: attributes["type"], title: attributes["title"] }));
  const own = fields
    .all("enclosure")
    .map(({ attributes }) => ({ url: attributes["url"], type: attributes["type"], title: attributes["title"] }));
  return [...own, ...linked].flatMap(({ url, type, title }) => (url ? [{ url, type: type ?? "", title }] : []));
}

/** What the first enclosure is called, by its title or its file. */
export function enclosureName(fields: Fields): string | undefined {
  const [first] = enclosures(fields);
  return first && (first.title || fileNameOf(first.url));
}

const pictureFile = /\.(jpe?g|png|webp|gif|avif)(\?|$)/i;

/** The picture that an item shows of itself. */
export function itemImage(fields: Fields): string | undefined {
  const media = fields
    .all("media:content")
    .find(
      ({ attributes }) =>
        attributes["url"] &&
        (attributes["medium"] === "image" ||
          attributes["type"]?.startsWith("image/") ||
          (!attributes["type"] && !attributes["medium"] && pictureFile.test(attributes["url"]))),
    );
  return (
    media?.attributes["url"] ??
    fields.all("media:thumbnail")[0]?.attributes["url"] ??
    enclosures(fields).find(({ type }) => type.startsWith("image/"))?.url ??
    fields.all("itunes:image")[0]?.attributes["href"] ??
    imageElement(fields)
  );
}

/** RSS's image holds a url element, some put the address straight into it. */
function imageElement(fields: Fields): string | undefined {
  const image = fields.all("image")[0];
  return image && (new Fields(image).text("url") ?? webAddress(image.text.trim()));
}
