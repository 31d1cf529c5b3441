import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { BrowserRouter } from "react-router";
import { queries } from "../api/queries.ts";
import { Notices } from "../parts/notices.tsx";
import { Loading } from "../parts/page.tsx";
import { Failure } from "../parts/page.tsx";
import { useSession, WhoProvider } from "./session.tsx";
import { Shell } from "./shell.tsx";
import { SessionEnded } from "./sign-in/session-ended.tsx";
import { SignIn } from "./sign-in/sign-in.tsx";
import { StepUp } from "./step-up.tsx";
import { Waiting } from "./sign-in/waiting.tsx";

/** What stands in the address is shown at once, not in a transition: a box that is ticked there would lose its tick meanwhile. */
export const App = (): ReactNode => (
  <QueryClientProvider client={queries}>
    <BrowserRouter useTransitions={false}>
      <Entrance />
      <StepUp />
      <Notices />
    </BrowserRouter>
  </QueryClientProvider>
);

/** Whoever is signed in gets the console, everybody else the ways to sign in; the address stays. */
function Entrance(): ReactNode {
  const { who, hasEnded, error, isLoading, again } = useSession();
  if (isLoading) return <Loading what="Opening the console" />;
  if (error) return <Failure error={error} again={again} />;
  if (!who) return <SignIn />;
  if (who.waits) return <Waiting who={who} />;
  return (
    <WhoProvider value={who}>
      <Shell key={`${who.userId} ${who.mode}`} />
      {hasEnded && <SessionEnded who={who} />}
    </WhoProvider>
  );
}
