import { POST } from "./own-page.ts";

/** The signed-in person's news and workspaces, and the first steps. */
const DESK = `const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** Asks until it is so, half a minute at the most. */
async function until(path, isSo) {
  for (let tries = 0; ; tries++) {
    const { data } = await ask(path);
    if (isSo(data) || tries === 60) return data;
    await pause(500);
  }
}
function list(name, rows, line) {
  find(name).replaceChildren(...rows.map((row) => {
    const item = document.createElement("li");
    item.append(...line(row));
    return item;
  }));
  find(name).closest("section").hidden = !rows.length;
}
function link(text, href) {
  return Object.assign(document.createElement("a"), { textContent: text, href });
}
const many = (total, one) => total + " " + one + (total === 1 ? "" : "s");
const inTime = (at) => new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
/** A permit is complete, or covers all of a subject, or of an act: "*", "sources:*", "*:read". */
function may(permits, permit) {
  const [subject, act] = permit.split(":");
  return ["*", permit, subject + ":*", "*:" + act].some((one) => permits.includes(one));
}

async function desk() {
  const { permits } = (await ask("auth/me")).data;
  if (!may(permits, "briefings:read")) return;
  const [sources, { data: articles }, briefings, sets] = await Promise.all([
    ask("sources?limit=1"), ask("articles/stats?hours=48"), ask("briefings?limit=3"), ask("problem-sets/me?limit=5"),
  ]);
  find("stock").textContent = "Followed: " + many(sources.meta.total, "source") + "; " + many(articles.total, "article") + " in the last two days.";
  if (!find("domains").length) find("domains").append(...Object.keys(articles.byDomain).map((name) => new Option(name)));
  list("briefings", briefings.data.filter(({ status }) => status === "completed"),
    ({ id, title, generatedAt }) => [link(title, "/api/briefings/" + id + "/html"), ", made " + inTime(generatedAt)]);
  list("sets", sets.data, ({ name, role }) => [name + ", as " + role]);
  find("follow").hidden = find("curate").hidden = !may(permits, "sources:curate");
  find("brief").hidden = !may(permits, "briefings:make") || !articles.total;
  find("news").hidden = false;
}
`;

/**
 * Finds out who is signed in in this browser, and shows what that person can do next; without a session, the ways to
 * sign in.
 */
export const homeScript = `const find = (name) => document.querySelector("#" + name), say = document.querySelector("output");

${POST}
${DESK}
async function show() {
  const answer = await fetch("/api/auth/session"), signedIn = answer.ok;
  find("in").hidden = !signedIn;
  find("out").hidden = signedIn;
  find("news").hidden = true;
  if (!signedIn) return;
  const { user } = (await answer.json()).data;
  find("who").textContent = user?.name ?? user?.email ?? user?.claimedEmail ?? "everybody: AUTH=off";
  find("waits").hidden = !user || Boolean(user.email);
  find("claimed").textContent = user?.claimedEmail ?? "Your address";
  find("next").hidden = Boolean(user) && !user.email;
  find("people").hidden = user?.role !== "system_admin";
  if (!user || user.email) await desk();
}

/** Runs a button or a form, and reports the result. */
function does(name, event, run) {
  find(name)?.addEventListener(event, async (happened) => {
    happened.preventDefault();
    say.textContent = "";
    try {
      const { target, submitter } = happened;
      const fields = Object.fromEntries(event === "submit" ? new FormData(target, submitter) : []);
      const words = (await run(fields)) ?? "";
      if (event === "submit") target.reset();
      await show();
      say.textContent = words;
    } catch (error) {
      say.textContent = error.message;
    }
  });
}
does("passkey", "click", async () => { await withPasskey(); });
does("sign", "submit", async ({ email, password, by }) => {
  if (by === "password" && !password) throw new Error("Type your password, or have a link mailed to you.");
  if (by === "password") return void (await post("login", { email, password, session: true }));
  await post("magic-link", { email });
  return "If that address has an account, a link was mailed to it. It is good for 15 minutes.";
});
does("follow", "submit", async (fields) => {
  const { data } = await ask("sources", fields);
  say.textContent = "It is followed. Its articles are fetched …";
  const source = await until("sources/" + data.id, ({ lastFetch }) => lastFetch);
  const { meta } = await ask("articles?limit=1&sourceId=" + data.id);
  if (meta.total) return "It is followed: " + many(meta.total, "article") + " came.";
  return source.lastError ? "It is followed, but nothing came yet. " + source.lastError : "It is followed. " + source.healthNote;
});
does("brief", "click", async () => {
  const { data } = await ask("briefings/generate", { hours: 48 });
  say.textContent = "It is being made …";
  const { status } = await until("briefings/" + data.id, ({ status }) => status !== "generating");
  return { completed: "It is made, and stands first above.", failed: "It could not be made." }[status] ?? "It is still being made.";
});
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
