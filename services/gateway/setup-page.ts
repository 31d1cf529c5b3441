/** The page that the one-time link of the first start leads to. */
export const SETUP_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Signalmesh: first administrator</title><link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  main { max-width: 26rem; margin: 12vh auto; padding: 0 1rem; }
  label { display: block; margin-top: 1rem; }
  input { width: 100%; box-sizing: border-box; padding: .5rem; font: inherit; }
  button { margin-top: 1.5rem; padding: .5rem 1.25rem; font: inherit; }
  output { display: block; margin-top: 1rem; }
</style></head>
<body><main>
<h1>First administrator</h1>
<p>This link works once. The account you make here may do everything on this platform.</p>
<form>
  <label>Email <input name="email" type="email" autocomplete="username" required></label>
  <label>Password, at least 10 characters <input name="password" type="password" autocomplete="new-password" minlength="10" required></label>
  <button>Make the account</button>
</form>
<output aria-live="polite"></output>
</main><script src="/setup.js"></script></body></html>
`;
