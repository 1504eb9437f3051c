import { ANNOUNCE_TITLE_MAX } from '@hengtai/contract/announce';
import { Input } from 'antd';
import { useId } from 'react';
import { RichEditor } from '../../ui/RichEditor.tsx';
import { langName } from './columns.tsx';
import type { Text, Wrong } from './draft.ts';

interface Props {
  lang: string;
  text: Text;
  wrong: Wrong | undefined;
  disabled: boolean;
  onChange: (next: Partial<Text>) => void;
}

/** Title and content in one language. */
export function TextFields({ lang, text, wrong, disabled, onChange }: Props) {
  const id = useId();
  return (
    <div className="an-text">
      <div className="ht-field">
        <label htmlFor={`${id}t`}>标题（{langName(lang)}）</label>
        <Input
          id={`${id}t`}
          lang={lang}
          value={text.title}
          disabled={disabled}
          maxLength={ANNOUNCE_TITLE_MAX}
          showCount
          status={wrong?.title ? 'error' : ''}
          aria-invalid={wrong?.title !== undefined}
          aria-describedby={wrong?.title ? `${id}tw` : undefined}
          onChange={(event) => onChange({ title: event.target.value })}
        />
        {wrong?.title && (
          <p id={`${id}tw`} className="ht-field-wrong">
            {wrong.title}
          </p>
        )}
      </div>
      <div className="ht-field">
        <span className="an-label">内容（{langName(lang)}）</span>
        <RichEditor
          id={`${id}c`}
          label={`内容（${langName(lang)}）`}
          lang={lang}
          html={text.content}
          disabled={disabled}
          invalid={wrong?.content !== undefined}
          describedBy={wrong?.content ? `${id}cw` : undefined}
          onChange={(content) => onChange({ content })}
        />
        {wrong?.content && (
          <p id={`${id}cw`} className="ht-field-wrong">
            {wrong.content}
          </p>
        )}
      </div>
    </div>
  );
}
