import './rich.css';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { RichTools } from './RichTools.tsx';
import { type CursorFormat, NO_FORMAT, makeEditor, runEditor } from './rich-editor-core.ts';
import type { RichImages } from './rich-tree.ts';

interface Props {
  id: string;
  /** Accessible name. */
  label: string;
  /** Initial content; use a React key per text to reset it. */
  html: string;
  disabled?: boolean;
  invalid?: boolean;
  /** Id of the element with the validation error. */
  describedBy?: string | undefined;
  lang?: string;
  images: RichImages;
  onChange: (html: string) => void;
}

/** Rich text editor with headings, lists, quotes, links, alignment, colours and images. */
export function RichEditor(props: Props) {
  const { id, label, html, disabled = false, invalid = false, describedBy, lang, images, onChange } = props;
  const [editor] = useState(() => makeEditor(html));
  const root = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<CursorFormat>(NO_FORMAT);
  const notifyChange = useEffectEvent(onChange);
  const loadImage = images.load;

  useEffect(() => {
    const end = runEditor(editor, { onChange: (next) => notifyChange(next), onCursor: setCursor, loadImage });
    editor.setRootElement(root.current);
    return () => {
      editor.setRootElement(null);
      end();
    };
  }, [editor, loadImage]);
  useEffect(() => editor.setEditable(!disabled), [editor, disabled]);

  return (
    <div className="ht-rich-editor" data-invalid={invalid}>
      <RichTools editor={editor} cursor={cursor} label={label} disabled={disabled} upload={images.upload} />
      <div
        id={id}
        ref={root}
        className="ht-rich ht-rich-editor-text"
        role="textbox"
        aria-multiline
        aria-label={label}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        aria-disabled={disabled}
        contentEditable={!disabled}
        suppressContentEditableWarning
        tabIndex={0}
        lang={lang}
        spellCheck={false}
      />
    </div>
  );
}
