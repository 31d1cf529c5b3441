import { Component, createRef, type ChangeEvent, type ComponentPropsWithoutRef, type ReactNode } from "react";

type Props = ComponentPropsWithoutRef<"select">;

/**
 * A select whose options may change while it is open: a list comes later than the form, or somebody else adds to it or
 * takes from it. What stands in it stays; where that is gone, nothing is chosen in its place, as a browser would the
 * first one. A class, for only a class is asked before the options change.
 */
export class KeptSelect extends Component<Props> {
  readonly #element = createRef<HTMLSelectElement>();
  /** What it begins with has come, or somebody chose. */
  #isSettled = false;

  override componentDidMount(): void {
    this.#settle(this.#begins);
  }

  override getSnapshotBeforeUpdate(): string {
    return (this.#isSettled ? undefined : this.#begins) ?? this.#element.current!.value;
  }

  override componentDidUpdate(_props: Props, _state: unknown, before: string): void {
    if (this.props.value === undefined) this.#settle(before);
  }

  get #begins(): string | undefined {
    return this.props.defaultValue?.toString();
  }

  #settle(wanted: string | undefined): void {
    const select = this.#element.current!;
    const isThere = [...select.options].some(({ value }) => value === wanted);
    // What is to stand there has not come yet, or there was nothing to choose from.
    if (!isThere && !this.#isSettled && (this.#begins !== undefined || !wanted)) return;
    if (select.value !== wanted) select.value = isThere ? wanted! : "";
    this.#isSettled = true;
  }

  readonly #choose = (event: ChangeEvent<HTMLSelectElement>): void => {
    this.#isSettled = true;
    this.props.onChange?.(event);
  };

  override render(): ReactNode {
    return <select {...this.props} ref={this.#element} onChange={this.#choose} />;
  }
}
