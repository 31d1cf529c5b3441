export const Validation = () => null;
