/** What a key's state is called; only one that works can be renewed. */
export function stateOf({ isActive, expiresAt }: { isActive: boolean; expiresAt?: string }): string {
  if (!isActive) return "switched off";
  return expiresAt && Date.parse(expiresAt) <= Date.now() ? "expired" : "works";
}
