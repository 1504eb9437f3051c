import { PictureOutlined } from '@ant-design/icons';
import { SUPPORT_SENT_MAX, fillReply, type ReplyPlaceholder } from '@hengtai/contract/support';
import type { SupportReply } from '@hengtai/contract/support.schema';
import { Button, Input } from 'antd';
import type { TextAreaRef } from 'antd/es/input/TextArea';
import { type ChangeEvent, type ClipboardEvent, type KeyboardEvent, type Ref, useId, useState } from 'react';
import { toast } from '../../api/toast.ts';
import { readImageFile } from './image-file.ts';

interface Props {
  /** Why nothing can be written; undefined when it can. */
  why: string | undefined;
  text: string;
  image: string;
  replies: readonly SupportReply[];
  known: Partial<Record<ReplyPlaceholder, string>>;
  field: Ref<TextAreaRef>;
  onText: (text: string) => void;
  onImage: (image: string) => void;
  onSend: () => void;
  onManage: () => void;
}

const SHOWN = 8;

/** Canned replies whose title or words hold what was typed behind the slash. */
export function matching(replies: readonly SupportReply[], text: string): readonly SupportReply[] {
  if (!/^\/[^\n]{0,40}$/.test(text)) return [];
  const word = text.slice(1).trim().toLowerCase();
  return replies.filter(({ title, text: words }) => `${title}\n${words}`.toLowerCase().includes(word)).slice(0, SHOWN);
}

/** Where an answer is written: Enter sends, Shift+Enter begins a new line, `/` finds a canned reply. */
export function Composer(props: Props) {
  const { why, text, image, replies, known, field, onText, onImage, onSend, onManage } = props;
  const [at, setAt] = useState(0);
  const [hidden, setHidden] = useState('');
  const id = useId();
  const found = hidden === text ? [] : matching(replies, text);
  const chosen = found[Math.min(at, found.length - 1)];
  const empty = text.trim() === '' && image === '';

  const take = (reply: SupportReply) => {
    onText(fillReply(reply.text, known).slice(0, SUPPORT_SENT_MAX));
    setAt(0);
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter ends what is being composed, and does not send it.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (chosen && step !== undefined) {
      event.preventDefault();
      setAt((Math.min(at, found.length - 1) + step + found.length) % found.length);
    } else if (chosen && event.key === 'Escape') {
      event.stopPropagation();
      setHidden(text);
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if (chosen) take(chosen);
      else if (!empty) onSend();
    }
  };
  const takeFile = async (file: File | undefined) => {
    if (!file) return;
    const read = await readImageFile(file);
    if ('image' in read) onImage(read.image);
    else toast.warning(read.problem);
  };
  const onPaste = (event: ClipboardEvent) => {
    const file = [...event.clipboardData.files].find(({ type }) => type.startsWith('image/'));
    if (!file) return;
    event.preventDefault();
    void takeFile(file);
  };

  return (
    <div className="sv-composer">
      {found.length > 0 && (
        <div id={`${id}list`} className="sv-replies" role="listbox" aria-label="快捷回复">
          {found.map((reply, index) => (
            <div
              key={reply.id}
              id={`${id}${reply.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={reply === chosen}
              onMouseEnter={() => setAt(index)}
              onMouseDown={(event) => {
                event.preventDefault();
                take(reply);
              }}
            >
              <b>{reply.title}</b>
              <span>{fillReply(reply.text, known)}</span>
              {reply.shared === 1 && <small>共享</small>}
            </div>
          ))}
        </div>
      )}
      {image !== '' && (
        <div className="sv-attached">
          <img src={image} alt="要发送的图片" />
          <Button size="small" onClick={() => onImage('')}>
            移除图片
          </Button>
        </div>
      )}
      <Input.TextArea
        ref={field}
        autoSize={{ minRows: 3, maxRows: 8 }}
        maxLength={SUPPORT_SENT_MAX}
        aria-label="回复内容"
        placeholder={why ?? 'Enter 发送，Shift + Enter 换行，/ 查找快捷回复'}
        disabled={why !== undefined}
        value={text}
        role={found.length > 0 ? 'combobox' : 'textbox'}
        {...(found.length > 0 && {
          'aria-expanded': true,
          'aria-controls': `${id}list`,
          'aria-activedescendant': chosen ? `${id}${chosen.id}` : undefined,
        })}
        onChange={({ target }: ChangeEvent<HTMLTextAreaElement>) => onText(target.value)}
        onKeyDown={onKey}
        onPaste={onPaste}
      />
      <div className="sv-composer-foot">
        <label className="sv-file" data-disabled={why !== undefined}>
          <PictureOutlined aria-hidden /> 图片
          <input
            type="file"
            accept="image/png,image/jpeg,image/webp"
            disabled={why !== undefined}
            onChange={({ target }) => {
              void takeFile(target.files?.[0]);
              target.value = '';
            }}
          />
        </label>
        <Button size="small" type="text" disabled={why !== undefined} onClick={onManage}>
          快捷回复
        </Button>
        <span className="ht-faint sv-count">
          {text.length} / {SUPPORT_SENT_MAX}
        </span>
        <Button type="primary" disabled={why !== undefined || empty} onClick={onSend}>
          发送
        </Button>
      </div>
    </div>
  );
}
