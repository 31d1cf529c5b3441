/** Swagger UI with a list of the domains, and a search over all endpoints. */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Signalmesh API</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css"><link rel="icon" href="data:,">
<style>
  body { margin: 0; font: 1rem/1.4 system-ui, sans-serif; }
  aside h1 { font-size: 1.1rem; margin: 0; }
  code { font-size: .9em; background: #8882; padding: 0 .2em; border-radius: 3px; overflow-wrap: anywhere; }
  aside { box-sizing: border-box; padding: 1rem; }
  aside input { width: 100%; box-sizing: border-box; padding: .5rem; font: inherit; }
  nav a { display: block; padding: .3rem .5rem; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
  nav a:hover, nav a[aria-current] { background: #8883; }
  nav small { display: block; opacity: .75; }
  #said { padding: 1rem; max-width: 50rem; white-space: pre-line; }
  @media (min-width: 60rem) {
    aside { position: fixed; inset: 0 auto 0 0; width: 20rem; overflow: auto; border-right: 1px solid #8886; }
    body > main { margin-left: 20rem; }
  }
  @media (max-width: 60rem) { nav { max-height: 40vh; overflow: auto; } }
</style></head>
<body><aside><h1>Signalmesh API</h1><p><a href="/">Console</a> · <a href="/api/openapi.json">OpenAPI 3.1</a></p>
<label>Find an endpoint <input id="words" type="search" autocomplete="off" placeholder="upload document"></label>
<nav id="found" aria-label="Endpoints"></nav></aside>
<main><p id="said" aria-live="polite">The description is being read …</p><div id="docs"></div></main>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body></html>
`;

/**
 * Shows one domain at a time, as the address says: `#/sources\`, or `#/sources/sources.create\`. Swagger UI takes ten
 * to twenty seconds of processor time for the whole document, and up to 700 MB.
 */
export const DOCS_SCRIPT = `const find = (name) => document.querySelector("#" + name), MOST = 60, FITTING = 12;
const words = find("words"), found = find("found"), said = find("said");
let whole, endpoints, shown, ui;

/** The part of the document about one domain, with the components that it refers to, directly or indirectly. */
function partOf(domain) {
  const own = (item) => Object.entries(item).filter(([, { tags }]) => tags.includes(domain));
  const ownOf = (items) => Object.fromEntries(Object.entries(items)
    .map(([name, item]) => [name, Object.fromEntries(own(item))]).filter(([, item]) => Object.keys(item).length));
  const paths = ownOf(whole.paths), webhooks = ownOf(whole.webhooks);
  const components = { securitySchemes: whole.components.securitySchemes };
  const take = (value) => {
    for (const [, kind, name] of JSON.stringify(value).matchAll(/"#\\/components\\/([^"/]+)\\/([^"/]+)/g)) {
      const kept = (components[kind] ??= {});
      if (!Object.hasOwn(kept, name)) take((kept[name] = whole.components[kind][name]));
    }
  };
  take([paths, webhooks]);
  const info = { ...whole.info, description: whole.info.description.split("\\n\\n")[0] };
  return { ...whole, info, tags: whole.tags.filter(({ name }) => name === domain), paths, webhooks, components };
}

function link(href, text, small) {
  const made = Object.assign(document.createElement("a"), { href, textContent: text });
  if (small) made.append(Object.assign(document.createElement("small"), { textContent: small }));
  if (href === "#/" + shown) made.setAttribute("aria-current", "page");
  return made;
}
/** The description's bold words and names of the API as such: it is Markdown. */
const worded = (text) => text.split(/(\\*\\*[^*]+\\*\\*|\\x60[^\\x60]+\\x60)/).map((part) =>
  part.startsWith("**") ? Object.assign(document.createElement("strong"), { textContent: part.slice(2, -2) }) :
  part.startsWith("\\x60") ? Object.assign(document.createElement("code"), { textContent: part.slice(1, -1) }) : part);
/** How much an endpoint's wordings, those of people who do not know our words, have of what was typed, rare words most. */
function fitting(asked) {
  const told = asked.filter((one) => one.length > 2).map((one) => " " + one.replace(/[^\\p{L}\\p{N}]/gu, "").replace(/s$/, ""));
  const holding = (one) => endpoints.filter(({ wordings }) => wordings.includes(one)).length;
  const weighed = told.map((one) => [one, Math.log(endpoints.length / (1 + holding(one)))]);
  const score = ({ wordings }) => weighed.reduce((sum, [one, weight]) => sum + (wordings.includes(one) ? weight : 0), 0);
  return endpoints.map((one) => [one, score(one)]).filter(([, value]) => value > 2).sort(([, one], [, other]) => other - one)
    .slice(0, FITTING).map(([one]) => one);
}

/** The domains, or the endpoints that contain every word typed; where none does, those whose wordings fit, or that contain the most. */
function list() {
  const asked = words.value.toLowerCase().split(/\\s+/).filter(Boolean);
  if (!asked.length) return found.replaceChildren(...whole.tags.map(({ name, description }) => link("#/" + name, name, description)));
  const has = ({ text }) => asked.filter((one) => text.includes(one)).length;
  const most = Math.max(...endpoints.map(has)), fit = most ? endpoints.filter((one) => has(one) === most) : [];
  const near = most === asked.length ? [] : fitting(asked);
  const missing = most === asked.length ? "" : "No endpoint has all these words" + (near.length ? "; these may do it." : fit.length ? "; these have the most." : ".");
  if (near.length) return found.replaceChildren(missing, ...near.map(({ href, title, summary }) => link(href, title, summary)));
  const told = fit.length > MOST ? "The first " + MOST + " of " + fit.length + "." : "";
  found.replaceChildren(missing, ...fit.slice(0, MOST).map(({ href, title, summary }) => link(href, title, summary)), told);
}

function show() {
  const [, domain] = location.hash.split("/");
  const isThere = whole.tags.some(({ name }) => name === domain);
  shown = isThere ? domain : undefined;
  list();
  found.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  const place = document.createElement("div");
  find("docs").replaceChildren(place);
  said.hidden = isThere;
  said.replaceChildren(...worded(domain && !isThere ? "There is no domain named " + domain + "." :
    endpoints.length + " endpoints in " + whole.tags.length + " domains: choose one, or find an endpoint by words. Who is signed in at Signalmesh calls them as themself.\\n\\n" + whole.info.description));
  if (!isThere) return;
  // A key or token that was typed holds for all domains, while the page is open: in the browser's storage others would
  // find it, and call with it.
  const typed = ui?.authSelectors.authorized();
  const next = (ui = SwaggerUIBundle({
    spec: partOf(domain), domNode: place, deepLinking: true, docExpansion: "list", defaultModelsExpandDepth: -1,
    validatorUrl: null, tryItOutEnabled: true,
    onComplete: () => typed && next.authActions.authorize(typed.toJS()),
  }));
}

async function start() {
  // Earlier versions kept them.
  localStorage.removeItem("authorized");
  const answer = await fetch("/api/openapi.json");
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error?.message ?? "The description could not be read.");
  whole = told;
  endpoints = Object.entries(whole.paths).flatMap(([path, item]) => Object.entries(item).map(([verb, { operationId, summary, tags }]) => ({
    href: "#/" + tags[0] + "/" + operationId, title: verb.toUpperCase() + " " + path, summary,
    text: [verb, path, summary, operationId].join(" ").toLowerCase(), wordings: " " + summary.toLowerCase(),
  })));
  words.addEventListener("input", list);
  addEventListener("hashchange", show);
  show();
  const lines = (await (await fetch("/api/docs/asked.tsv")).text()).split("\\n").map((line) => line.split("\\t"));
  const wordings = new Map(lines.map(([operation, ...phrases]) => [operation, phrases.join(" ")]));
  for (const one of endpoints) one.wordings += " " + (wordings.get(one.title.replace(/\\{(\\w+)\\}/g, ":$1")) ?? "");
  list();
}
start().catch((error) => { said.textContent = error.message; });
`;
