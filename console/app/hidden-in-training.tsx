import type { ReactNode } from "react";
import { Link } from "react-router";
import { useWho } from "./session.tsx";

/** Beside an empty list of problem sets, or of what lies in them: those of the other mode are there, and not shown. */
export function HiddenInTraining(): ReactNode {
  if (useWho().mode !== "training") return null;
  return (
    <>
      {" "}
      You are in training: what is operational is hidden until you <Link to="/identity">switch back</Link>.
    </>
  );
}
