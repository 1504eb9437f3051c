import './banner.css';
import type { ReactNode } from 'react';

interface Props {
  kind: 'info' | 'warn';
  /** Screen readers do not announce its changes. */
  isSilent?: boolean;
  children: ReactNode;
}

/** A line above or below all pages. */
export const Banner = ({ kind, isSilent, children }: Props) => (
  <p className="ht-page-banner" data-kind={kind} aria-live={isSilent ? 'off' : undefined}>
    {children}
  </p>
);
