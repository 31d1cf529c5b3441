import { STORIES, type Story } from "./texts.ts";
import type { Part } from "./feed-documents.ts";

export interface PageCase {
  name: string;
  part: Part;
  url: string;
  html: string;
  /** The text of the article, paragraphs one a line. */
  wanted: string;
}

/** What sites say around an article, by language; English where a language has none of its own. */
const words = {
  en: {
    related: "Related stories",
    more: "READ MORE",
    mail: "Sign up for our newsletter and get the best stories in your inbox.",
    share: "Share this article",
    updated: "Updated 3:42 pm, Tuesday, November 17, 2026",
    photo: "Photo: Dana Orr / Getty Images",
    others: ["Ferry runs aground off the point", "Council sells the old mill", "Ten walks for a wet Sunday"],
  },
  de: {
    related: "Mehr zum Thema",
    more: "Lesen Sie auch",
    mail: "Newsletter abonnieren und nichts mehr verpassen",
    share: "Artikel teilen",
    updated: "Aktualisiert am 17. November 2026, 15:42 Uhr",
    photo: "Foto: Dana Orr",
    others: ["Fähre läuft auf Grund", "Rat verkauft die alte Mühle", "Zehn Wege für nasse Sonntage"],
  },
  fr: {
    related: "À lire aussi",
    more: "Lire aussi",
    mail: "Inscrivez-vous à notre lettre du matin",
    share: "Partager",
    updated: "Publié le 17 novembre 2026 à 15h42",
    photo: "© Dana Orr",
    others: ["Un ferry s'échoue au large", "La mairie vend le moulin", "Dix balades pour un dimanche de pluie"],
  },
  es: {
    related: "Te puede interesar",
    more: "Lea también",
    mail: "Suscríbete a nuestro boletín",
    share: "Compartir",
    updated: "Actualizado el 17 de noviembre de 2026",
    photo: "Foto: Dana Orr",
    others: ["Un ferri encalla en la punta", "El pueblo vende el molino", "Diez paseos para un domingo de lluvia"],
  },
  ru: {
    related: "Читайте также",
    more: "Читайте также",
    mail: "Подписывайтесь на нашу рассылку",
    share: "Поделиться",
    updated: "Опубликовано 17 ноября 2026, 15:42",
    photo: "Фото: Дана Орр",
    others: ["Паром сел на мель", "Совет продал мельницу", "Десять прогулок для дождливого дня"],
  },
} as const;

type Words = (typeof words)[keyof typeof words];
const wordsOf = ({ language }: Story): Words => words[language as keyof typeof words];
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const p = (text: string, of = "") => `<p${of}>${escaped(text)}</p>`;
const list = (titles: readonly string[], of = "") =>
  `<ul${of}>${titles.map((title, at) => `<li><a href="/story/${at}">${escaped(title)}</a></li>`).join("")}</ul>`;
const menu = `<nav><ul>${["Home", "News", "Sport", "Culture", "Weather"].map((name) => `<li><a href="/${name}">${name}</a></li>`).join("")}</ul></nav>`;
const page = ({ title, language }: Story, body: string) =>
  `<!DOCTYPE html><html lang="${language}"><head><meta charset="utf-8"><title>${escaped(title)} | Gazette</title></head><body>${menu}${body}<footer><p>© 2026 Gazette Ltd. All rights reserved.</p><a href="/imprint">Imprint</a></footer></body></html>`;
const head = ({ title, byline }: Story) => `<h1>${escaped(title)}</h1><div class="byline">By ${byline}</div>`;
/** The paragraphs with something between the second and the third. */
const around = ({ paragraphs }: Story, between: string) =>
  paragraphs.map((text, at) => (at === 2 ? between : "") + p(text)).join("\n");

