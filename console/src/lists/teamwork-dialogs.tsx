import { QUEUE_COMMENT_MAX, QUEUE_MENTIONS_MAX } from '@hengtai/contract/wire/input-values';
import { queue } from '@hengtai/contract/desk/queue/calls';
import type { QueueColleague } from '@hengtai/contract/desk/queue/schema';
import { Input, Radio, Select } from 'antd';
import { type ReactNode, useId, useState } from 'react';
import { type Outcome, newKey, useAction, useRead } from '../api/hooks.ts';
import { runWithToast } from '../api/run-with-toast.ts';
import { useMe } from '../api/me.ts';
import { useTabGuard } from '../navigation/page-route.ts';
import { MomentField } from '../ui/form/MomentField.tsx';
import { SaveModal } from '../ui/dialog/SaveModal.tsx';
import type { DisplayError } from '../ui/value/display-error.ts';
import { addDays, dayOf, momentOf, useZone } from '../ui/value/zone.ts';
import type { ReviewTarget } from './claims.ts';

interface Props extends ReviewTarget {
  onClose: () => void;
}

const REASON_MAX = 200;
const recordOf = ({ type, id }: ReviewTarget) => ({ targetType: type, targetId: id });

interface FormProps {
  title: string;
  verb: string;
  isReady: boolean;
  isDirty: boolean;
  pending: boolean;
  doneText: string;
  submit: (key: string) => Promise<Outcome<unknown>>;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog whose fields are sent by one call. */
function TeamworkForm({ isReady, isDirty, pending, doneText, submit, ...modal }: FormProps) {
  const [key] = useState(newKey);
  const [error, setError] = useState<DisplayError>();
  useTabGuard(isDirty);
  const save = async () => {
    const failure = await runWithToast(() => submit(key), doneText);
    setError(failure);
    if (!failure) modal.onClose();
  };
  return (
    <SaveModal
      {...modal}
      width={480}
      busy={pending}
      dirty={isDirty}
      disabled={!isReady}
      error={error}
      onSave={() => void save()}
    />
  );
}

interface TextProps {
  label: string;
  max: number;
  value: string;
  onChange: (text: string) => void;
}

function TextField({ label, max, value, onChange }: TextProps) {
  const id = useId();
  return (
    <div className="ht-dialog-field">
      <label htmlFor={id}>{label}</label>
      <Input.TextArea
        id={id}
        value={value}
        maxLength={max}
        showCount
        autoSize={{ minRows: 2, maxRows: 6 }}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

const DELAYS = { 15: '15 分钟', 60: '1 小时', 240: '4 小时' } as const;
const MINUTE_MS = 60_000;

/** Takes a record out of its queue until a time. */
export function ParkDialog({ onClose, ...target }: Props) {
  const zone = useZone();
  const { data } = useRead(queue.history, recordOf(target));
  const { submit, pending } = useAction(queue.park);
  const [choice, setChoice] = useState('60');
  const [moment, setMoment] = useState<number>();
  const [reason, setReason] = useState('');
  const untilNow = (): number | undefined => {
    if (choice === 'moment') return moment;
    if (choice === 'return') return 0;
    const now = Date.now();
    if (choice === 'tomorrow') return momentOf(addDays(dayOf(now, zone), 1), { hour: 9, minute: 0, second: 0 }, zone);
    return now + Number(choice) * MINUTE_MS;
  };
  const isParked = data !== undefined && data.parkedUntil !== null;
  return (
    <TeamworkForm
      title={`搁置 #${target.id}`}
      verb={choice === 'return' ? '取消搁置' : '搁置'}
      isReady={choice !== 'moment' || moment !== undefined}
      isDirty={reason !== ''}
      pending={pending}
      doneText={choice === 'return' ? '已取消搁置' : '已搁置'}
      submit={(key) => submit({ ...recordOf(target), until: untilNow() ?? 0, reason: reason.trim() }, key)}
      onClose={onClose}
    >
      <p>到时间之前，审核队列不再给出这条记录；任何人仍可打开并决定。</p>
      <Radio.Group
        aria-label="搁置到"
        value={choice}
        onChange={(event) => setChoice(String(event.target.value))}
        options={[
          ...Object.entries(DELAYS).map(([value, label]) => ({ value, label })),
          { value: 'tomorrow', label: '明天 09:00' },
          { value: 'moment', label: '指定时间' },
          ...(isParked ? [{ value: 'return', label: '立即回到队列' }] : []),
        ]}
      />
      {choice === 'moment' && (
        <div className="ht-dialog-field">
          <MomentField value={moment} onChange={setMoment} />
        </div>
      )}
      <TextField label="原因（可不填）" max={REASON_MAX} value={reason} onChange={setReason} />
    </TeamworkForm>
  );
}

/** Other operators who can decide about the record. */
function useColleagues(target: ReviewTarget): readonly QueueColleague[] {
  const me = useMe();
  const { data = [] } = useRead(queue.colleagues, recordOf(target));
  return data.filter(({ id }) => id !== me.id);
}

const colleagueText = ({ account, absent, load }: QueueColleague): string =>
  `${account} · 手上 ${load} 条${absent ? ' · 暂离' : ''}`;

const NOBODY = 0;

/** Reserves a record for another operator. */
export function HandOverDialog({ onClose, ...target }: Props) {
  const id = useId();
  const colleagues = useColleagues(target);
  const { submit, pending } = useAction(queue.handOver);
  const [to, setTo] = useState<number>();
  const [reason, setReason] = useState('');
  return (
    <TeamworkForm
      title={`转交 #${target.id}`}
      verb="转交"
      isReady={to !== undefined}
      isDirty={to !== undefined || reason !== ''}
      pending={pending}
      doneText="已转交"
      submit={(key) => submit({ ...recordOf(target), operatorId: to ?? NOBODY, reason: reason.trim() }, key)}
      onClose={onClose}
    >
      <p>审核队列优先把记录给对方；超过目标时间或对方暂离时，其他人也会领到。</p>
      <div className="ht-dialog-field">
        <label htmlFor={id}>转交给</label>
        <Select
          id={id}
          value={to ?? null}
          placeholder="请选择操作员"
          onChange={setTo}
          options={[
            ...colleagues.map((one) => ({ value: one.id, label: colleagueText(one) })),
            { value: NOBODY, label: '所有人（交回队列）' },
          ]}
        />
      </div>
      <TextField label="说明（可不填）" max={REASON_MAX} value={reason} onChange={setReason} />
    </TeamworkForm>
  );
}

/** Reserves a record for operators above. */
export function EscalateDialog({ onClose, ...target }: Props) {
  const { submit, pending } = useAction(queue.escalate);
  const [reason, setReason] = useState('');
  return (
    <TeamworkForm
      title={`上报 #${target.id}`}
      verb="上报"
      isReady={reason.trim() !== ''}
      isDirty={reason !== ''}
      pending={pending}
      doneText="已上报"
      submit={(key) => submit({ ...recordOf(target), reason: reason.trim() }, key)}
      onClose={onClose}
    >
      <p>记录只给有更高权限的操作员，他们会收到通知。</p>
      <TextField label="原因" max={REASON_MAX} value={reason} onChange={setReason} />
    </TeamworkForm>
  );
}

/** Adds a comment, which stays on the record. */
export function CommentDialog({ onClose, ...target }: Props) {
  const id = useId();
  const colleagues = useColleagues(target);
  const { submit, pending } = useAction(queue.comment);
  const [text, setText] = useState('');
  const [mentions, setMentions] = useState<number[]>([]);
  return (
    <TeamworkForm
      title={`评论 #${target.id}`}
      verb="添加"
      isReady={text.trim() !== ''}
      isDirty={text !== ''}
      pending={pending}
      doneText="已添加评论"
      submit={(key) => submit({ ...recordOf(target), text: text.trim(), mentions }, key)}
      onClose={onClose}
    >
      <TextField label="评论" max={QUEUE_COMMENT_MAX} value={text} onChange={setText} />
      <div className="ht-dialog-field">
        <label htmlFor={id}>提到（会收到不含内容的通知）</label>
        <Select
          id={id}
          mode="multiple"
          maxCount={QUEUE_MENTIONS_MAX}
          value={mentions}
          onChange={setMentions}
          options={colleagues.map((one) => ({ value: one.id, label: one.account }))}
        />
      </div>
    </TeamworkForm>
  );
}
