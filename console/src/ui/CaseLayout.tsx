import './review.css';
import type { ReactNode } from 'react';

interface Props {
  /** What is decided: amount, address, risks. */
  head: ReactNode;
  /** What the decision does, and the timeline. */
  left: ReactNode;
  /** Who the record belongs to. */
  right: ReactNode;
}

/** One record on one screen: only the timeline scrolls in a usual case. */
export const CaseLayout = ({ head, left, right }: Props) => (
  <div className="ht-case">
    <div className="ht-case-head">{head}</div>
    <div className="ht-case-left">{left}</div>
    <div className="ht-case-right">{right}</div>
  </div>
);
