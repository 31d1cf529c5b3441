import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, type ReactNode } from "react";
import { ask, Refusal, type Data } from "../api/client.ts";
import { queries } from "../api/hooks.ts";
import { hangUp } from "../live/live.ts";

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
  did: string | undefined;
}

async function whoIsHere(): Promise<Who | null> {
  try {
    const { data: session } = await ask("GET /auth/session");
    const { user } = session;
    const waits = Boolean(user) && !user!.email;
    const me = waits ? undefined : (await ask("GET /auth/me")).data;
    return {
      userId: user?.id ?? me?.userId ?? "",
      name: user?.name ?? user?.email ?? user?.claimedEmail ?? "everybody (AUTH=off)",
      user,
      waits,
      permits: me?.permits ?? [],
      mode: session.mode,
      did: session.did,
    };
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return null;
    throw error;
  }
}

const KEY = ["who is here"];

export function useSession(): { who: Who | null; error: unknown; isLoading: boolean; again(): void } {
  const { data, error, isLoading, refetch } = useQuery({ queryKey: KEY, queryFn: whoIsHere, staleTime: 60_000 });
  return { who: data ?? null, error, isLoading, again: () => void refetch() };
}

/** After a sign-in or sign-out: nothing of the one before stays. */
export async function sessionChanged(): Promise<void> {
  hangUp();
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] });
  await queries.invalidateQueries({ queryKey: KEY });
}

const Known = createContext<Who | null>(null);
export const WhoProvider = ({ value, children }: { value: Who; children: ReactNode }): ReactNode => (
  <Known value={value}>{children}</Known>
);

/** Whoever is signed in, anywhere within the console. */
export function useWho(): Who {
  const who = useContext(Known);
  if (!who) throw new Error("Nobody is signed in here.");
  return who;
}

/** A permit is complete, or covers all of a subject, or of an act: `*`, `sources:*`, `*:read`. */
export function allows(permits: readonly string[], permit: string): boolean {
  const [subject, act] = permit.split(":");
  return ["*", permit, `${subject}:*`, `*:${act}`].some((one) => permits.includes(one));
}

/** Whether the person's account allows something outside of problem sets; buttons that would be refused stay away. */
export const useMay = (permit: string): boolean => allows(useWho().permits, permit);
