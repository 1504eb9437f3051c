import '../ui/value/value.css';
import { Button, Modal } from 'antd';
import { useRef } from 'react';

interface Props {
  /** Minutes and seconds left. */
  left: string;
  isBusy: boolean;
  /** The session cannot be extended any more. */
  isAtLimit: boolean;
  onStay: () => void;
}

/** Counts down to the end of the session, and offers to extend it. */
export function IdleDialog({ left, isBusy, isAtLimit, onStay }: Props) {
  const button = useRef<HTMLButtonElement>(null);
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
        <Button ref={button} type="primary" loading={isBusy} disabled={isAtLimit} onClick={onStay}>
          继续使用
        </Button>
      }
    >
      <p role="timer" aria-live="off">
        长时间没有操作，<b>{left}</b> 后将自动退出登录。
      </p>
      {isAtLimit && <p className="ht-value-warn">本次登录已达到最长时限，请保存手头的工作后重新登录。</p>}
    </Modal>
  );
}
