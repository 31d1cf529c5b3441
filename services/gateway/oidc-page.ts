/** The page that begins a sign-in at the identity provider, and that the provider sends the browser back to. */
export const OIDC_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Signalmesh</title><link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  main { max-width: 26rem; margin: 12vh auto; padding: 0 1rem; }
  button { margin-top: 1.5rem; padding: .5rem 1.25rem; font: inherit; }
  output { display: block; margin-top: 1rem; }
</style></head>
<body><main>
<h1>Signalmesh</h1>
<button>Sign in with your organisation</button>
<output aria-live="polite"></output>
</main><script src="/oidc.js"></script></body></html>
`;

/** What began here is finished here: a link with somebody else's code finds nothing in this browser's storage. */
export const OIDC_SCRIPT = `const button = document.querySelector("button"), say = document.querySelector("output");
const query = Object.fromEntries(new URLSearchParams(location.search));

async function post(path, body) {
  const answer = await fetch("/api/auth/" + path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const { data, error } = await answer.json();
  if (!answer.ok) throw new Error(error?.message ?? "Too many requests; wait a little.");
  return data;
}

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
    .then(() => { button.hidden = true; say.textContent = "You are signed in."; }, (error) => { say.textContent = error.message; });
} else if (query.error) say.textContent = "The sign-in was not confirmed. Begin again.";
`;
