import { worlds } from "./escrow-worlds.ts";

worlds(251, 250);
