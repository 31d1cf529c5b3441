/** Why a node does not start, in words for the operator: what was found, what it means, and what decides. */
export class StartRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StartRefused";
  }
}
