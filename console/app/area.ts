import { lazy, type ComponentType } from "react";

/** While this stands in the session, the page was loaded anew for a file that it could not get. */
const MARK = "loaded anew";

/**
 * An area whose code is fetched when it is first opened. After an upgrade the files of the page that is open may be gone:
 * it is loaded anew, once.
 */
export const area = (load: () => Promise<{ default: ComponentType }>) =>
  lazy(async () => {
    try {
      const loaded = await load();
      sessionStorage.removeItem(MARK);
      return loaded;
    } catch (error) {
      if (sessionStorage.getItem(MARK)) throw error;
      sessionStorage.setItem(MARK, "yes");
      location.reload();
      return new Promise<never>(() => {});
    }
  });
