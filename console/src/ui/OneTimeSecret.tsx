import './ui.css';
import { Button } from 'antd';
import { type ReactNode, useEffect, useState } from 'react';
import { CopyButton } from './CopyButton.tsx';
import { PageModal } from './PageModal.tsx';

interface Props {
  title: string;
  /** What the secret is: 新密码, 链接. */
  what: string;
  secret: string;
  note: ReactNode;
  /** Until when it is good for anything, unix milliseconds; without it there is no end. */
  expire?: number;
  onClose: () => void;
}

const SECOND = 1000;

/** A secret that nobody can be shown again: in full, with copy; what has run out is taken away. Escape does not lose it. */
export function OneTimeSecret({ title, what, secret, note, expire, onClose }: Props) {
  const left = useLeft(expire);
  const over = left === 0;
  return (
    <PageModal
      title={title}
      width={560}
      keyboard={over}
      closable={over}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {over ? '关闭' : '已保存，关闭'}
        </Button>
      }
    >
      <p className="ht-once-note">{note}</p>
      {over ? (
        <p className="ht-once" data-over role="status">
          {what}已失效，需要时请重新生成。
        </p>
      ) : (
        <>
          <p className="ht-once">
            <code aria-label={what}>{secret}</code>
            <CopyButton text={secret} what={what} />
          </p>
          {left !== undefined && (
            <p className="ht-once-left" role="timer" aria-label="剩余有效时间">
              {clock(left)} 后失效
            </p>
          )}
        </>
      )}
    </PageModal>
  );
}

const clock = (ms: number): string => {
  const seconds = Math.ceil(ms / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/** Milliseconds until a moment, counted down; 0 when it is past. */
function useLeft(until: number | undefined): number | undefined {
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
