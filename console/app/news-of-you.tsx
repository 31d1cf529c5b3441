import { useEffect, useRef } from "react";
import { useLive, type Envelope } from "../live/live.ts";
import { notify } from "../parts/notices.tsx";
import { ROLES } from "../platform/accounts/roles.ts";
import { useWho } from "./session.tsx";

function tell(_event: string, { data }: Envelope): void {
  const { status, name, role } = data as { status: "open" | "withdrawn"; name: string; role: string };
  if (status === "open")
    notify(`You are invited to "${name}", as ${role.replaceAll("-", " ")}. Problem sets has the invitation.`);
}

/** Tells somebody, wherever in the console they are, that they were invited, or that their account may something else. */
export function NewsOfYou(): null {
  const { user } = useWho();
  useLive(undefined, ["invitation.changed"], tell, {
    ops: ["GET /problem-sets/me/invites", "GET /problem-sets/me/join-requests"],
  });
  const role = useRef(user?.role);
  useEffect(() => {
    const before = role.current;
    role.current = user?.role;
    if (before && user && before !== user.role) notify(`Your role on the platform is now: ${ROLES[user.role]}.`);
  }, [user]);
  return null;
}
