export const Agents = () => null;
