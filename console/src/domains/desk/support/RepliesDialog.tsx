import { replyPlaceholders, support } from '@hengtai/contract/desk/support/calls';
import { REPLY_TITLE_MAX, SUPPORT_SENT_MAX } from '@hengtai/contract/wire/input-values';
import type { SupportReply } from '@hengtai/contract/desk/support/schema';
import { Button, Checkbox, Input } from 'antd';
import { useId, useState } from 'react';
import { newKey, useAction } from '../../../api/hooks.ts';
import { runWithErrorToast, runWithToast } from '../../../api/run-with-toast.ts';
import { ConfirmableAction } from '../../../ui/dialog/ConfirmableAction.tsx';
import { ErrorMessage } from '../../../ui/dialog/ErrorMessage.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { PageModal } from '../../../ui/dialog/PageModal.tsx';
import type { DisplayError } from '../../../ui/value/display-error.ts';
import { StateMessage } from '../../../ui/table/list-states.tsx';

interface Props {
  replies: readonly SupportReply[];
  onClose: () => void;
}

interface Draft {
  id?: number;
  title: string;
  text: string;
  shared: boolean;
  key: string;
}

const blank = (): Draft => ({ title: '', text: '', shared: false, key: newKey() });

/** Canned replies: the own ones can be changed, those shared by operators above only viewed. */
export function RepliesDialog({ replies, onClose }: Props) {
  const [draft, setDraft] = useState<Draft>();
  const del = useAction(support.replyDel);
  const remove = ({ id }: SupportReply) => runWithErrorToast(() => del.submit({ id }, newKey()), '已删除快捷回复');
  return (
    <PageModal title="快捷回复" width={720} footer={null} onCancel={onClose} keyboard={draft === undefined}>
      {draft ? (
        <ReplyForm key={draft.key} draft={draft} onEnd={() => setDraft(undefined)} />
      ) : (
        <>
          <p className="ht-support-manage-head">
            <span className="ht-value-faint">
              在回复框中输入 / 查找。可用占位：{replyPlaceholders.map((word) => `{${word}}`).join(' ')}
            </span>
            <Button size="small" type="primary" onClick={() => setDraft(blank())}>
              新增
            </Button>
          </p>
          {replies.length === 0 && <StateMessage mark="empty" title="还没有快捷回复" />}
          <ul className="ht-support-manage">
            {replies.map((reply) => {
              const disabledReason = reply.mine === 1 ? undefined : '只有创建者可以修改';
              return (
                <li key={reply.id}>
                  <b>{reply.title}</b>
                  <span className="ht-value-faint">
                    {reply.shared === 0
                      ? '仅自己可见'
                      : reply.mine === 1
                        ? '共享给下级'
                        : `共享自 ${reply.by ?? '上级'}`}
                  </span>
                  <span>
                    <GreyedAction
                      disabledReason={disabledReason}
                      onClick={() => setDraft({ ...reply, shared: reply.shared === 1, key: newKey() })}
                    >
                      编辑
                    </GreyedAction>
                    <ConfirmableAction
                      disabledReason={disabledReason}
                      question={`删除快捷回复「${reply.title}」？`}
                      onYes={() => remove(reply)}
                    >
                      删除
                    </ConfirmableAction>
                  </span>
                  <p>{reply.text}</p>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </PageModal>
  );
}

function ReplyForm({ draft, onEnd }: { draft: Draft; onEnd: () => void }) {
  const ids = useId();
  const [title, setTitle] = useState(draft.title);
  const [text, setText] = useState(draft.text);
  const [shared, setShared] = useState(draft.shared);
  const [error, setError] = useState<DisplayError>();
  const save = useAction(support.replySave);
  const missing = title.trim() === '' ? '请输入标题' : text.trim() === '' ? '请输入内容' : undefined;
  const run = async () => {
    const { id, key } = draft;
    const input = { title: title.trim(), text, shared: shared ? (1 as const) : (0 as const) };
    const failed = await runWithToast(
      () => save.submit(id === undefined ? input : { ...input, id }, key),
      `已保存快捷回复 · ${input.title}`,
    );
    if (failed) setError(failed);
    else onEnd();
  };
  return (
    <div className="ht-support-form">
      <label htmlFor={`${ids}title`}>标题</label>
      <Input
        id={`${ids}title`}
        maxLength={REPLY_TITLE_MAX}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <label htmlFor={`${ids}text`}>内容</label>
      <Input.TextArea
        id={`${ids}text`}
        autoSize={{ minRows: 4, maxRows: 10 }}
        maxLength={SUPPORT_SENT_MAX}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <p className="ht-support-blanks">
        插入占位：
        {replyPlaceholders.map((word) => (
          <Button key={word} size="small" onClick={() => setText(`${text}{${word}}`)}>
            {`{${word}}`}
          </Button>
        ))}
      </p>
      <Checkbox checked={shared} onChange={({ target }) => setShared(target.checked)}>
        共享给下级操作员
      </Checkbox>
      {error && <ErrorMessage error={error} />}
      <p className="ht-support-form-foot">
        <span className="ht-value-faint">{missing}</span>
        <Button onClick={onEnd}>取消</Button>
        <Button type="primary" disabled={missing !== undefined} loading={save.pending} onClick={() => void run()}>
          保存
        </Button>
      </p>
    </div>
  );
}
