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
import { richOf } from './rich-tree.ts';

export const blocks = { p: '正文', h2: '标题', h3: '小标题', blockquote: '引用', ul: '项目符号', ol: '编号' } as const;
export type Block = keyof typeof blocks;
export const marks = { bold: '加粗', italic: '斜体', underline: '下划线', strikethrough: '删除线' } as const;
export type Mark = keyof typeof marks;

/** How the text at the cursor is written. */
export interface Here {
  block: Block;
  marks: readonly Mark[];
  href: string | undefined;
}

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
        .append(...$nodesOf(richOf(html))),
    { discrete: true },
  );
  return editor;
}

/** Makes the editor work; the returned function ends that. */
export function runEditor(
  editor: LexicalEditor,
  { onChange, onHere }: { onChange: (html: string) => void; onHere: (here: Here) => void },
): () => void {
  // What was read in may be written otherwise than it came; only what differs from then is a change.
  let last = editor.read($htmlOf);
  return mergeRegister(
    registerRichText(editor),
    registerList(editor),
    registerHistory(editor, createEmptyHistoryState(), 400),
    editor.registerCommand(
      PASTE_COMMAND,
      (event) => $takeIn(event, 'clipboardData' in event ? event.clipboardData : null),
      COMMAND_PRIORITY_CRITICAL,
    ),
    editor.registerCommand(DROP_COMMAND, (event) => $takeIn(event, event.dataTransfer), COMMAND_PRIORITY_CRITICAL),
    editor.registerUpdateListener(({ editorState }) => {
      const [here, html] = editorState.read(() => [$here(), $htmlOf()] as const);
      onHere(here);
      if (html === last) return;
      last = html;
      onChange(html);
    }),
  );
}

/** Foreign HTML comes in as nodes of the few kinds that there are, never as markup. */
function $takeIn(event: Event, data: DataTransfer | null): boolean {
  const html = data?.getData('text/html') ?? '';
  if (html === '' || data?.getData('application/x-lexical-editor')) return false;
  event.preventDefault();
  const nodes = $nodesOf(richOf(html));
  if (nodes.length > 0) $insertNodes(nodes);
  return true;
}

function $here(): Here {
  const selection = $getSelection();
  if (!$isRangeSelection(selection)) return { block: 'p', marks: [], href: undefined };
  const node = selection.anchor.getNode();
  const top = $findMatchingParent(node, (one) => $isHeadingNode(one) || $isQuoteNode(one) || $isListNode(one));
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
    marks: (Object.keys(marks) as Mark[]).filter((mark) => selection.hasFormat(mark)),
    href: $isLinkNode(link) ? link.getURL() : undefined,
  };
}
