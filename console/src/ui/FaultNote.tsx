import './ui.css';
import { CopyButton } from './CopyButton.tsx';
import { Time } from './Time.tsx';
import type { Fault } from './fault.ts';

interface Props {
  fault: Fault;
  stateText?: (state: number) => string;
}

/** What went wrong, in a dialog or above a list: the words, who moved the record, the request to ask about. */
export function FaultNote({ fault, stateText }: Props) {
  return (
    <div className="ht-fault" role="alert" data-kind={fault.kind}>
      <p>{fault.kind === 'unknown' ? `${fault.msg}。结果不明，重试不会重复执行。` : fault.msg}</p>
      {fault.moved && (
        <p>
          {fault.moved.by ? <b>{fault.moved.by}</b> : '系统'}
          {fault.moved.at !== null && (
            <>
              {' '}
              于 <Time value={fault.moved.at} />
            </>
          )}{' '}
          已将其改为「{stateText ? stateText(fault.moved.state) : fault.moved.state}」
        </p>
      )}
      {fault.requestId && (
        <p className="ht-request">
          请求编号 <code>{fault.requestId}</code>
          <CopyButton text={fault.requestId} what="请求编号" />
        </p>
      )}
    </div>
  );
}
