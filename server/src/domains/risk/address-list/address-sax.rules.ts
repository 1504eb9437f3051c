import sax from 'sax';
import { ITEM_MAX, UnreadableFile } from './address-file-line.rules.ts';

/** Elements inside each other. */
const DEPTH_MAX = 64;

/** An element that has ended, or one around it. */
export interface XmlElement {
  /** Without the prefix of its namespace. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** Its own text, so far. */
  text: string;
  /** Number of the line where it begins, from 1. */
  line: number;
  parent: XmlElement | undefined;
  /** Texts of its children that have ended, the last of each name. */
  children: Map<string, string>;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Parses XML in pieces and yields what `onEnd` makes of each element when it ends. Only the elements around a place are in
 * memory. A document type is refused, so nothing can define entities.
 *
 * @throws UnreadableFile
 */
export async function* parseXml<T>(
  texts: AsyncIterable<string>,
  onEnd: (element: XmlElement) => readonly T[],
): AsyncGenerator<T> {
  const parser = sax.parser(true, { position: true });
  let items: T[] = [];
  let current: XmlElement | undefined;
  let depth = 0;
  const fail = (problem: string): never => {
    throw new UnreadableFile(`第 ${parser.line + 1} 行无法识别：${problem}`);
  };
  const addText = (text: string): void => {
    if (!current) return;
    current.text += text;
    if (current.text.length > ITEM_MAX) fail('一段文字过长');
  };
  Object.assign(parser, {
    onerror: () => fail('不是有效的 XML'),
    ondoctype: () => fail('含有文档类型（DOCTYPE）的 XML 不能使用'),
    onopentag: ({ name, attributes }) => {
      if (++depth > DEPTH_MAX) fail('XML 层级过深');
      current = {
        name: localName(name),
        attributes: attributes as Record<string, string>,
        text: '',
        line: parser.line + 1,
        parent: current,
        children: new Map(),
      };
    },
    ontext: addText,
    oncdata: addText,
    onclosetag: () => {
      if (!current) return;
      depth--;
      const ended = current;
      current = ended.parent;
      items.push(...onEnd(ended));
      current?.children.set(ended.name, ended.text);
    },
  } satisfies Partial<sax.SAXParser>);
  for await (const text of texts) {
    parser.write(text);
    yield* items;
    items = [];
  }
  parser.close();
  yield* items;
}
