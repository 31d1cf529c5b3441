/** All tabs of a browser have one session: what of it changed in another one, or that its person left. */
type SessionNews = "changed" | "left";

/** The pages of mailed links and of identity providers tell it as well; see services/gateway/pages/own-page.ts. */
const channel = new BroadcastChannel("signalmesh.session");

export function tellOtherTabs(what: SessionNews): void {
  // A channel reaches this origin alone, and takes none.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel.postMessage(what);
}

export function hearOtherTabs(hear: (what: SessionNews) => void): void {
  channel.addEventListener("message", ({ data }) => hear(data as SessionNews));
  // A page that comes back from the history has heard nothing meanwhile.
  addEventListener("pageshow", ({ persisted }) => persisted && hear("changed"));
}
