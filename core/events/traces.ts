/** Beside a record that others follow: the revision in which it was changed and not looked at since. */
export const TRACE = "_traced";
/** Beside such a record: the change made elsewhere that was carried out on it last. */
export const CARRIED = "_carried";
