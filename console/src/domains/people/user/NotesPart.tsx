import '../../../ui/dialog/parts.css';
import { user } from '@hengtai/contract/people/user/calls';
import type { NoteRow, UserDetail } from '@hengtai/contract/people/user/schema';
import { Input, Pagination } from 'antd';
import { useId, useState } from 'react';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { newKey, useAction, useRead } from '../../../api/hooks.ts';
import { runWithToast } from '../../../api/run-with-toast.ts';
import { ErrorMessage } from '../../../ui/dialog/ErrorMessage.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { pageItem } from '../../../ui/table/page-item.ts';
import { Time } from '../../../ui/value/Time.tsx';
import type { DisplayError } from '../../../ui/value/display-error.ts';
import { QueryPlace } from '../../../api/QueryPlace.tsx';

interface Props {
  detail: UserDetail;
  disabledReason: string | undefined;
  /** The text that is not added yet. The page keeps it while other tabs or users are open. */
  draft: string;
  onDraft: (text: string) => void;
}

const PAGE_SIZE = 10;

/** Notes of operators about the user, newest first. Notes cannot be changed or deleted. */
export function NotesPart({ detail, disabledReason, draft, onDraft }: Props) {
  const { id } = detail.row;
  const [page, setPage] = useState(1);
  const query = useRead(user.noteList, { id, page, size: PAGE_SIZE }, { keepPrevious: true });
  const { data } = query;
  const notes = data?.list ?? detail.notes.slice(0, PAGE_SIZE);
  const total = data?.total;
  return (
    <>
      <AddNote id={id} disabledReason={disabledReason} text={draft} onText={onDraft} onAdded={() => setPage(1)} />
      <Section title="备注记录" {...(total !== undefined && { aside: `${total} 条` })}>
        {!data && <QueryPlace query={query} isSmall />}
        {notes.length === 0 ? <p className="ht-value-faint">还没有记录</p> : <Notes notes={notes} />}
        {total !== undefined && total > PAGE_SIZE && (
          <Pagination
            itemRender={pageItem}
            size="small"
            align="end"
            current={page}
            pageSize={PAGE_SIZE}
            total={total}
            showSizeChanger={false}
            onChange={setPage}
          />
        )}
      </Section>
    </>
  );
}

const Notes = ({ notes }: { notes: readonly NoteRow[] }) => (
  <ul className="ht-user-notes">
    {notes.map(({ id, text, by, createdAt }) => (
      <li key={id}>
        <p>{text}</p>
        <small className="ht-value-faint">
          {operatorDetail(by)} · <Time value={createdAt} />
        </small>
      </li>
    ))}
  </ul>
);

const NOTE_MAX = 500;

interface AddProps {
  id: number;
  disabledReason: string | undefined;
  text: string;
  onText: (text: string) => void;
  onAdded: () => void;
}

function AddNote({ id, disabledReason, text, onText, onAdded }: AddProps) {
  const fieldId = useId();
  const [key, setKey] = useState(newKey);
  const [error, setError] = useState<DisplayError>();
  const { submit, pending } = useAction(user.noteAdd);
  const isEmpty = text.trim() === '';

  async function add() {
    if (isEmpty || pending || disabledReason !== undefined) return;
    const failed = await runWithToast(() => submit({ id, text: text.trim() }, key), '已添加备注');
    setError(failed);
    if (failed) return;
    onText('');
    setKey(newKey());
    onAdded();
  }

  return (
    <div className="ht-dialog-field ht-user-note-add">
      <label htmlFor={fieldId}>添加记录</label>
      <Input.TextArea
        id={fieldId}
        value={text}
        maxLength={NOTE_MAX}
        disabled={disabledReason !== undefined || error?.kind === 'unknown'}
        placeholder="例如：已电话核实提现地址"
        autoSize={{ minRows: 2, maxRows: 6 }}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void add();
        }}
      />
      <div className="ht-dialog-field-row ht-user-note-tools">
        <span className="ht-value-faint">添加后不能修改或删除 · Ctrl + Enter 添加</span>
        <GreyedAction
          look="button"
          disabledReason={disabledReason ?? (pending ? '正在提交' : isEmpty ? '请先输入内容' : undefined)}
          onClick={() => void add()}
        >
          添加
        </GreyedAction>
      </div>
      {error && <ErrorMessage error={error} />}
    </div>
  );
}
