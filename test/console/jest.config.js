import { tier } from "../tiers.js";

export default tier("console");
