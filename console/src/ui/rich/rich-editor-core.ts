import { createEmptyHistoryState, registerHistory } from '@lexical/history';
import { $isLinkNode, LinkNode } from '@lexical/link';
import { $isListNode, ListItemNode, ListNode, registerList } from '@lexical/list';
import { $isHeadingNode, $isQuoteNode, HeadingNode, QuoteNode, registerRichText } from '@lexical/rich-text';
import { $getSelectionStyleValueForProperty, $patchStyleText } from '@lexical/selection';
import { $findMatchingParent, mergeRegister } from '@lexical/utils';
import { type AnnounceAlign, type AnnounceColor, announceAligns } from '@hengtai/contract/desk/announce/markup';
import {
  $createParagraphNode,
  $getNodeByKey,
  $getRoot,
  $getSelection,
  $insertNodes,
  $isElementNode,
  $isRangeSelection,
  COMMAND_PRIORITY_CRITICAL,
  DROP_COMMAND,
  type LexicalEditor,
  type LexicalNode,
  PASTE_COMMAND,
  createEditor,
} from 'lexical';
import { ImageNode } from './rich-image-node.ts';
import { $htmlOf, $nodesOf, colorOf, styleOf } from './rich-nodes.ts';
import { type RichImage, parseRich } from './rich-tree.ts';

export const blocks = { p: '正文', h2: '标题', h3: '小标题', blockquote: '引用', ul: '项目符号', ol: '编号' } as const;
export type Block = keyof typeof blocks;
export const formats = { bold: '加粗', italic: '斜体', underline: '下划线', strikethrough: '删除线' } as const;
export type TextFormat = keyof typeof formats;

/** Formats at the cursor. */
export interface CursorFormat {
  block: Block;
  formats: readonly TextFormat[];
  href: string | undefined;
  align: Align;
  color: AnnounceColor | undefined;
}

export type Align = 'left' | AnnounceAlign;
export const aligns: Readonly<Record<Align, string>> = { left: '左对齐', ...announceAligns };

/** Creates an editor with the content of the HTML, reduced to the supported elements. */
export function makeEditor(html: string): LexicalEditor {
  const editor = createEditor({
    namespace: 'ht-rich',
    nodes: [HeadingNode, QuoteNode, ListNode, ListItemNode, LinkNode, ImageNode],
    theme: {
      text: { underline: 'ht-rich-u', strikethrough: 'ht-rich-s', underlineStrikethrough: 'ht-rich-u-s' },
    },
    onError: (error) => {
      throw error;
    },
  });
  editor.update(
    () => {
      const nodes = $nodesOf(parseRich(html));
      // Without a block there is nothing to align before the first letter.
      $getRoot()
        .clear()
        .append(...(nodes.length > 0 ? nodes : [$createParagraphNode()]));
    },
    { discrete: true },
  );
  return editor;
}

/** Attaches behaviour and listeners to the editor; call the returned function to detach them. */
export function runEditor(
  editor: LexicalEditor,
  {
    onChange,
    onCursor,
    loadImage,
  }: {
    onChange: (html: string) => void;
    onCursor: (cursor: CursorFormat) => void;
    /** Loads an image and resolves to its address in this document; undefined if that fails. */
    loadImage?: ((key: string, signal: AbortSignal) => Promise<string | undefined>) | undefined;
  },
): () => void {
  // The editor may normalize the initial HTML; only later differences are changes.
  let last = editor.read($htmlOf);
  return mergeRegister(
    registerRichText(editor),
    registerList(editor),
    showImages(editor, loadImage),
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

/** Sets the address of each image when it has loaded, and frees the images when the editor is detached. */
function showImages(
  editor: LexicalEditor,
  loadImage: ((key: string, signal: AbortSignal) => Promise<string | undefined>) | undefined,
): () => void {
  const detached = new AbortController();
  const urls = new Map<string, Promise<string | undefined>>();
  const show = async (nodeKey: string): Promise<void> => {
    const key = editor.getEditorState().read(() => {
      const node = $getNodeByKey(nodeKey);
      return node instanceof ImageNode ? node.image.key : undefined;
    });
    if (key === undefined || !loadImage) return;
    const loading = urls.get(key) ?? loadImage(key, detached.signal);
    urls.set(key, loading);
    const url = await loading;
    const element = editor.getElementByKey(nodeKey);
    if (url !== undefined && element instanceof HTMLImageElement) element.src = url;
  };
  const end = editor.registerMutationListener(ImageNode, (mutations) => {
    for (const [nodeKey, mutation] of mutations) if (mutation === 'created') void show(nodeKey);
  });
  return () => {
    end();
    detached.abort();
    for (const loading of urls.values()) void loading.then((url) => url !== undefined && URL.revokeObjectURL(url));
  };
}

/** Inserts an image at the cursor, or at the end. */
export function insertImage(editor: LexicalEditor, image: RichImage): void {
  editor.update(() => {
    if (!$getSelection()) $getRoot().selectEnd();
    $insertNodes([new ImageNode(image)]);
  });
}

/** Colours the selected text; null takes the colour away. */
export function setColor(editor: LexicalEditor, color: AnnounceColor | null): void {
  editor.update(() => {
    const selection = $getSelection();
    if ($isRangeSelection(selection)) $patchStyleText(selection, { color: color && styleOf(color) });
  });
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

export const NO_FORMAT: CursorFormat = { block: 'p', formats: [], href: undefined, align: 'left', color: undefined };

function $readAlign(node: LexicalNode): Align {
  const block = $findMatchingParent(node, (parent) => $isElementNode(parent) && !parent.isInline());
  const align = $isElementNode(block) ? block.getFormatType() : '';
  return align === 'center' || align === 'right' ? align : 'left';
}

function $readCursorFormat(): CursorFormat {
  const selection = $getSelection();
  if (!$isRangeSelection(selection)) return NO_FORMAT;
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
    align: $readAlign(node),
    color: colorOf(`color: ${$getSelectionStyleValueForProperty(selection, 'color')}`),
  };
}
