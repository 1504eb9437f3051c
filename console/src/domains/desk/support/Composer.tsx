import { PictureOutlined } from '@ant-design/icons';
import { fillReply, type ReplyPlaceholder } from '@hengtai/contract/desk/support/calls';
import { SUPPORT_SENT_MAX } from '@hengtai/contract/wire/input-values';
import type { SupportReply } from '@hengtai/contract/desk/support/schema';
import { Button, Input } from 'antd';
import type { TextAreaRef } from 'antd/es/input/TextArea';
import { type ChangeEvent, type ClipboardEvent, type KeyboardEvent, type Ref, useId, useState } from 'react';
import { toast } from '../../../api/toast.ts';
import { readImageFile } from './image-file.ts';
import { isComposing } from '../../../ui/browser/ime.ts';

interface Props {
  /** The reason why the operator cannot reply; undefined if it can. */
  disabledReason: string | undefined;
  text: string;
  image: string;
  replies: readonly SupportReply[];
  placeholderValues: Partial<Record<ReplyPlaceholder, string>>;
  inputRef: Ref<TextAreaRef>;
  onText: (text: string) => void;
  onImage: (image: string) => void;
  onSend: () => void;
  onManage: () => void;
}

const REPLIES_MAX = 8;

/** Canned replies whose title or text contains the word after `/`; empty if the text is not a search. */
function findReplies(replies: readonly SupportReply[], text: string): readonly SupportReply[] {
  if (!/^\/[^\n]{0,40}$/.test(text)) return [];
  const word = text.slice(1).trim().toLowerCase();
  return replies
    .filter(({ title, text: words }) => `${title}\n${words}`.toLowerCase().includes(word))
    .slice(0, REPLIES_MAX);
}

/** Input of a reply. Enter sends, Shift+Enter starts a new line, `/` searches canned replies. */
export function Composer(props: Props) {
  const { disabledReason, text, image, replies, placeholderValues, inputRef, onText, onImage, onSend, onManage } =
    props;
  const [cursor, setCursor] = useState(0);
  const [dismissedText, setDismissedText] = useState('');
  const id = useId();
  const matches = dismissedText === text ? [] : findReplies(replies, text);
  const selected = matches[Math.min(cursor, matches.length - 1)];
  const isEmpty = text.trim() === '' && image === '';

  const insertReply = (reply: SupportReply) => {
    onText(fillReply(reply.text, placeholderValues).slice(0, SUPPORT_SENT_MAX));
    setCursor(0);
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // During IME composition Enter confirms the characters.
    if (isComposing(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (selected && step !== undefined) {
      event.preventDefault();
      setCursor((Math.min(cursor, matches.length - 1) + step + matches.length) % matches.length);
    } else if (selected && event.key === 'Escape') {
      event.stopPropagation();
      setDismissedText(text);
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if (selected) insertReply(selected);
      else if (!isEmpty) onSend();
    }
  };
  const attachFile = async (file: File | undefined) => {
    if (!file) return;
    const read = await readImageFile(file);
    if ('image' in read) onImage(read.image);
    else toast.warning(read.problem);
  };
  const onPaste = (event: ClipboardEvent) => {
    const file = [...event.clipboardData.files].find(({ type }) => type.startsWith('image/'));
    if (!file) return;
    event.preventDefault();
    void attachFile(file);
  };

  return (
    <div className="ht-support-composer">
      {matches.length > 0 && (
        <div id={`${id}list`} className="ht-support-replies" role="listbox" aria-label="快捷回复">
          {matches.map((reply, index) => (
            <div
              key={reply.id}
              id={`${id}${reply.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={reply === selected}
              onMouseEnter={() => setCursor(index)}
              onMouseDown={(event) => {
                event.preventDefault();
                insertReply(reply);
              }}
            >
              <b>{reply.title}</b>
              <span>{fillReply(reply.text, placeholderValues)}</span>
              {reply.shared === 1 && <small>共享</small>}
            </div>
          ))}
        </div>
      )}
      {image !== '' && (
        <div className="ht-support-attached">
          <img src={image} alt="要发送的图片" />
          <Button size="small" onClick={() => onImage('')}>
            移除图片
          </Button>
        </div>
      )}
      <Input.TextArea
        ref={inputRef}
        autoSize={{ minRows: 3, maxRows: 8 }}
        maxLength={SUPPORT_SENT_MAX}
        aria-label="回复内容"
        placeholder={disabledReason ?? 'Enter 发送，Shift + Enter 换行，/ 查找快捷回复'}
        disabled={disabledReason !== undefined}
        value={text}
        role={matches.length > 0 ? 'combobox' : 'textbox'}
        {...(matches.length > 0 && {
          'aria-expanded': true,
          'aria-controls': `${id}list`,
          'aria-activedescendant': selected ? `${id}${selected.id}` : undefined,
        })}
        onChange={({ target }: ChangeEvent<HTMLTextAreaElement>) => onText(target.value)}
        onKeyDown={onKey}
        onPaste={onPaste}
      />
      <div className="ht-support-composer-foot">
        <label className="ht-support-file" data-disabled={disabledReason !== undefined}>
          <PictureOutlined aria-hidden /> 图片
          <input
            type="file"
            accept="image/png,image/jpeg,image/webp"
            disabled={disabledReason !== undefined}
            onChange={({ target }) => {
              void attachFile(target.files?.[0]);
              target.value = '';
            }}
          />
        </label>
        <Button size="small" type="text" disabled={disabledReason !== undefined} onClick={onManage}>
          快捷回复
        </Button>
        <span className="ht-value-faint ht-support-count">
          {text.length} / {SUPPORT_SENT_MAX}
        </span>
        <Button type="primary" disabled={disabledReason !== undefined || isEmpty} onClick={onSend}>
          发送
        </Button>
      </div>
    </div>
  );
}
