import { Switch } from 'antd';
import { useId, useState } from 'react';
import { MomentField } from '../../../ui/form/MomentField.tsx';
import { offsetText, useZone } from '../../../ui/value/zone.ts';

interface Props {
  pinned: number;
  publishAt: number | null;
  /** False for an announcement that is published already. */
  canSchedule: boolean;
  error: string | undefined;
  disabled: boolean;
  onPinned: (pinned: 0 | 1) => void;
  onPublishAt: (at: number | null) => void;
}

/** Whether the announcement is pinned, and when it is published. */
export function PublishFields({ pinned, publishAt, canSchedule, error, disabled, onPinned, onPublishAt }: Props) {
  const id = useId();
  const zone = useZone();
  const [openedAt] = useState(() => Date.now());
  return (
    <>
      <div className="ht-dialog-field">
        <label htmlFor={`${id}p`} className="ht-announce-label">
          置顶
        </label>
        <Switch
          id={`${id}p`}
          checked={pinned === 1}
          disabled={disabled}
          onChange={(isPinned) => onPinned(isPinned ? 1 : 0)}
        />
      </div>
      {canSchedule && (
        <div className="ht-dialog-field">
          <label htmlFor={`${id}t`} className="ht-announce-label">
            定时发布
          </label>
          <span className="ht-announce-schedule">
            <MomentField
              id={`${id}t`}
              value={publishAt ?? undefined}
              disabled={disabled}
              onChange={(at) => onPublishAt(at ?? null)}
            />
            <span className="ht-value-faint">
              {zone} {offsetText(publishAt ?? openedAt, zone)}
              {publishAt === null && '，留空为手动发布'}
            </span>
          </span>
          {error !== undefined && <p className="ht-dialog-field-wrong">{error}</p>}
        </div>
      )}
    </>
  );
}
