import { worlds } from "../news/escrow/escrow-worlds.ts";

worlds(251, 200);
// An escrow that soon asks a person: what people decide is bound by the same certainty.
worlds(451, 50, { maxChecks: 2, maxResends: 0, maxRefusals: 1 });