type Template = [name: string, make: (story: Story, words: Words) => string];
const tune: Template[] = [
  ["plain", (story) => page(story, `<article>${head(story)}${around(story, "")}</article>`)],
  [
    "a line to another story in between",
    (story, { more, others }) =>
      page(
        story,
        `<article>${head(story)}${around(story, `<p><a href="/a">${more}: ${escaped(others[0])}</a></p>`)}</article>`,
      ),
  ],
  [
    "a box of related stories",
    (story, { related, others }) =>
      page(
        story,
        `<article>${head(story)}${around(story, `<aside class="inline-related"><h3>${related}</h3>${list(others)}</aside>`)}</article>`,
      ),
  ],
  [
    "an invitation at the end",
    (story, { mail }) =>
      page(story, `<div class="story">${head(story)}${around(story, "")}<p><em>${mail}</em></p></div>`),
  ],
  [
    "a picture with its caption",
    (story, { photo }) =>
      page(
        story,
        `<article>${head(story)}<figure><img src="/a.jpg" alt=""><figcaption>The quay on Monday evening, seen from the old lighthouse. ${photo}</figcaption></figure>${around(story, "")}</article>`,
      ),
  ],
  [
    "dates and sharing above",
    (story, { updated, share }) =>
      page(story, `<div class="content">${head(story)}<p>${updated}</p><p>${share}</p>${around(story, "")}</div>`),
  ],
  [
    "other stories below",
    (story, { related, others }) =>
      page(
        story,
        `<div id="main"><h1>${escaped(story.title)}</h1>${around(story, "")}<h2>${related}</h2>${others.map((title) => `<div><a href="/s">${escaped(title)}</a></div>`).join("")}</div>`,
      ),
  ],
  [
    "a menu within the text's column",
    (story, { others }) =>
      page(
        story,
        `<div class="col"><div><a href="/">Home</a><a href="/news">News</a><a href="/sport">Sport</a></div>${head(story)}${around(story, "")}${list(others, ' class="tags"')}</div>`,
      ),
  ],
  [
    "parts headed as if they pointed elsewhere",
    (story) =>
      page(
        story,
        `<article>${head(story)}${story.paragraphs.map((text, at) => (at === 3 ? "<h2>More on this</h2>" : "") + p(text)).join("")}</article>`,
      ),
  ],
];
const held: Template[] = [
  [
    "a teaser box with a text of its own",
    (story, { related, others }) =>
      page(
        story,
        `<main>${head(story)}${around(story, `<div class="promo-box"><h4>${related}</h4><p><a href="/x">${escaped(others[0])}</a></p><p><a href="/y">${escaped(others[1])}</a></p></div>`)}</main>`,
      ),
  ],
  [
    "two lines to other stories",
    (story, { more, others }) =>
      page(
        story,
        `<article><header>${head(story)}</header>${around(story, `<p><strong>${more}:</strong> <a href="/q">${escaped(others[1])}</a></p>`)}<p><a href="/z">${escaped(others[2])}</a></p></article>`,
      ),
  ],
  [
    "a card about the author",
    (story) =>
      page(
        story,
        `<article>${head(story)}${around(story, "")}<div class="author-bio"><img src="/x.jpg"><p>${story.byline} has written about the coast since 2009 and keeps bees.</p></div></article>`,
      ),
  ],
  [
    "a credit as a paragraph",
    (story, { photo, updated }) =>
      page(
        story,
        `<div class="article-body"><h1>${escaped(story.title)}</h1><p>${updated}</p><div><img src="/b.jpg"></div><p>${photo}</p>${around(story, "")}</div>`,
      ),
  ],
  [
    "a form in between",
    (story, { mail }) =>
      page(
        story,
        `<section>${head(story)}${around(story, `<div class="newsletter-signup"><p>${mail}</p><form><input name="e"><button>OK</button></form></div>`)}</section>`,
      ),
  ],
  [
    "figures that are text",
    (story) =>
      page(
        story,
        `<article>${head(story)}${story.paragraphs.map((text, at) => (at === 2 ? `<ul><li>${escaped(text)}</li></ul>` : p(text))).join("")}</article>`,
      ),
  ],
];

const casesOf = (part: Part, templates: Template[], stories: readonly Story[]): PageCase[] =>
  templates.flatMap(([name, make]) =>
    stories.map((story) => ({
      name: `${name}, ${story.language}`,
      part,
      url: "https://gazette.example/2026/story.html",
      html: make(story, wordsOf(story)),
      wanted: story.paragraphs.join("\n"),
    })),
  );

export const PAGES: readonly PageCase[] = [...casesOf("tune", tune, STORIES), ...casesOf("held", held, STORIES)];
