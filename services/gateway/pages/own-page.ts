/**
 * A page of the platform itself, for people without a client of their own: its content, and its script in a separate
 * file, as the content security policy requires.
 */
export interface OwnPage {
  name: string;
  html: string;
  script: string;
}

/** `content` goes below the heading; an `output` below it shows the script's messages. */
export const ownPage = ({
  name,
  title = "Signalmesh",
  heading,
  content,
  script,
}: {
  name: string;
  title?: string;
  heading: string;
  content: string;
  script: string;
}): OwnPage => ({
  name,
  script,
  html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="icon" href="data:,">
<style>
  /* The colours of the console, which lives at / and has its own sheet: each of these pages is one file. */
  :root {
    color-scheme: light dark; font: .95rem/1.5 system-ui, "Segoe UI", sans-serif;
    --ground: light-dark(#f6f7f9, #12161c); --paper: light-dark(#fff, #1a2029); --ink: light-dark(#1b2430, #e4e9f0);
    --muted: light-dark(#55606f, #a3aebd); --rule: light-dark(#d5dbe3, #364150);
    --accent: light-dark(#0a5f7d, #6cc4e4); --on-accent: light-dark(#fff, #06222e);
  }
  *, *::before { box-sizing: border-box; }
  [hidden] { display: none !important; }
  body { margin: 0; background: var(--ground); color: var(--ink); }
  main { max-width: 26rem; margin: 8vh auto 4rem; padding: 0 1rem; }
  .brand { color: var(--muted); font-weight: 700; margin: 0 0 .5rem; }
  h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; }
  .card, form { display: flex; flex-direction: column; gap: .75rem; }
  .card { background: var(--paper); border: 1px solid var(--rule); border-radius: 6px; padding: 1rem; }
  p { margin: 0; }
  a { color: var(--accent); }
  label { display: block; font-weight: 500; font-size: .9rem; }
  label:has([type="checkbox"]) { display: flex; gap: .5rem; font-weight: 400; }
  input:not([type="checkbox"]), button, .button { font: inherit; min-height: 2.25rem; border-radius: 6px; }
  input:not([type="checkbox"]) {
    width: 100%; margin-top: .2rem; padding: .3rem .6rem; background: var(--paper); color: inherit;
    border: 1px solid light-dark(#7b8795, #6d7a8b);
  }
  button, .button {
    display: flex; align-items: center; justify-content: center; padding: .3rem .9rem; border: 0;
    background: var(--accent); color: var(--on-accent); cursor: pointer; text-decoration: none;
  }
  button:disabled { opacity: .6; cursor: default; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  output { display: block; }
  output:empty { display: none; }
</style></head>
<body><main>
<p class="brand">Signalmesh</p>
<h1>${heading}</h1>
<div class="card">
${content}
<output aria-live="polite"></output>
</div>
</main><script src="/${name}.js"></script></body></html>
`,
});

/**
 * For scripts: `ask` reads from the API, or sends JSON if given a body; it answers the envelope and throws a refusal as
 * text, with its status. `post` does so under /api/auth, and answers the data alone; `withPasskey` signs in,
 * `newPasskey` registers one; `onward` tells other tabs, and is where the console
 * was left.
 */
export const POST = `async function ask(path, body, method = body ? "POST" : "GET") {
  const headers = { "content-type": "application/json" };
  const answer = await fetch("/api/" + path, { method, ...(method === "POST" && { headers, body: JSON.stringify(body) }) });
  const told = answer.status === 204 ? {} : await answer.json();
  if (!answer.ok) throw Object.assign(new Error(inWords(told.error)), { status: answer.status });
  return told;
}
const post = async (path, body) => (await ask("auth/" + path, body, "POST")).data;
function inWords(error) {
  const faults = Array.isArray(error?.details) ? error.details : [];
  if (!faults.length) return error?.message ?? "Too many requests; wait a little.";
  return faults.map((one) => [one.path, one.message].filter(Boolean).join(": ")).join("; ");
}
/** Asks the authenticator; browsers word its refusals for programs, so they are replaced. */
async function passkey(domain, act) {
  if (!window.PublicKeyCredential) throw new Error("This browser has no passkeys under this address: they need https, or localhost.");
  try {
    return await act();
  } catch (error) {
    if (error.name === "SecurityError") throw new Error("Passkeys here belong to " + domain + ": open this page under that name.");
    if (error.name === "NotAllowedError") throw new Error("There was no passkey: it was called off, took too long, or there is none of here on this device.");
    throw error;
  }
}
/** Where to go when all is done: the console's address that was asked for in this browser, within the hour; or its first page. */
function onward() {
  new BroadcastChannel("signalmesh.session").postMessage("changed");
  try {
    const { to, at } = JSON.parse(localStorage.getItem("signalmesh.place"));
    localStorage.removeItem("signalmesh.place");
    if (Date.now() - at < 3600000 && new URL(to, location.href).origin === location.origin) return to;
  } catch {}
  return "/";
}
async function withPasskey() {
  const asked = await post("login", {});
  const given = await passkey(asked.rpId, () => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked) }));
  return post("login/verify", given.toJSON());
}
async function newPasskey(asked) {
  const made = await passkey(asked.rp.id, () => navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asked) }));
  return post("register/verify", made.toJSON());
}
`;
