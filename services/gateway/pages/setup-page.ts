import { ownPage, POST } from "./own-page.ts";

/** Reads the one-time token from the fragment, which no server and no log ever sees. */
const script = `const form = document.querySelector("form"), say = document.querySelector("output");

${POST}
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, ...fields } = Object.fromEntries(new FormData(form));
  try {
    await post("setup", { token: location.hash.slice(1), ...fields, ...(name && { name }) });
    form.hidden = true;
    await post("login", { ...fields, session: "only" });
    location.replace("/");
  } catch (error) {
    say.textContent = error.message;
  }
});
function open() {
  form.hidden = location.hash.length < 2;
  say.textContent = form.hidden ? "This link is not complete. The whole one was printed when the platform started." : "";
}
addEventListener("hashchange", open);
open();
`;

/** The page that the one-time link of the first start leads to. */
export const SETUP_PAGE = ownPage({
  name: "setup",
  title: "Signalmesh: first administrator",
  heading: "First administrator",
  script,
  content: `<p>This link works once. The account you make here may do everything on this platform.</p>
<form>
  <label>Your name, as others read it <input name="name" autocomplete="name" maxlength="120" required></label>
  <label>Email <input name="email" type="email" autocomplete="username" required></label>
  <label>Password, at least 10 characters <input name="password" type="password" autocomplete="new-password" minlength="10" required></label>
  <button>Make the account</button>
</form>
<p>The account is there already? <a href="/">Sign in</a></p>`,
});
