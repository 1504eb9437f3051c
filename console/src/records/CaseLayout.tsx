import './case-layout.css';
import { type ComponentProps, type ReactNode, createContext, use } from 'react';
import { StateTag } from '../ui/value/StateTag.tsx';
import { type Step, Steps } from './Steps.tsx';

/** What the frame of the case adds at the end of the right column. */
export const CaseEndContext = createContext<ReactNode>(null);

/** What a request for approval adds to the case of its record. */
export interface CaseRequest {
  id: number;
  /** Above the head of the record: who asks for what, why, and for how long. */
  strip: ReactNode;
  /** Instead of the steps of the record. */
  steps: readonly Step[];
  /** What would be executed, instead of what each decision would do. */
  content: ReactNode;
}
export const CaseRequestContext = createContext<CaseRequest | undefined>(undefined);

/** Whether the heading above the case has the state of the record. */
export const StateInHeadingContext = createContext(true);

/** The state of the record, where the heading has none or that of a request about it. */
export function CaseState(state: ComponentProps<typeof StateTag>) {
  const isInHeading = use(StateInHeadingContext);
  const request = use(CaseRequestContext);
  return (!isInHeading || request) && <StateTag {...state} />;
}

interface Props {
  /** What is decided: amount, address, risks. */
  head: ReactNode;
  /** How far the record is, and who brought it there. */
  steps: readonly Step[];
  /** What each decision would do. */
  preview?: ReactNode;
  /** What speaks for or against it, and the timeline. */
  left: ReactNode;
  /** Who the record belongs to. */
  right: ReactNode;
}

/** One record on one screen: only the timeline scrolls in a usual case. */
export function CaseLayout({ head, steps, preview, left, right }: Props) {
  const request = use(CaseRequestContext);
  return (
    <div className="ht-records-case">
      <div className="ht-records-case-head">
        {request?.strip}
        {head}
        <Steps steps={request?.steps ?? steps} />
      </div>
      {/* Focusable in a request, so that the keyboard can scroll its content. */}
      <div className="ht-records-case-left" {...(request && { tabIndex: 0 })}>
        {request?.content ?? preview}
        {left}
      </div>
      <div className="ht-records-case-right">
        {right}
        {use(CaseEndContext)}
      </div>
    </div>
  );
}
