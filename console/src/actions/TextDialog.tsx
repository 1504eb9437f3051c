import { Input } from 'antd';
import type { TextAreaRef } from 'antd/es/input/TextArea';
import { useId, useRef, useState } from 'react';
import { type Outcome, newKey } from '../api/hooks.ts';
import { runWithToast } from '../api/run-with-toast.ts';
import { useTabGuard } from '../navigation/page-route.ts';
import { SaveModal } from '../ui/dialog/SaveModal.tsx';
import type { DisplayError } from '../ui/value/display-error.ts';

interface Props {
  title: string;
  label: string;
  /** The text before the change. */
  initial?: string;
  max: number;
  placeholder?: string;
  /** Text of the confirm button. */
  verb: string;
  pending: boolean;
  /** Success toast. */
  doneText: string;
  submit: (text: string, key: string) => Promise<Outcome<unknown>>;
  onClose: () => void;
}

/** Edits one text. Ctrl+Enter saves. */
export function TextDialog({ title, label, initial = '', max, verb, pending, doneText, onClose, ...props }: Props) {
  const id = useId();
  const field = useRef<TextAreaRef>(null);
  const [key] = useState(newKey);
  const [text, setText] = useState(initial);
  const [error, setError] = useState<DisplayError>();
  const dirty = text.trim() !== initial;
  useTabGuard(dirty);

  async function save() {
    if (pending || !dirty) return;
    const failure = await runWithToast(() => props.submit(text.trim(), key), doneText);
    setError(failure);
    if (!failure) onClose();
  }

  return (
    <SaveModal
      title={title}
      width={520}
      verb={verb}
      busy={pending}
      dirty={dirty}
      disabled={!dirty}
      error={error}
      afterOpenChange={(open) => open && field.current?.focus({ cursor: 'end' })}
      onSave={() => void save()}
      onClose={onClose}
    >
      <div className="ht-dialog-field">
        <label htmlFor={id}>{label}</label>
        <Input.TextArea
          id={id}
          ref={field}
          value={text}
          disabled={pending || error?.kind === 'unknown'}
          maxLength={max}
          showCount
          {...(props.placeholder !== undefined && { placeholder: props.placeholder })}
          autoSize={{ minRows: 3, maxRows: 6 }}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
            event.preventDefault();
            void save();
          }}
        />
      </div>
    </SaveModal>
  );
}
