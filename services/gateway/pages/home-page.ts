import type { Env } from "../../../config/env.ts";
import { type OwnPage, ownPage, POST } from "./own-page.ts";

/** Asks who this browser is signed in as, and shows what that person can do next; to nobody, the ways to sign in. */
const script = `const find = (name) => document.querySelector("#" + name), say = document.querySelector("output");

${POST}
async function show() {
  const answer = await fetch("/api/auth/session"), signedIn = answer.ok;
  find("in").hidden = !signedIn;
  find("out").hidden = signedIn;
  if (!signedIn) return;
  const { user } = (await answer.json()).data;
  find("who").textContent = user?.name ?? user?.email ?? user?.claimedEmail ?? "everybody: AUTH=off";
  find("waits").hidden = !user || Boolean(user.email);
  find("claimed").textContent = user?.claimedEmail ?? "Your address";
  find("next").hidden = Boolean(user) && !user.email;
  find("people").hidden = user?.role !== "system_admin";
}

/** Does what a button or a form is for, and says how it went. */
function does(name, event, run) {
  find(name)?.addEventListener(event, async (happened) => {
    happened.preventDefault();
    say.textContent = "";
    try {
      say.textContent = (await run(Object.fromEntries(event === "submit" ? new FormData(happened.target) : []))) ?? "";
      await show();
    } catch (error) {
      say.textContent = error.message;
    }
  });
}
does("passkey", "click", async () => { await withPasskey(); });
does("link", "submit", async ({ email }) => {
  await post("magic-link", { email });
  return "If that address has an account, a link was mailed to it. It is good for 15 minutes.";
});
does("password", "submit", async (fields) => { await post("login", { ...fields, session: true }); });
does("add", "click", async () => {
  await newPasskey(await post("register", {}));
  return "The passkey is registered: from now on it signs you in.";
});
does("again", "click", async () => {
  await post("email", {});
  return "The link was mailed again.";
});
does("leave", "click", async () => { await post("logout"); });
void show();
`;

const docs = (operation: string, words: string): string =>
  `<a href="/api/docs#/${operation.split(".")[0]}/${operation}">${words}</a>`;

/** Where a browser goes on after set-up, a link or the provider: who is signed in, and what to do next. */
export const homePage = (env: Env): OwnPage =>
  ownPage({
    name: "home",
    script,
    content: `<section id="out" hidden>
<p>Nobody is signed in here.</p>
<button id="passkey">Sign in with a passkey</button>${env.OIDC_ISSUER ? '\n<p><a href="/oidc">Sign in with your organisation</a></p>' : ""}
<form id="link"><label>Email <input name="email" type="email" autocomplete="username" required></label>
<button>Send me a sign-in link</button></form>
<form id="password"><label>Email <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button></form>
</section>
<section id="in" hidden>
<p>You are signed in as <strong id="who"></strong>.</p>
<p id="waits" hidden><span id="claimed"></span> waits to be confirmed: follow the link that was mailed there. Until then you can see yourself and leave, and nothing else. <button id="again">Mail it again</button></p>
<div id="next"><h2>What to do next</h2>
<p>The pages linked here describe an endpoint each, and <em>Try it out</em> there calls it as you.</p>
<ol>
<li>${docs("sources.create", "Follow a source")}, or ${docs("sources.importOpml", "a list of them")}; then ${docs("search.search", "search")} and ${docs("briefings.generate", "have a briefing made")}.</li>
<li>${docs("problem-sets.scenarios.build", "Open a workspace from a scenario")} and ${docs("problem-sets.invitations.issue", "invite people")} into it.</li>
<li id="people" hidden>${docs("auth.users.create", "Make accounts for colleagues")}: without a password, a link to sign in is mailed to them.</li>
<li>${docs("keys.create", "Make a key")} for a program or an agent.</li>
</ol></div>
<button id="add">Add a passkey</button> <button id="leave">Sign out</button>
</section>
<p><a href="/api/docs">All of the API</a></p>`,
  });
