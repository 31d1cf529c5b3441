/** The page that mailed links lead to. Nothing happens before its button is pressed: mail scanners open links too. */
export const LINK_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Signalmesh</title><link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  main { max-width: 26rem; margin: 12vh auto; padding: 0 1rem; }
  label { display: block; margin-top: 1rem; }
  button { margin-top: 1.5rem; padding: .5rem 1.25rem; font: inherit; }
  output { display: block; margin-top: 1rem; }
</style></head>
<body><main>
<h1>Signalmesh</h1>
<p id="what">This link is not complete.</p>
<label id="others" hidden><input type="checkbox"> Remove my earlier passkeys: they are lost, or in other hands</label>
<button hidden></button>
<output aria-live="polite"></output>
</main><script src="/link.js"></script></body></html>
`;

/** Reads kind and token from the fragment, which no server and no log ever sees. */
export const LINK_SCRIPT = `const [kind, token] = location.hash.slice(1).split("=");
const what = document.querySelector("#what"), button = document.querySelector("button"), others = document.querySelector("#others"), say = document.querySelector("output");

async function post(path, body) {
  const answer = await fetch("/api/auth/" + path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const { data, error } = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(error?.message ?? "Too many requests; wait a little."), { status: answer.status });
  return data;
}

async function withPasskey() {
  const options = PublicKeyCredential.parseRequestOptionsFromJSON(await post("login", {}));
  return post("login/verify", (await navigator.credentials.get({ publicKey: options })).toJSON());
}

const acts = {
  "magic-link": { what: "Sign in to Signalmesh with this link.", button: "Sign in", done: "You are signed in.", run: () => post("magic-link/verify", { token }) },
  confirm: {
    what: "Confirm this address for your account.", button: "Confirm", done: "The address is confirmed.",
    async run() {
      // A link confirms the account that is signed in here: a stranger's registration gets nobody's address by a careless click.
      const signedIn = (await fetch("/api/auth/session")).ok;
      if (!signedIn) await withPasskey();
      return post("email/confirm", { token });
    },
  },
  recovery: {
    what: "Register a new passkey for your account. Every session that is open now ends.", button: "Register a passkey", done: "The passkey is registered and you are signed in.",
    async run() {
      const options = await post("recovery/verify", { token, forgetOthers: others.querySelector("input").checked });
      const made = await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) });
      return post("register/verify", made.toJSON());
    },
  },
};

const act = acts[kind];
if (act && token) {
  history.replaceState(null, "", location.pathname);
  what.textContent = act.what;
  button.textContent = act.button;
  button.hidden = false;
  others.hidden = kind !== "recovery";
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await act.run();
      button.hidden = others.hidden = true;
      say.textContent = act.done;
    } catch (error) {
      button.disabled = false;
      say.textContent = error.message;
    }
  });
}
`;
