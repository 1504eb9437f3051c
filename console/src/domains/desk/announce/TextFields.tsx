import { ANNOUNCE_TITLE_MAX } from '@hengtai/contract/wire/input-values';
import { Input } from 'antd';
import { useId } from 'react';
import { RichEditor } from '../../../ui/rich/RichEditor.tsx';
import { langName } from './columns.tsx';
import { useAnnounceImages } from './images.tsx';
import type { AnnounceText, FieldErrors } from './draft.ts';

interface Props {
  lang: string;
  text: AnnounceText;
  fieldErrors: FieldErrors | undefined;
  disabled: boolean;
  onChange: (next: Partial<AnnounceText>) => void;
}

/** Title and content in one language. */
export function TextFields({ lang, text, fieldErrors, disabled, onChange }: Props) {
  const id = useId();
  const images = useAnnounceImages();
  return (
    <div className="ht-announce-text">
      <div className="ht-dialog-field">
        <label htmlFor={`${id}t`}>标题（{langName(lang)}）</label>
        <Input
          id={`${id}t`}
          lang={lang}
          value={text.title}
          disabled={disabled}
          maxLength={ANNOUNCE_TITLE_MAX}
          showCount
          status={fieldErrors?.title ? 'error' : ''}
          aria-invalid={fieldErrors?.title !== undefined}
          aria-describedby={fieldErrors?.title ? `${id}tw` : undefined}
          onChange={(event) => onChange({ title: event.target.value })}
        />
        {fieldErrors?.title && (
          <p id={`${id}tw`} className="ht-dialog-field-wrong">
            {fieldErrors.title}
          </p>
        )}
      </div>
      <div className="ht-dialog-field">
        <span className="ht-announce-label">内容（{langName(lang)}）</span>
        <RichEditor
          id={`${id}c`}
          label={`内容（${langName(lang)}）`}
          lang={lang}
          html={text.content}
          disabled={disabled}
          invalid={fieldErrors?.content !== undefined}
          images={images}
          describedBy={fieldErrors?.content ? `${id}cw` : undefined}
          onChange={(content) => onChange({ content })}
        />
        {fieldErrors?.content && (
          <p id={`${id}cw`} className="ht-dialog-field-wrong">
            {fieldErrors.content}
          </p>
        )}
      </div>
    </div>
  );
}
