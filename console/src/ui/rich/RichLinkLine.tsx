import { $toggleLink } from '@lexical/link';
import { Button, Input, type InputRef } from 'antd';
import type { LexicalEditor } from 'lexical';
import { useEffect, useRef, useState } from 'react';
import { isLinkable } from './rich-tree.ts';

/** Edits the target of the selected link. */
export function RichLinkLine({
  editor,
  initialHref,
  isLinked,
  onClose,
}: {
  editor: LexicalEditor;
  initialHref: string;
  isLinked: boolean;
  onClose: () => void;
}) {
  const [href, setHref] = useState(initialHref);
  const field = useRef<InputRef>(null);
  useEffect(() => field.current?.focus({ cursor: 'end' }), []);
  const isValid = isLinkable(href.trim());
  const applyLink = (target: string | null) => {
    editor.update(() => $toggleLink(target));
    onClose();
    editor.focus();
  };
  return (
    <div className="ht-rich-editor-link">
      <Input
        size="small"
        ref={field}
        aria-label="链接地址"
        placeholder="https://"
        value={href}
        status={isValid ? '' : 'warning'}
        onChange={(event) => setHref(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation();
            onClose();
          }
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          if (isValid) applyLink(href.trim());
        }}
      />
      <Button size="small" type="primary" disabled={!isValid} onClick={() => applyLink(href.trim())}>
        应用
      </Button>
      {isLinked && (
        <Button size="small" onClick={() => applyLink(null)}>
          移除链接
        </Button>
      )}
      <Button size="small" type="text" onClick={onClose}>
        取消
      </Button>
      {!isValid && <span className="ht-value-faint">以 http://、https:// 或 mailto: 开头</span>}
    </div>
  );
}
