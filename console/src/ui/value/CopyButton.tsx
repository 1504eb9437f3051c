import './copy-button.css';
import { CheckOutlined, CopyOutlined } from '@ant-design/icons';
import { useEffect, useState } from 'react';
import { copyText } from './copy.ts';

interface Props {
  text: string;
  /** What is copied, for the accessible name 复制{label}. */
  label: string;
}

type Outcome = 'done' | 'failed' | undefined;

/** Icon button that copies a text and shows the outcome for a moment. */
export function CopyButton({ text, label }: Props) {
  const [outcome, setOutcome] = useState<Outcome>();
  useEffect(() => {
    if (!outcome) return undefined;
    const timer = setTimeout(() => setOutcome(undefined), 1500);
    return () => clearTimeout(timer);
  }, [outcome]);

  const title = outcome === 'done' ? '已复制' : outcome === 'failed' ? '复制失败，请手动选择' : `复制${label}`;
  return (
    <button
      type="button"
      className="ht-value-copy"
      data-outcome={outcome}
      aria-label={title}
      title={title}
      onClick={(event) => {
        event.stopPropagation();
        void copyText(text).then((done) => setOutcome(done ? 'done' : 'failed'));
      }}
    >
      {outcome === 'done' ? <CheckOutlined aria-hidden /> : <CopyOutlined aria-hidden />}
    </button>
  );
}
