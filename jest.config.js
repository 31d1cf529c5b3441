import { tier } from "./test/tiers.js";

// `npm test`: stories, units and claims over all operations. Faults and meshes of several processes are tiers of their
// own.
export default tier("stories");
