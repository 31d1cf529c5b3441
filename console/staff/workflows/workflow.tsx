export const WorkflowPage = () => null;
