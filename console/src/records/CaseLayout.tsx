import './case-layout.css';
import { type ReactNode, createContext, use } from 'react';
import { type Step, Steps } from './Steps.tsx';

/** What the frame of the case adds at the end of the right column. */
export const CaseEndContext = createContext<ReactNode>(null);

interface Props {
  /** What is decided: amount, address, risks. */
  head: ReactNode;
  /** How far the record is, and who brought it there. */
  steps: readonly Step[];
  /** What the decision does, and the timeline. */
  left: ReactNode;
  /** Who the record belongs to. */
  right: ReactNode;
}

/** One record on one screen: only the timeline scrolls in a usual case. */
export const CaseLayout = ({ head, steps, left, right }: Props) => (
  <div className="ht-records-case">
    <div className="ht-records-case-head">
      {head}
      <Steps steps={steps} />
    </div>
    <div className="ht-records-case-left">{left}</div>
    <div className="ht-records-case-right">
      {right}
      {use(CaseEndContext)}
    </div>
  </div>
);
