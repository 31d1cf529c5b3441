import { ownPage, POST } from "./own-page.ts";

/**
 * A sign-in ends in the browser where it began: a link with somebody else's code finds nothing in this browser's
 * storage.
 */
const script = `const button = document.querySelector("button"), on = document.querySelector("#on"), say = document.querySelector("output");
const query = Object.fromEntries(new URLSearchParams(location.search));

${POST}
button.addEventListener("click", async () => {
  try {
    const { url, browser } = await post("oidc", {});
    sessionStorage.setItem("oidc", browser);
    location.assign(url);
  } catch (error) {
    say.textContent = error.message;
  }
});

if (query.code && query.state) {
  history.replaceState(null, "", location.pathname);
  const browser = sessionStorage.getItem("oidc");
  sessionStorage.removeItem("oidc");
  if (!browser) say.textContent = "This sign-in was not begun in this browser. Begin again.";
  else post("oidc/verify", { code: query.code, state: query.state, browser, ...(query.iss && { iss: query.iss }) })
    .then(() => { button.hidden = true; on.hidden = false; on.href = onward(); say.textContent = "You are signed in."; location.replace(on.href); }, (error) => { say.textContent = error.message; });
} else if (query.error) say.textContent = "The sign-in was not confirmed. Begin again.";
`;

/** The page that starts a sign-in at the identity provider, and to which the provider returns the browser. */
export const OIDC_PAGE = ownPage({
  name: "oidc",
  heading: "Your organisation",
  script,
  content: `<button>Sign in with your organisation</button>
<a id="on" class="button" href="/" hidden>Go on to Signalmesh</a>`,
});
