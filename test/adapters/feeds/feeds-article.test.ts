import { extractArticle } from "../../../adapters/feeds/html/article.ts";
import { fixture } from "../../fixtures/feeds/read.ts";

const url = "https://site.example/news/dredger";
const page = fixture("page-article.html").toString();

describe("full text of a page", () => {
  it("is the article without navigation, scripts and footers, links absolute", () => {
    const article = extractArticle(page, url)!;
    expect(article.title).toBe("The dredger comes in spring");
    expect(article.byline).toBe("Ann Author");
    expect(article.text).toContain("For eleven years the harbour master");
    expect(article.text).toContain("dumped at sea.");
    expect(article.text).not.toMatch(/Most read|Imprint|Sport|advertisement|tracker/);
    expect(article.html).toContain(
      '<a href="https://site.example/news/channel" rel="noopener noreferrer">The channel</a>',
    );
    expect(article.html).toContain(
      '<img src="https://site.example/img/dredger.jpg" alt="The dredger" loading="lazy" referrerpolicy="no-referrer">',
    );
    expect(article.html).not.toMatch(/<script|onclick|class=/);
  });

  it("resolves against the page's base", () => {
    const based = page
      .replace("<head>", '<head><base href="https://cdn.example/x/">')
      .replace('href="/news/channel"', 'href="channel"');
    expect(extractArticle(based, url)!.html).toContain('href="https://cdn.example/x/channel"');
  });

  it.each([
    ["nothing", ""],
    ["plain text", "no markup here"],
    ["a notice", "<html><body><p>Please enable cookies to continue.</p></body></html>"],
    ["only navigation", `<html><body><ul>${'<li><a href="/x">A link</a></li>'.repeat(100)}</ul></body></html>`],
    ["broken markup", "<html><body><div><p>x</span></td></tr></table>"],
  ])("%s holds none", (_, html) => expect(extractArticle(html, url)).toBeNull());

  it("pages beyond all measure are not tried", () => {
    expect(extractArticle(`<html><body>${"<p>x</p>".repeat(25_000)}</body></html>`, url)).toBeNull();
    expect(extractArticle(`<html><body>${"<div>".repeat(10_000)}deep text`, url)).toBeNull();
    expect(extractArticle(`<html>${"x".repeat(4 * 1024 * 1024)}`, url)).toBeNull();
  });
});
