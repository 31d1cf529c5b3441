export * from "./assignments/events.ts";
export * from "./environments/events.ts";
export { ObjectiveAssessed, ObjectiveChanged, ObjectiveDecided } from "./objectives/events.ts";
export { IntentChanged } from "./intents/intents.ts";
export { OperationsChanged } from "./operations/operations.ts";
export { RiskAssessed, RiskReviewed } from "./risks/risks.ts";
export { ReviewSettled } from "./reviews/reviews.ts";
