export const Feed = () => null;
