export const NewWorkflow = () => null;
