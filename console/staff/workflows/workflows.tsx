export const Workflows = () => null;
