import text from "../../../data/starter/sources.opml";

/** Well-known outlets for every domain, for a platform on which nothing is followed yet. */
export const STARTER_LIST: string = text;

/** What stands in the starter list: its feeds by domain. */
export function starterFeeds(): { domain: string; names: string[] }[] {
  const opml = new DOMParser().parseFromString(STARTER_LIST, "text/xml");
  return [...opml.querySelectorAll("body > outline")].map((folder) => ({
    domain: folder.getAttribute("text") ?? "",
    names: [...folder.children].map((feed) => feed.getAttribute("text") ?? ""),
  }));
}
