export const ValidationRunPage = () => null;
