import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, type ReactNode } from "react";
import { ask, Refusal, type Data } from "../api/client.ts";
import { dropProof, settleActs } from "../api/proof.ts";
import { lookAgainWhoIsHere, queries, readAgain, SESSION_KEY, shown, type Presence as Known } from "../api/queries.ts";
import { hangUp, redial } from "../live/live.ts";
import { dropAllDrafts } from "../parts/drafts.ts";
import { dismissAll, notify } from "../parts/notices.tsx";
import { hearOtherTabs, tellOtherTabs } from "./other-tabs.ts";

/** Whoever is signed in here. */
export interface Who {
  userId: string;
  name: string;
  /** Absent where AUTH=off, which has no accounts. */
  user: Data<"GET /auth/session">["user"];
  /** The address is not confirmed yet: the account can see itself and leave, nothing else. */
  waits: boolean;
  permits: readonly string[];
  mode: "operational" | "training";
}

type Presence = Known<Who>;

/** Whoever the page has shown last: at the end of their session it stays as it is, until they are back or leave. */
let lastKnown: Who | undefined;

async function whoIsHere(): Promise<Presence> {
  try {
    const who = await readWho();
    if (lastKnown && (lastKnown.userId !== who.userId || lastKnown.mode !== who.mode)) forget();
    lastKnown = who;
    settleActs((waiting) => waiting.back());
    if (queries.getQueryData<Presence>(SESSION_KEY)?.hasEnded) comeBack();
    return { who, hasEnded: false };
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 401)) throw error;
    return { who: lastKnown ?? null, hasEnded: lastKnown !== undefined };
  }
}

async function readWho(): Promise<Who> {
  const { data: session } = await ask("GET /auth/session");
  const { user } = session;
  const waits = Boolean(user) && !user!.email;
  const [me, profile] = waits ? [] : await Promise.all([askFor("GET /auth/me"), user && askFor("GET /user-profile")]);
  return {
    userId: user?.id ?? me?.userId ?? "",
    // As others see them.
    name: profile?.displayName ?? user?.name ?? user?.email ?? user?.claimedEmail ?? "everybody (AUTH=off)",
    user,
    waits,
    permits: me?.permits ?? [],
    mode: session.mode,
  };
}

const askFor = async <O extends "GET /auth/me" | "GET /user-profile">(op: O): Promise<Data<O>> =>
  (await ask(op)).data as Data<O>;

export function useSession(): Presence & { error: unknown; isLoading: boolean; again(): void } {
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: SESSION_KEY,
    queryFn: whoIsHere,
    staleTime: 60_000,
  });
  return {
    who: data?.who ?? null,
    hasEnded: data?.hasEnded ?? false,
    error: data ? null : error,
    isLoading,
    again: () => void refetch(),
  };
}

/** Nothing of the one before stays. */
function forget(): void {
  lastKnown = undefined;
  settleActs((waiting) => waiting.gone());
  dropProof();
  hangUp();
  dismissAll();
  dropAllDrafts();
  queries.removeQueries(shown);
  // What was sent, passwords among it.
  queries.getMutationCache().clear();
}

/** After a sign-in or sign-out; what it `says` is told to whoever sits there then. */
export async function sessionChanged(says?: string): Promise<void> {
  forget();
  const who = await recheckSession();
  tellOtherTabs(who ? "changed" : "left");
  if (says) notify(says);
}

/** Looks again who is signed in: the session may have ended, or have been begun in another tab. */
export async function recheckSession(): Promise<Who | null> {
  await lookAgainWhoIsHere();
  return queries.getQueryData<Presence>(SESSION_KEY)?.who ?? null;
}

/** After the same person signed in again under the page that they were on, or proved who they are. */
export async function cameBack(): Promise<void> {
  await recheckSession();
  tellOtherTabs("changed");
}

/** The page goes on where the session had ended: live, and with what came meanwhile. */
function comeBack(): void {
  redial();
  void readAgain();
}

hearOtherTabs((what) => {
  // Whoever signs out in one tab has left all of them.
  if (what === "left") forget();
  void recheckSession();
});

const Here = createContext<Who | null>(null);
export const WhoProvider = ({ value, children }: { value: Who; children: ReactNode }): ReactNode => (
  <Here value={value}>{children}</Here>
);

/** Whoever is signed in, anywhere within the console. */
export function useWho(): Who {
  const who = useContext(Here);
  if (!who) throw new Error("Nobody is signed in here.");
  return who;
}

/** The name under which a form keeps what the person has written and not sent. */
export const useDraftName = (form: string): string => `${useWho().userId} ${form}`;

/** A permit is complete, or covers all of a subject, or of an act: `*`, `sources:*`, `*:read`. */
export function allows(permits: readonly string[], permit: string): boolean {
  const [subject, act] = permit.split(":");
  return ["*", permit, `${subject}:*`, `*:${act}`].some((one) => permits.includes(one));
}

/** Whether the person's account allows something outside of problem sets; buttons that would be refused stay away. */
export const useMay = (permit: string): boolean => allows(useWho().permits, permit);
