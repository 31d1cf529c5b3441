import { brokerOptions } from "./config/broker.ts";
import { processEnv } from "./config/env.ts";
import { guarded } from "./mesh/guards/guards.ts";

/** For Moleculer's own tools; `npm start` reads the same through mesh/mesh.ts. */
export default guarded(brokerOptions(processEnv()));
