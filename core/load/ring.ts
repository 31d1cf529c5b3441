/**
 * A link of a ring; alone it is its own neighbour. Joining and leaving cost the same however many there are, and
 * nothing is allocated.
 */
export class Link {
  before: Link = this;
  after: Link = this;

  get isAlone(): boolean {
    return this.after === this;
  }

  /** Goes to the end of the ring that the other one heads. */
  join(ring: Link): void {
    this.before = ring.before;
    this.after = ring;
    ring.before.after = this;
    ring.before = this;
  }

  leave(): void {
    this.before.after = this.after;
    this.after.before = this.before;
    this.before = this.after = this;
  }
}
