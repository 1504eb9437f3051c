import { Component, type ReactNode } from 'react';
import { PageError } from './PageError.tsx';
import { ChunkTrouble } from './page-component.ts';
import { lookForVersion } from './version.ts';

interface Props {
  onRetry: () => void;
  children: ReactNode;
}

interface State {
  error: unknown;
  failed: boolean;
}

/** Keeps the error of one page from the others. */
export class PageBoundary extends Component<Props, State> {
  override state: State = { error: undefined, failed: false };

  static getDerivedStateFromError(error: unknown): State {
    return { error, failed: true };
  }

  override componentDidCatch(error: unknown) {
    if (error instanceof ChunkTrouble) lookForVersion();
  }

  override render() {
    return this.state.failed ? (
      <PageError error={this.state.error} onRetry={this.props.onRetry} />
    ) : (
      this.props.children
    );
  }
}
