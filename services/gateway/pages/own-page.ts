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
  heading = "Signalmesh",
  content,
  script,
}: {
  name: string;
  title?: string;
  heading?: string;
  content: string;
  script: string;
}): OwnPage => ({
  name,
  script,
  html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  [hidden] { display: none !important; }
  main { max-width: 26rem; margin: 12vh auto; padding: 0 1rem; }
  label { display: block; margin-top: 1rem; }
  input:not([type="checkbox"]), select { width: 100%; box-sizing: border-box; padding: .5rem; font: inherit; }
  button { margin-top: 1rem; padding: .5rem 1.25rem; font: inherit; }
  output { display: block; position: sticky; bottom: 0; margin-top: 1rem; padding: .5rem 0; background: Canvas; }
  output:empty { position: static; }
</style></head>
<body><main>
<h1>${heading}</h1>
${content}
<output aria-live="polite"></output>
</main><script src="/${name}.js"></script></body></html>
`,
});

/**
 * For scripts: `ask` reads from the API, or sends JSON if given a body; it answers the envelope and throws a refusal as
 * text, with its status. `post` does so under /api/auth, and answers the data alone; `withPasskey` signs in,
 * `newPasskey` registers one.
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
