import { Button, Modal } from 'antd';
import { useEffect, useRef, useState } from 'react';

interface Props {
  /** When the session ends, by this browser's clock. */
  endsAt: number;
  /** Uses the session, so that it goes on; resolves with when it ends then. */
  onStay: () => Promise<number | undefined>;
  /** The time is up, or seems to be: the server says which. */
  onOver: () => void;
}

const WARN_MS = 5 * 60_000;
const SECOND = 1000;

/** Five minutes before the end of a session that nobody uses: offers to go on. */
export function IdleCountdown({ endsAt, onStay, onOver }: Props) {
  const left = useLeft(endsAt);
  const [busy, setBusy] = useState(false);
  const [limit, setLimit] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const over = left <= 0;
  useEffect(() => {
    if (over) onOver();
  }, [over, onOver]);
  if (left > WARN_MS) return null;

  async function stay() {
    setBusy(true);
    try {
      const next = await onStay();
      setLimit(next !== undefined && next - Date.now() <= WARN_MS);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Modal
      open
      title="即将自动退出"
      width={400}
      zIndex={1300}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      afterOpenChange={(open) => open && button.current?.focus()}
      footer={
        <Button ref={button} type="primary" loading={busy} disabled={limit} onClick={() => void stay()}>
          继续使用
        </Button>
      }
    >
      <p role="timer" aria-live="off">
        长时间没有操作，<b>{clock(left)}</b> 后将自动退出登录。
      </p>
      {limit && <p className="ht-warn-text">本次登录已达到最长时限，请保存手头的工作后重新登录。</p>}
    </Modal>
  );
}

const clock = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / SECOND));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

/** Milliseconds until a moment: looked at every second once it is near, and no oftener before. */
function useLeft(endsAt: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      setNow(Date.now());
      const left = endsAt - Date.now();
      if (left > 0) timer = setTimeout(tick, left > WARN_MS ? Math.min(left - WARN_MS, 30 * SECOND) : SECOND);
    };
    timer = setTimeout(tick, 0);
    return () => clearTimeout(timer);
  }, [endsAt]);
  return endsAt - now;
}
