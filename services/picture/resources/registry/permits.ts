const set = "problemSetId";
export const READ = "resources:read";
export const EDIT = "resources:edit";
export const REPORT = "resources:report";
export const reading = { set, may: READ };
export const editing = { set, may: EDIT };
export const reporting = { set, may: REPORT };
