import { type FileItem, type FileReading, makeLine, makeMention } from './address-file-line.rules.ts';
import { peek } from './address-file-text.rules.ts';
import { type XmlElement, parseXml } from './address-sax.rules.ts';
import { MENTION, coinOfKind, readMentions } from './address-sdn.rules.ts';
import { readUkText } from './address-uk.rules.ts';

/** Characters in which the root is looked for. */
const HEAD = 64 * 1024;
const UK_ROOT = /<(?:\w+:)?Designations[\s>]/;

/** Reads the UK Sanctions List, or one of OFAC: sdn.xml, sdn_advanced.xml or sdn_enhanced.xml. */
export async function readXml(texts: AsyncIterable<string>): Promise<FileReading> {
  const { head, all } = await peek(texts, HEAD);
  if (UK_ROOT.test(head.join('')))
    return { format: 'uk', items: parseXml<FileItem>(all, ({ text, line }) => readUkText(text, line)) };
  return { format: 'sdn_xml', items: parseXml(all, makeSdnReader()) };
}

/** The three files of OFAC name a kind and its value in elements of their own. Any other text that mentions one is read as well. */
function makeSdnReader(): (element: XmlElement) => FileItem[] {
  /** sdn_advanced.xml: codes of coins by the ids of their kinds, which are declared first. */
  const coins = new Map<string, string>();
  return (element) => {
    const { name, text, line, attributes, children, parent } = element;
    const coin = coinOfKind(text);
    switch (name) {
      case 'id':
        return readPair(element, children.get('idType'), children.get('idNumber'));
      case 'feature':
        return readPair(element, children.get('type'), children.get('value'));
      case 'FeatureType':
        if (coin !== undefined) coins.set(attributes['ID'] ?? '', coin);
        return [];
      case 'VersionDetail': {
        const kind = coins.get(aroundOf(element, 'Feature')?.attributes['FeatureTypeID'] ?? '');
        return kind === undefined || text.trim() === ''
          ? readOther(element)
          : [makeMention(line, text.trim(), kind, 'SDN')];
      }
      case 'FeatureVersion':
        // The value may be missing.
        return coins.has(parent?.attributes['FeatureTypeID'] ?? '') &&
          (children.get('VersionDetail') ?? '').trim() === ''
          ? [makeLine(line, `${MENTION} ${parent?.attributes['ID'] ?? ''}`)]
          : [];
      case 'idType':
      case 'type':
        return coin === undefined ? readOther(element) : [];
      default:
        return readOther(element);
    }
  };
}

/** sdn.xml and sdn_enhanced.xml: the kind and the number of an identity, or a feature and its value. */
function readPair({ line }: XmlElement, kind = '', value = ''): FileItem[] {
  const coin = coinOfKind(kind);
  if (coin === undefined) return [];
  return value.trim() === '' ? [makeLine(line, kind)] : [makeMention(line, value.trim(), coin, 'SDN')];
}

/** Values that are declared are no mentions. */
const readOther = ({ text, line, parent }: XmlElement): FileItem[] =>
  text.includes(MENTION) && parent?.name !== 'referenceValue' ? readMentions(text, line) : [];

function aroundOf({ parent }: XmlElement, name: string): XmlElement | undefined {
  return parent === undefined || parent.name === name ? parent : aroundOf(parent, name);
}
