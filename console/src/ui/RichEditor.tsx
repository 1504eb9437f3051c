import './rich.css';
import { $toggleLink } from '@lexical/link';
import { $insertList, $removeList } from '@lexical/list';
import { $createHeadingNode, $createQuoteNode } from '@lexical/rich-text';
import { $setBlocksType } from '@lexical/selection';
import { Button, Input, type InputRef, Select } from 'antd';
import {
  $createParagraphNode,
  $getSelection,
  $isRangeSelection,
  FORMAT_TEXT_COMMAND,
  type LexicalEditor,
  REDO_COMMAND,
  UNDO_COMMAND,
} from 'lexical';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  type Block,
  type CursorFormat,
  type TextFormat,
  blocks,
  makeEditor,
  formats,
  runEditor,
} from './rich-editor-core.ts';
import { isLinkable } from './rich-tree.ts';

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
  onChange: (html: string) => void;
}

const SIGNS: Readonly<Record<TextFormat, string>> = { bold: 'B', italic: 'I', underline: 'U', strikethrough: 'S' };
const NO_FORMAT: CursorFormat = { block: 'p', formats: [], href: undefined };

/** Rich text editor with headings, lists, quotes and links. */
export function RichEditor({ id, label, html, disabled = false, invalid = false, describedBy, lang, onChange }: Props) {
  const [editor] = useState(() => makeEditor(html));
  const root = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<CursorFormat>(NO_FORMAT);
  const notifyChange = useEffectEvent(onChange);

  useEffect(() => {
    const end = runEditor(editor, { onChange: (next) => notifyChange(next), onCursor: setCursor });
    editor.setRootElement(root.current);
    return () => {
      editor.setRootElement(null);
      end();
    };
  }, [editor]);
  useEffect(() => editor.setEditable(!disabled), [editor, disabled]);

  return (
    <div className="ht-editor" data-invalid={invalid}>
      <Tools editor={editor} cursor={cursor} label={label} disabled={disabled} />
      <div
        id={id}
        ref={root}
        className="ht-rich ht-editor-text"
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

interface ToolsProps {
  editor: LexicalEditor;
  cursor: CursorFormat;
  label: string;
  disabled: boolean;
}

function Tools({ editor, cursor, label, disabled }: ToolsProps) {
  const [linkDraft, setLinkDraft] = useState<string>();
  return (
    <div className="ht-editor-tools" role="toolbar" aria-label={`${label}的格式`}>
      <Select<Block>
        size="small"
        aria-label="段落"
        value={cursor.block}
        disabled={disabled}
        popupMatchSelectWidth={false}
        options={Object.entries(blocks).map(([value, name]) => ({ value: value as Block, label: name }))}
        onChange={(block) => setBlock(editor, block)}
      />
      <span className="ht-editor-group">
        {(Object.keys(formats) as TextFormat[]).map((format) => (
          <Button
            key={format}
            size="small"
            type={cursor.formats.includes(format) ? 'primary' : 'text'}
            aria-label={formats[format]}
            title={formats[format]}
            aria-pressed={cursor.formats.includes(format)}
            disabled={disabled}
            data-mark={format}
            // Keeps the text selection.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => editor.dispatchCommand(FORMAT_TEXT_COMMAND, format)}
          >
            {SIGNS[format]}
          </Button>
        ))}
      </span>
      <Button
        size="small"
        type={cursor.href === undefined ? 'text' : 'primary'}
        aria-pressed={cursor.href !== undefined}
        disabled={disabled}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setLinkDraft(cursor.href ?? 'https://')}
      >
        链接
      </Button>
      <span className="ht-editor-group">
        <Button
          size="small"
          type="text"
          disabled={disabled}
          onClick={() => editor.dispatchCommand(UNDO_COMMAND, undefined)}
        >
          撤销
        </Button>
        <Button
          size="small"
          type="text"
          disabled={disabled}
          onClick={() => editor.dispatchCommand(REDO_COMMAND, undefined)}
        >
          重做
        </Button>
      </span>
      {linkDraft !== undefined && (
        <LinkLine
          editor={editor}
          initialHref={linkDraft}
          isLinked={cursor.href !== undefined}
          onClose={() => setLinkDraft(undefined)}
        />
      )}
    </div>
  );
}

function LinkLine({
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
    <div className="ht-editor-link">
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
      {!isValid && <span className="ht-faint">以 http://、https:// 或 mailto: 开头</span>}
    </div>
  );
}

function setBlock(editor: LexicalEditor, block: Block) {
  editor.update(() => {
    if (block === 'ul' || block === 'ol') {
      $insertList(block === 'ul' ? 'bullet' : 'number');
      return;
    }
    $removeList();
    const selection = $getSelection();
    if (!$isRangeSelection(selection)) return;
    $setBlocksType(selection, () =>
      block === 'p' ? $createParagraphNode() : block === 'blockquote' ? $createQuoteNode() : $createHeadingNode(block),
    );
  });
  editor.focus();
}
