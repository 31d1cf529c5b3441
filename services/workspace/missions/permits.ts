const set = "problemSetId";
export const reading = { set, may: "missions:read" };
export const editing = { set, may: "missions:edit" };
export const inviting = { set, may: "missions:invite" };
