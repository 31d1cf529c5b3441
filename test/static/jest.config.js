import { tier } from "../tiers.js";

export default tier("static");
