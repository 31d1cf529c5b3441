import { Component, type ReactNode } from "react";

interface Props {
  /** The address: at another one the next page is tried. */
  at: string;
  children: ReactNode;
}
interface State {
  error?: Error | undefined;
  /** Where it broke. */
  at?: string;
}

/** Keeps the menu when a page breaks, and says so. */
export class Boundary extends Component<Props, State> {
  override state: State = {};

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  static getDerivedStateFromProps({ at }: Props, { at: before }: State): State | null {
    return at === before ? null : { at, error: undefined };
  }

  override render(): ReactNode {
    if (!this.state.error) return this.props.children;
    return (
      <div className="failure" role="alert">
        <p>This page broke: {this.state.error.message}</p>
        <button type="button" onClick={() => location.reload()}>
          Load it again
        </button>
      </div>
    );
  }
}
