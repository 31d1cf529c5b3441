/**
 * Where a record that somebody cites, or writes about, is shown in the console; undefined where it has no page that
 * could be named.
 */
export function recordPlace(type: string, id: string, setId: string | undefined): string | undefined {
  const set = setId === undefined ? undefined : `/workspace/${setId}`;
  switch (type) {
    case "article":
      return `/news/articles/${id}`;
    case "document":
      return set && `${set}/documents/${id}`;
    case "dao":
      return set && `${set}/dao/${id}`;
    case "proposal":
      return set && `${set}/dao/proposals/${id}`;
    case "design":
      return set && `${set}/design`;
    case "gate":
      return set && `${set}/gates/${id}`;
    case "mission":
      return set && `${set}/missions/${id}`;
    case "fused-product":
      return `/knowledge/intelligence/comparisons/${id}`;
    case "intelligence-cycle":
      return `/knowledge/intelligence/cycles/${id}`;
    case "resource":
      return `/picture/resources/${id}`;
    case "consumable":
      return "/picture/resources/supplies";
    case "sensor":
      return `/picture/sensors/${id}`;
    default:
      return set;
  }
}
