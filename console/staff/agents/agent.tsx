export const AgentPage = () => null;
