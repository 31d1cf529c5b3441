import { ownPage, POST } from "./own-page.ts";

/** Reads kind and token from the fragment, which no server and no log ever sees. */
const script = `const [kind, token] = location.hash.slice(1).split("=");
const what = document.querySelector("#what"), button = document.querySelector("button"), others = document.querySelector("#others"), say = document.querySelector("output");

${POST}
async function withPasskey() {
  const options = PublicKeyCredential.parseRequestOptionsFromJSON(await post("login", {}));
  return post("login/verify", (await navigator.credentials.get({ publicKey: options })).toJSON());
}

const acts = {
  "magic-link": { what: "Sign in to Signalmesh with this link.", button: "Sign in", done: "You are signed in.", run: () => post("magic-link/verify", { token }) },
  confirm: {
    what: "Confirm this address for your account.", button: "Confirm", done: "The address is confirmed.",
    async run() {
      // A link confirms the account that is signed in here: a stranger's registration gets nobody's address by a
      // careless click.
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

/** The page that mailed links lead to. Nothing happens before its button is pressed: mail scanners open links too. */
export const LINK_PAGE = ownPage({
  name: "link",
  script,
  content: `<p id="what">This link is not complete.</p>
<label id="others" hidden><input type="checkbox"> Remove my earlier passkeys: they are lost, or in other hands</label>
<button hidden></button>`,
});
