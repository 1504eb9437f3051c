import './one-time-secret.css';
import { Button } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { CopyButton } from '../value/CopyButton.tsx';
import { PageModal } from './PageModal.tsx';

interface Props {
  title: string;
  /** What the secret is, for texts: 新密码, 链接. */
  what: string;
  secret: string;
  note: ReactNode;
  /** Expiry in unix milliseconds; without it the secret does not expire. */
  expire?: number;
  onClose: () => void;
}

const SECOND = 1000;

/**
 * A secret that cannot be shown a second time: in full, with a copy button, removed when it expires. Escape does not
 * close the dialog before.
 */
export function OneTimeSecret({ title, what, secret, note, expire, onClose }: Props) {
  const left = useTimeLeft(expire);
  const isExpired = left === 0;
  return (
    <PageModal
      title={title}
      width={560}
      keyboard={isExpired}
      closable={isExpired}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {isExpired ? '关闭' : '已保存，关闭'}
        </Button>
      }
    >
      <p>{note}</p>
      {isExpired ? (
        <p className="ht-dialog-once" data-over role="status">
          {what}已失效，需要时请重新生成。
        </p>
      ) : (
        <>
          <p className="ht-dialog-once">
            <code aria-label={what}>{secret}</code>
            <CopyButton text={secret} label={what} />
          </p>
          {left !== undefined && (
            <p className="ht-dialog-once-left" role="timer" aria-label="剩余有效时间">
              {formatMinutes(left)} 后失效
            </p>
          )}
        </>
      )}
    </PageModal>
  );
}

const formatMinutes = (ms: number): string => {
  const seconds = Math.ceil(ms / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/** Milliseconds left until a time, updated every second; 0 when it has passed. */
function useTimeLeft(until: number | undefined): number | undefined {
  const [now, setNow] = useState(Date.now);
  const left = until === undefined ? undefined : Math.max(0, until - now);
  const running = left !== undefined && left > 0;
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, [running]);
  return left;
}
