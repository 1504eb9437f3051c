import { Component, type ReactNode } from 'react';
import { PageError } from '../navigation/PageError.tsx';
import { ChunkLoadError } from '../navigation/page-component.ts';
import { checkForNewVersion } from './version.ts';

interface Props {
  onRetry: () => void;
  children: ReactNode;
}

interface State {
  error: unknown;
  hasFailed: boolean;
}

/** Error boundary per page, so that an error does not affect other tabs. */
export class PageBoundary extends Component<Props, State> {
  override state: State = { error: undefined, hasFailed: false };

  static getDerivedStateFromError(error: unknown): State {
    return { error, hasFailed: true };
  }

  override componentDidCatch(error: unknown) {
    if (error instanceof ChunkLoadError) checkForNewVersion();
  }

  override render() {
    return this.state.hasFailed ? (
      <PageError error={this.state.error} onRetry={this.props.onRetry} />
    ) : (
      this.props.children
    );
  }
}
