import { Button } from 'antd';
import { useRef } from 'react';
import { PageModal } from './PageModal.tsx';
import type { Question } from './question.ts';

interface Props extends Omit<Question, 'onBack'> {
  /** The answer that changes nothing. */
  onClose: () => void;
}

/** A question with two answers. The harmless one has the focus. */
export function QuestionDialog({ title, content, verb, back, onConfirm, onClose }: Props) {
  const backButton = useRef<HTMLButtonElement>(null);
  return (
    <PageModal
      title={title}
      width={416}
      afterOpenChange={(open) => open && backButton.current?.focus()}
      onCancel={onClose}
      footer={
        <>
          <Button ref={backButton} onClick={onClose}>
            {back}
          </Button>
          <Button type="primary" danger onClick={onConfirm}>
            {verb}
          </Button>
        </>
      }
    >
      <p>{content}</p>
    </PageModal>
  );
}
