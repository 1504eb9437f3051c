import { createEmptyHistoryState, registerHistory } from '@lexical/history';
import { $isLinkNode, LinkNode } from '@lexical/link';
import { $isListNode, ListItemNode, ListNode, registerList } from '@lexical/list';
import { $isHeadingNode, $isQuoteNode, HeadingNode, QuoteNode, registerRichText } from '@lexical/rich-text';
import { $findMatchingParent, mergeRegister } from '@lexical/utils';
import {
  $getRoot,
  $getSelection,
  $insertNodes,
  $isRangeSelection,
  COMMAND_PRIORITY_CRITICAL,
  DROP_COMMAND,
  type LexicalEditor,
  PASTE_COMMAND,
  createEditor,
} from 'lexical';
import { $htmlOf, $nodesOf } from './rich-nodes.ts';
import { parseRich } from './rich-tree.ts';

export const blocks = { p: '正文', h2: '标题', h3: '小标题', blockquote: '引用', ul: '项目符号', ol: '编号' } as const;
export type Block = keyof typeof blocks;
export const formats = { bold: '加粗', italic: '斜体', underline: '下划线', strikethrough: '删除线' } as const;
export type TextFormat = keyof typeof formats;

/** Formats at the cursor. */
export interface CursorFormat {
  block: Block;
  formats: readonly TextFormat[];
  href: string | undefined;
}

/** Creates an editor with the content of the HTML, reduced to the supported elements. */
export function makeEditor(html: string): LexicalEditor {
  const editor = createEditor({
    namespace: 'ht-rich',
    nodes: [HeadingNode, QuoteNode, ListNode, ListItemNode, LinkNode],
    theme: {
      text: { underline: 'ht-rich-u', strikethrough: 'ht-rich-s', underlineStrikethrough: 'ht-rich-u-s' },
    },
    onError: (error) => {
      throw error;
    },
  });
  editor.update(
    () =>
      void $getRoot()
        .clear()
        .append(...$nodesOf(parseRich(html))),
    { discrete: true },
  );
  return editor;
}

/** Attaches behaviour and listeners to the editor; call the returned function to detach them. */
export function runEditor(
  editor: LexicalEditor,
  { onChange, onCursor }: { onChange: (html: string) => void; onCursor: (cursor: CursorFormat) => void },
): () => void {
  // The editor may normalize the initial HTML; only later differences are changes.
  let last = editor.read($htmlOf);
  return mergeRegister(
    registerRichText(editor),
    registerList(editor),
    registerHistory(editor, createEmptyHistoryState(), 400),
    editor.registerCommand(
      PASTE_COMMAND,
      (event) => $insertForeignHtml(event, 'clipboardData' in event ? event.clipboardData : null),
      COMMAND_PRIORITY_CRITICAL,
    ),
    editor.registerCommand(
      DROP_COMMAND,
      (event) => $insertForeignHtml(event, event.dataTransfer),
      COMMAND_PRIORITY_CRITICAL,
    ),
    editor.registerUpdateListener(({ editorState }) => {
      const [cursor, html] = editorState.read(() => [$readCursorFormat(), $htmlOf()] as const);
      onCursor(cursor);
      if (html === last) return;
      last = html;
      onChange(html);
    }),
  );
}

/** Converts pasted or dropped HTML to the supported nodes, never inserting markup. */
function $insertForeignHtml(event: Event, data: DataTransfer | null): boolean {
  const html = data?.getData('text/html') ?? '';
  if (html === '' || data?.getData('application/x-lexical-editor')) return false;
  event.preventDefault();
  const nodes = $nodesOf(parseRich(html));
  if (nodes.length > 0) $insertNodes(nodes);
  return true;
}

function $readCursorFormat(): CursorFormat {
  const selection = $getSelection();
  if (!$isRangeSelection(selection)) return { block: 'p', formats: [], href: undefined };
  const node = selection.anchor.getNode();
  const top = $findMatchingParent(
    node,
    (parent) => $isHeadingNode(parent) || $isQuoteNode(parent) || $isListNode(parent),
  );
  const link = $findMatchingParent(node, $isLinkNode);
  const block: Block = $isHeadingNode(top)
    ? top.getTag() === 'h3'
      ? 'h3'
      : 'h2'
    : $isQuoteNode(top)
      ? 'blockquote'
      : $isListNode(top)
        ? top.getListType() === 'number'
          ? 'ol'
          : 'ul'
        : 'p';
  return {
    block,
    formats: (Object.keys(formats) as TextFormat[]).filter((format) => selection.hasFormat(format)),
    href: $isLinkNode(link) ? link.getURL() : undefined,
  };
}
