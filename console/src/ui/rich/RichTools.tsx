import { AlignCenterOutlined, AlignLeftOutlined, AlignRightOutlined } from '@ant-design/icons';
import { type AnnounceColor, announceColors } from '@hengtai/contract/desk/announce/markup';
import { $insertList, $removeList } from '@lexical/list';
import { $createHeadingNode, $createQuoteNode } from '@lexical/rich-text';
import { $setBlocksType } from '@lexical/selection';
import { Button, type ButtonProps, Select } from 'antd';
import {
  $createParagraphNode,
  $getSelection,
  $isRangeSelection,
  FORMAT_ELEMENT_COMMAND,
  FORMAT_TEXT_COMMAND,
  type LexicalEditor,
  REDO_COMMAND,
  UNDO_COMMAND,
} from 'lexical';
import { type ChangeEvent, useRef, useState } from 'react';
import { RichLinkLine } from './RichLinkLine.tsx';
import type { RichImages } from './rich-tree.ts';
import {
  type Align,
  type Block,
  type CursorFormat,
  type TextFormat,
  aligns,
  blocks,
  formats,
  insertImage,
  setColor,
} from './rich-editor-core.ts';

interface ToolsProps {
  editor: LexicalEditor;
  cursor: CursorFormat;
  label: string;
  disabled: boolean;
  upload: RichImages['upload'];
}

const SIGNS: Readonly<Record<TextFormat, string>> = { bold: 'B', italic: 'I', underline: 'U', strikethrough: 'S' };
const ALIGN_ICONS = { left: <AlignLeftOutlined />, center: <AlignCenterOutlined />, right: <AlignRightOutlined /> };

interface ToolProps extends Omit<ButtonProps, 'type'> {
  /** Whether the text at the cursor has what the tool gives; undefined for one that gives nothing. */
  isOn?: boolean;
}

/** A button that keeps the text selection. */
const Tool = ({ isOn, ...button }: ToolProps) => (
  <Button
    size="small"
    type={isOn ? 'primary' : 'text'}
    aria-pressed={isOn}
    onMouseDown={(event) => event.preventDefault()}
    {...button}
  />
);

/** The toolbar of the editor. */
export function RichTools({ editor, cursor, label, disabled, upload }: ToolsProps) {
  const [linkDraft, setLinkDraft] = useState<string>();
  return (
    <div className="ht-rich-editor-tools" role="toolbar" aria-label={`${label}的格式`}>
      <Select<Block>
        size="small"
        aria-label="段落"
        value={cursor.block}
        disabled={disabled}
        popupMatchSelectWidth={false}
        options={Object.entries(blocks).map(([value, name]) => ({ value: value as Block, label: name }))}
        onChange={(block) => setBlock(editor, block)}
      />
      <span className="ht-rich-editor-group">
        {(Object.keys(formats) as TextFormat[]).map((format) => (
          <Tool
            key={format}
            isOn={cursor.formats.includes(format)}
            aria-label={formats[format]}
            title={formats[format]}
            disabled={disabled}
            data-mark={format}
            onClick={() => editor.dispatchCommand(FORMAT_TEXT_COMMAND, format)}
          >
            {SIGNS[format]}
          </Tool>
        ))}
      </span>
      <span className="ht-rich-editor-group">
        {(Object.keys(aligns) as Align[]).map((align) => (
          <Tool
            key={align}
            isOn={cursor.align === align}
            aria-label={aligns[align]}
            title={aligns[align]}
            disabled={disabled}
            icon={ALIGN_ICONS[align]}
            onClick={() => editor.dispatchCommand(FORMAT_ELEMENT_COMMAND, align)}
          />
        ))}
      </span>
      <Select<AnnounceColor | ''>
        size="small"
        aria-label="文字颜色"
        value={cursor.color ?? ''}
        disabled={disabled}
        popupMatchSelectWidth={false}
        options={COLOR_OPTIONS}
        onChange={(color) => setColor(editor, color === '' ? null : color)}
      />
      <Tool
        isOn={cursor.href !== undefined}
        disabled={disabled}
        onClick={() => setLinkDraft(cursor.href ?? 'https://')}
      >
        链接
      </Tool>
      <span className="ht-rich-editor-group">
        <Tool disabled={disabled} onClick={() => editor.dispatchCommand(UNDO_COMMAND, undefined)}>
          撤销
        </Tool>
        <Tool disabled={disabled} onClick={() => editor.dispatchCommand(REDO_COMMAND, undefined)}>
          重做
        </Tool>
      </span>
      <ImageButton editor={editor} disabled={disabled} upload={upload} />
      {linkDraft !== undefined && (
        <RichLinkLine
          editor={editor}
          initialHref={linkDraft}
          isLinked={cursor.href !== undefined}
          onClose={() => setLinkDraft(undefined)}
        />
      )}
    </div>
  );
}

const COLOR_OPTIONS: { value: AnnounceColor | ''; label: React.ReactNode }[] = [
  { value: '', label: '默认颜色' },
  ...(Object.entries(announceColors) as [AnnounceColor, string][]).map(([value, name]) => ({
    value,
    label: <span data-color={value}>{name}</span>,
  })),
];

const IMAGE_TYPES = 'image/png,image/jpeg,image/webp';

/** 图片: stores a file and inserts it at the cursor. */
function ImageButton({ editor, disabled, upload }: Pick<ToolsProps, 'editor' | 'disabled' | 'upload'>) {
  const input = useRef<HTMLInputElement>(null);
  const [isUploading, setUploading] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function selectFile({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0];
    target.value = '';
    if (!file) return;
    setUploading(true);
    const stored = await upload(file);
    setUploading(false);
    setProblem('problem' in stored ? stored.problem : undefined);
    if ('image' in stored) insertImage(editor, stored.image);
  }

  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="图片文件"
        accept={IMAGE_TYPES}
        onChange={(event) => void selectFile(event)}
      />
      <Tool disabled={disabled} loading={isUploading} onClick={() => input.current?.click()}>
        图片
      </Tool>
      {problem !== undefined && (
        <span className="ht-value-warn ht-rich-editor-problem" role="alert">
          {problem}
        </span>
      )}
    </>
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
