import type { agent } from '@hengtai/contract/agent';
import type { CallSpec } from '@hengtai/contract/endpoint';
import type { user } from '@hengtai/contract/user';
import { Button, Input } from 'antd';
import type { TextAreaRef } from 'antd/es/input/TextArea';
import { useId, useRef, useState } from 'react';
import { newKey, useAction } from '../api/hooks.ts';
import { runWithToast } from '../api/run-with-toast.ts';
import { useTabGuard } from '../navigation/page-route.ts';
import { ErrorMessage } from '../ui/ErrorMessage.tsx';
import { PageModal } from '../ui/PageModal.tsx';
import type { DisplayError } from '../ui/display-error.ts';

interface Props {
  call: typeof user.remark | typeof agent.remark;
  invalidate: readonly CallSpec[];
  row: { id: number; account: string; remark: string };
  onClose: () => void;
}

const REMARK_MAX = 200;

/** 修改备注: edits the remark of a user or agent. Ctrl+Enter saves. */
export function RemarkDialog({ call, invalidate, row, onClose }: Props) {
  const { submit, pending } = useAction<typeof user.remark | typeof agent.remark>(call, { invalidate });
  const id = useId();
  const field = useRef<TextAreaRef>(null);
  const [key] = useState(newKey);
  const [text, setText] = useState(row.remark);
  const [error, setError] = useState<DisplayError>();
  const dirty = text.trim() !== row.remark;
  useTabGuard(dirty);

  async function save() {
    if (pending || !dirty) return;
    const failure = await runWithToast(
      () => submit({ id: row.id, remark: text.trim() }, key),
      `已修改备注 · ${row.account}`,
    );
    setError(failure);
    if (!failure) onClose();
  }

  return (
    <PageModal
      title={`修改备注 · ${row.account}`}
      width={520}
      closable={!pending}
      keyboard={!pending && !dirty}
      afterOpenChange={(open) => open && field.current?.focus({ cursor: 'end' })}
      onCancel={() => !pending && onClose()}
      footer={
        <>
          <Button disabled={pending} onClick={onClose}>
            取消
          </Button>
          <Button type="primary" loading={pending} disabled={!dirty} onClick={() => void save()}>
            保存
          </Button>
        </>
      }
    >
      <div className="ht-field">
        <label htmlFor={id}>备注</label>
        <Input.TextArea
          id={id}
          ref={field}
          value={text}
          disabled={pending || error?.kind === 'unknown'}
          maxLength={REMARK_MAX}
          showCount
          autoSize={{ minRows: 3, maxRows: 6 }}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
            event.preventDefault();
            void save();
          }}
        />
      </div>
      {error && <ErrorMessage error={error} />}
    </PageModal>
  );
}
