import { Button } from 'antd';
import type { ReactNode } from 'react';

interface Props {
  note: ReactNode;
  isPublished: boolean;
  /** A time of publication is filled in. */
  isScheduled: boolean;
  /** There is nothing to save. */
  isUnchanged: boolean;
  pending: boolean;
  isSaving: boolean;
  onCancel: () => void;
  onSave: () => void;
  onPublish: () => void;
  onSchedule: () => void;
}

/** The buttons of the form. A time that is filled in must be scheduled or cleared, so that a save cannot lose it. */
export function FormButtons(props: Props) {
  const { note, isPublished, isScheduled, isUnchanged, pending, isSaving } = props;
  const scheduledTitle = isScheduled ? '已填写发布时间：请定时发布，或清空时间' : undefined;
  return (
    <div className="ht-announce-buttons">
      <span className="ht-value-faint">{note}</span>
      <Button disabled={pending} onClick={props.onCancel}>
        取消
      </Button>
      <Button
        {...(isPublished && { type: 'primary' })}
        loading={isSaving}
        disabled={isUnchanged || (!isPublished && isScheduled)}
        title={scheduledTitle}
        onClick={props.onSave}
      >
        {isPublished ? '保存' : '保存草稿'}
      </Button>
      {!isPublished && (
        <Button disabled={pending} {...(!isScheduled && { type: 'primary' })} onClick={props.onPublish}>
          {isScheduled ? '立即发布' : '发布'}
        </Button>
      )}
      {!isPublished && isScheduled && (
        <Button type="primary" disabled={pending || isUnchanged} onClick={props.onSchedule}>
          定时发布
        </Button>
      )}
    </div>
  );
}
