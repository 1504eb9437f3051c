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
import { type Block, type Here, type Mark, blocks, makeEditor, marks, runEditor } from './rich-editor-core.ts';
import { isLinkable } from './rich-tree.ts';

interface Props {
  id: string;
  /** What is written here, read aloud. */
  label: string;
  /** What it begins with; give the editor a key per text to reset it. */
  html: string;
  disabled?: boolean;
  invalid?: boolean;
  /** Id of what is wrong with it. */
  describedBy?: string | undefined;
  lang?: string;
  onChange: (html: string) => void;
}

const SIGNS: Readonly<Record<Mark, string>> = { bold: 'B', italic: 'I', underline: 'U', strikethrough: 'S' };
const NOWHERE: Here = { block: 'p', marks: [], href: undefined };

/** A text with headings, lists, quotes and links. */
export function RichEditor({ id, label, html, disabled = false, invalid = false, describedBy, lang, onChange }: Props) {
  const [editor] = useState(() => makeEditor(html));
  const root = useRef<HTMLDivElement>(null);
  const [here, setHere] = useState<Here>(NOWHERE);
  const told = useEffectEvent(onChange);

  useEffect(() => {
    const end = runEditor(editor, { onChange: (next) => told(next), onHere: setHere });
    editor.setRootElement(root.current);
    return () => {
      editor.setRootElement(null);
      end();
    };
  }, [editor]);
  useEffect(() => editor.setEditable(!disabled), [editor, disabled]);

  return (
    <div className="ht-editor" data-invalid={invalid}>
      <Tools editor={editor} here={here} label={label} disabled={disabled} />
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
  here: Here;
  label: string;
  disabled: boolean;
}

function Tools({ editor, here, label, disabled }: ToolsProps) {
  const [linking, setLinking] = useState<string>();
  return (
    <div className="ht-editor-tools" role="toolbar" aria-label={`${label}的格式`}>
      <Select<Block>
        size="small"
        aria-label="段落"
        value={here.block}
        disabled={disabled}
        popupMatchSelectWidth={false}
        options={Object.entries(blocks).map(([value, name]) => ({ value: value as Block, label: name }))}
        onChange={(block) => setBlock(editor, block)}
      />
      <span className="ht-editor-group">
        {(Object.keys(marks) as Mark[]).map((mark) => (
          <Button
            key={mark}
            size="small"
            type={here.marks.includes(mark) ? 'primary' : 'text'}
            aria-label={marks[mark]}
            title={marks[mark]}
            aria-pressed={here.marks.includes(mark)}
            disabled={disabled}
            data-mark={mark}
            // The text keeps its selection.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => editor.dispatchCommand(FORMAT_TEXT_COMMAND, mark)}
          >
            {SIGNS[mark]}
          </Button>
        ))}
      </span>
      <Button
        size="small"
        type={here.href === undefined ? 'text' : 'primary'}
        aria-pressed={here.href !== undefined}
        disabled={disabled}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setLinking(here.href ?? 'https://')}
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
      {linking !== undefined && (
        <LinkLine
          editor={editor}
          first={linking}
          linked={here.href !== undefined}
          onClose={() => setLinking(undefined)}
        />
      )}
    </div>
  );
}

function LinkLine({
  editor,
  first,
  linked,
  onClose,
}: {
  editor: LexicalEditor;
  first: string;
  linked: boolean;
  onClose: () => void;
}) {
  const [href, setHref] = useState(first);
  const field = useRef<InputRef>(null);
  useEffect(() => field.current?.focus({ cursor: 'end' }), []);
  const good = isLinkable(href.trim());
  const put = (to: string | null) => {
    editor.update(() => $toggleLink(to));
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
        status={good ? '' : 'warning'}
        onChange={(event) => setHref(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation();
            onClose();
          }
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          if (good) put(href.trim());
        }}
      />
      <Button size="small" type="primary" disabled={!good} onClick={() => put(href.trim())}>
        应用
      </Button>
      {linked && (
        <Button size="small" onClick={() => put(null)}>
          移除链接
        </Button>
      )}
      <Button size="small" type="text" onClick={onClose}>
        取消
      </Button>
      {!good && <span className="ht-faint">以 http://、https:// 或 mailto: 开头</span>}
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
