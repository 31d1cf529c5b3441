import type { Env } from "../../../config/env.ts";
import { homeScript } from "./home-script.ts";
import { type OwnPage, ownPage } from "./own-page.ts";

const docs = (operation: string, words: string): string =>
  `<a href="/api/docs#/${operation.split(".")[0]}/${operation}">${words}</a>`;

/** Where a browser continues after set-up, a link or the provider: who is signed in, and what to do next. */
export const homePage = (env: Env): OwnPage =>
  ownPage({
    name: "home",
    script: homeScript,
    content: `<section id="out" hidden>
<p>Nobody is signed in here.</p>
<form id="sign"><label>Email <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password"></label>
<button name="by" value="password">Sign in</button> <button name="by" value="link">Mail me a link instead</button></form>
<button id="passkey">Sign in with a passkey</button>${env.OIDC_ISSUER ? '\n<p><a href="/oidc">Sign in with your organisation</a></p>' : ""}
</section>
<section id="in" hidden>
<p>You are signed in as <strong id="who"></strong>.</p>
<p id="waits" hidden><span id="claimed"></span> waits to be confirmed: follow the link that was mailed there. Until then you can see yourself and leave, and nothing else. <button id="again">Mail it again</button></p>
<div id="news" hidden><h2>Your news</h2>
<p id="stock"></p>
<section hidden><p>Latest briefings:</p><ul id="briefings"></ul></section>
<button id="brief">Make a briefing of the last two days</button>
<form id="follow"><h3>Follow a source</h3>
<label>Address of its feed or site <input name="url" type="url" required></label>
<label>Name <input name="name" required></label>
<label>What it is mostly about <select name="domain" id="domains"></select></label>
<button>Follow</button></form>
<section hidden><h2>Your workspaces</h2><ul id="sets"></ul></section></div>
<div id="next"><h2>What to do next</h2>
<p>The pages linked here describe an endpoint each, and <em>Try it out</em> there calls it as you.</p>
<ol>
<li>${docs("search.search", "Search")} what the sources say, and see ${docs("verification.trails.get", "why each claim is trusted")}<span id="curate" hidden>; ${docs("sources.importOpml", "follow a list of sources")}</span>.</li>
<li>${docs("problem-sets.scenarios.build", "Open a workspace from a scenario")} and ${docs("problem-sets.invitations.issue", "invite people")} into it.</li>
<li id="people" hidden>${docs("auth.users.create", "Make accounts for colleagues")}: without a password, a link to sign in is mailed to them.</li>
<li>${docs("keys.create", "Make a key")} for a program or an agent.</li>
</ol></div>
<button id="add">Add a passkey</button> <button id="leave">Sign out</button>
</section>
<p><a href="/api/docs">All of the API</a></p>`,
  });
