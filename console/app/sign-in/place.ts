/** Where the pages of mailed links and of identity providers look for it; see services/gateway/pages/own-page.ts. */
const NAME = "signalmesh.place";

/** Keeps the address that was asked for, for a sign-in that goes on in another tab or comes back from elsewhere. */
export function keepPlace(): void {
  try {
    localStorage.setItem(
      NAME,
      JSON.stringify({ to: location.pathname + location.search + location.hash, at: Date.now() }),
    );
  } catch {
    // A browser may keep nothing: the sign-in then ends at the first page.
  }
}
