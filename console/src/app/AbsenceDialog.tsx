import { queue } from '@hengtai/contract/desk/queue/calls';
import { useState } from 'react';
import { newKey, useAction, useRead } from '../api/hooks.ts';
import { runWithToast } from '../api/run-with-toast.ts';
import { MomentField } from '../ui/form/MomentField.tsx';
import { SaveModal } from '../ui/dialog/SaveModal.tsx';
import type { DisplayError } from '../ui/value/display-error.ts';
import { formatTime, useZone } from '../ui/value/zone.ts';
import { QueryPlace } from '../api/QueryPlace.tsx';

/** Marks the operator as absent, so that records handed to it are given to others. */
export function AbsenceDialog({ onClose }: { onClose: () => void }) {
  const zone = useZone();
  const query = useRead(queue.presence, {});
  const { data } = query;
  const { submit, pending } = useAction(queue.absent);
  const [key] = useState(newKey);
  const [backAt, setBackAt] = useState<number>();
  const [error, setError] = useState<DisplayError>();
  const isAbsent = data?.absent ?? false;
  const save = async () => {
    const input = isAbsent ? { absent: 0 as const } : { absent: 1 as const, backAt: backAt ?? null };
    const failure = await runWithToast(() => submit(input, key), isAbsent ? '已恢复在岗' : '已标记暂离');
    setError(failure);
    if (!failure) onClose();
  };
  return (
    <SaveModal
      title={isAbsent ? '返回' : '暂离'}
      verb={isAbsent ? '我回来了' : '标记暂离'}
      width={420}
      busy={pending}
      disabled={!data}
      error={error}
      onSave={() => void save()}
      onClose={onClose}
    >
      {!data && <QueryPlace query={query} isSmall />}
      {isAbsent ? (
        <p>
          您已标记暂离
          {data?.backAt !== undefined && data.backAt !== null && `，预计 ${formatTime(data.backAt, zone)} 返回`}。
        </p>
      ) : (
        <>
          <p>暂离期间，转交给您的记录也会给其他人；到返回时间自动恢复。</p>
          <div className="ht-dialog-field">
            <label htmlFor="absence-back">返回时间（可不填）</label>
            <MomentField id="absence-back" value={backAt} onChange={setBackAt} />
          </div>
        </>
      )}
    </SaveModal>
  );
}
