import { ownPage, POST } from "./own-page.ts";

/** Reads kind and token from the fragment, which no server and no log ever sees. */
const script = `const what = document.querySelector("#what"), button = document.querySelector("button"), others = document.querySelector("#others"), on = document.querySelector("#on"), say = document.querySelector("output");
let act, token;

${POST}
const signIn = () => post("magic-link/verify", { token });
// Whoever followed somebody else's link finds out before they put anything into that account.
const whose = ({ user }) => "You are signed in. This is the account of " + (user.email ?? user.claimedEmail) + ".";
const acts = {
  "magic-link": { what: "Sign in to Signalmesh with this link.", button: "Sign in", done: whose, run: signIn },
  welcome: { what: "An account at Signalmesh was made for you. Sign in with this link.", button: "Sign in", done: whose, run: signIn },
  confirm: {
    what: "Confirm this address for your account.", button: "Confirm", done: () => "The address is confirmed.",
    async run() {
      // A link confirms an address of the account signed in here: a careless click must not give it to a stranger's
      // registration.
      const signedIn = (await fetch("/api/auth/session")).ok;
      if (!signedIn) await withPasskey();
      return post("email/confirm", { token });
    },
  },
  recovery: {
    what: "Register a new passkey for your account. Every session that is open now ends.", button: "Register a passkey", done: () => "The passkey is registered and you are signed in.",
    run: async () => newPasskey(await post("recovery/verify", { token, forgetOthers: others.querySelector("input").checked })),
  },
};

/** Reads the link in the address again: opening another link in this tab changes only the fragment. */
function open() {
  const [kind, given] = location.hash.slice(1).split("=");
  if (!Object.hasOwn(acts, kind) || !given) return;
  [act, token] = [acts[kind], given];
  history.replaceState(null, "", location.pathname);
  what.textContent = act.what;
  button.textContent = act.button;
  button.hidden = button.disabled = false;
  others.hidden = kind !== "recovery";
  others.querySelector("input").checked = false;
  on.hidden = true;
  say.textContent = "";
}

button.addEventListener("click", async () => {
  const pressed = act;
  button.disabled = true;
  try {
    const answer = await pressed.run();
    if (act !== pressed) return;
    button.hidden = others.hidden = true;
    on.hidden = false;
    on.href = onward();
    say.textContent = pressed.done(answer);
    on.focus();
  } catch (error) {
    button.disabled = on.hidden = false;
    on.href = "/";
    say.textContent = error.message;
  }
});
addEventListener("hashchange", open);
open();
`;

/** The page that mailed links lead to. Nothing happens before its button is pressed: mail scanners open links too. */
export const LINK_PAGE = ownPage({
  name: "link",
  heading: "Your link",
  script,
  content: `<p id="what">This link is not complete.</p>
<label id="others" hidden><input type="checkbox"> Remove my earlier passkeys: they are lost, or in other hands</label>
<button hidden></button>
<a id="on" class="button" href="/">Go on to Signalmesh</a>`,
});
