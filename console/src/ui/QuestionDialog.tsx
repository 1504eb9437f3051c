import { Button } from 'antd';
import { useRef } from 'react';
import { PageModal } from './PageModal.tsx';
import type { Question } from './question.ts';

interface Props extends Question {
  onClose: () => void;
}

/** A question with two answers. The harmless one has the focus. */
export function QuestionDialog({ title, content, verb, back, onConfirm, onBack, onClose }: Props) {
  const backButton = useRef<HTMLButtonElement>(null);
  const goBack = () => {
    onClose();
    onBack?.();
  };
  const confirm = () => {
    onClose();
    onConfirm();
  };
  return (
    <PageModal
      title={title}
      width={416}
      afterOpenChange={(open) => open && backButton.current?.focus()}
      onCancel={goBack}
      footer={
        <>
          <Button ref={backButton} onClick={goBack}>
            {back}
          </Button>
          <Button type="primary" danger onClick={confirm}>
            {verb}
          </Button>
        </>
      }
    >
      <p>{content}</p>
    </PageModal>
  );
}
