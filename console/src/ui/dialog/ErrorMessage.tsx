import './error-message.css';
import { useEffect, useRef } from 'react';
import { CopyButton } from '../value/CopyButton.tsx';
import { Time } from '../value/Time.tsx';
import type { DisplayError } from '../value/display-error.ts';

interface Props {
  error: DisplayError;
  stateText?: ((state: number) => string) | undefined;
}

/**
 * An error in a dialog or above a list: message, who changed the record meanwhile, and the request id for support. In a long
 * dialog it scrolls into view.
 */
export function ErrorMessage({ error, stateText }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div className="ht-dialog-error" role="alert" data-kind={error.kind} ref={box}>
      <p>
        {error.changed?.length ? '记录已变化' : error.msg}
        {error.kind === 'unknown' && '。结果不明，重试不会重复执行。'}
      </p>
      {error.changed?.map(({ label, before, after, kind, by, at }) => (
        <p key={label}>
          {label}：{valueOf(before, kind)} → {valueOf(after, kind)}（{by && `${by} `}
          <Time value={at} />）
        </p>
      ))}
      {error.moved && (
        <p>
          {error.moved.by ? <b>{error.moved.by}</b> : '系统'}
          {error.moved.at !== null && (
            <>
              {' '}
              于 <Time value={error.moved.at} />
            </>
          )}{' '}
          已将其改为「{stateText ? stateText(error.moved.state) : error.moved.state}」
        </p>
      )}
      {error.requestId && (
        <p className="ht-value-request">
          请求编号 <code>{error.requestId}</code>
          <CopyButton text={error.requestId} label="请求编号" />
        </p>
      )}
    </div>
  );
}

const valueOf = (text: string | null, kind: string) =>
  kind === 'time' && text ? <Time value={Number(text)} /> : (text ?? '无');
