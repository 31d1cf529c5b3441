import { ownPage } from "./own-page.ts";

/** Reads the one-time token from the fragment, which no server and no log ever sees. */
const script = `const form = document.querySelector("form"), say = document.querySelector("output");
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(form));
  const answer = await fetch("/api/auth/setup", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ token: location.hash.slice(1), ...fields }) });
  const body = await answer.json();
  say.textContent = answer.ok ? "Done. You are the first system administrator; sign in with POST /api/auth/login." : (body.error.details ?? [body.error]).map((one) => [one.path, one.message].filter(Boolean).join(": ")).join("; ");
  if (answer.ok) form.hidden = true;
});
`;

/** The page that the one-time link of the first start leads to. */
export const SETUP_PAGE = ownPage({
  name: "setup",
  title: "Signalmesh: first administrator",
  heading: "First administrator",
  script,
  content: `<p>This link works once. The account you make here may do everything on this platform.</p>
<form>
  <label>Email <input name="email" type="email" autocomplete="username" required></label>
  <label>Password, at least 10 characters <input name="password" type="password" autocomplete="new-password" minlength="10" required></label>
  <button>Make the account</button>
</form>`,
});
