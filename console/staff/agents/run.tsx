export const RunPage = () => null;
