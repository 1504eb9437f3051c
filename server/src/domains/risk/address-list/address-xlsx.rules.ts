import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';
import { type FileReading, TEXT_COST, UnreadableFile } from './address-file-line.rules.ts';
import { type Row, readTable } from './address-csv.rules.ts';
import { decodeText } from './address-file-text.rules.ts';
import { type XmlElement, parseXml } from './address-sax.rules.ts';

/** A workbook is read in any order, so all of it is in memory. */
const WORKBOOK_MAX = 24 * 1024 * 1024;
/** Characters of the texts that cells share. */
const TEXTS_MAX = 16 * 1024 * 1024;

/** Unpacked bytes of a sheet, and files in a workbook. */
const SHEET_MAX = 512 * 1024 * 1024;
const PARTS_MAX = 10_000;

const SHEET = /^xl\/worksheets\/[^/]+\.xml$/i;
const SHARED_TEXTS = /^xl\/sharedStrings\.xml$/i;
/** How spreadsheets write a control character. */
const ESCAPED = /_x([0-9A-F]{4})_/gi;
/** Integers that a spreadsheet keeps exactly. */
const EXACT_DIGITS = 15;

/**
 * Reads the only sheet of a workbook that has rows.
 *
 * @throws UnreadableFile
 */
export async function readXlsx(bytes: AsyncIterable<Buffer>, coin: string | undefined): Promise<FileReading> {
  const zip = await openZip(await collect(bytes));
  const parts = await listParts(zip);
  const sheets = parts.filter(({ fileName }) => SHEET.test(fileName));
  if (sheets.length === 0) throw notAWorkbook();
  if (sheets.some(({ uncompressedSize }) => uncompressedSize > SHEET_MAX)) throw new UnreadableFile('工作表过大');
  const shared = parts.find(({ fileName }) => SHARED_TEXTS.test(fileName));
  const texts = shared ? await readSharedTexts(openPart(zip, shared)) : [];
  return { format: 'xlsx', items: readTable(readSheets(zip, sheets, texts), coin) };
}

const notAWorkbook = (): UnreadableFile => new UnreadableFile('不是 xlsx 文件，请另存为 xlsx 或 CSV');

async function collect(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const limitBytes = async function* (): AsyncGenerator<Buffer> {
    let size = 0;
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > WORKBOOK_MAX) throw new UnreadableFile('xlsx 文件超过 24 MB，请另存为 CSV');
      yield chunk;
    }
  };
  return buffer(limitBytes());
}

async function openZip(content: Buffer): Promise<yauzl.ZipFile> {
  try {
    return await yauzl.fromBufferPromise(content);
  } catch {
    throw notAWorkbook();
  }
}

async function listParts(zip: yauzl.ZipFile): Promise<yauzl.Entry[]> {
  if (zip.entryCount > PARTS_MAX) throw notAWorkbook();
  const parts: yauzl.Entry[] = [];
  try {
    for await (const part of zip.eachEntry()) parts.push(part);
  } catch {
    throw notAWorkbook();
  }
  return parts;
}

/** The text of a part. Its size was declared, and more is not unpacked. */
async function* openPart(zip: yauzl.ZipFile, part: yauzl.Entry): AsyncGenerator<string> {
  try {
    yield* decodeText(await zip.openReadStreamPromise(part));
  } catch (error) {
    throw error instanceof UnreadableFile ? error : new UnreadableFile('xlsx 文件已损坏');
  }
}

const unescapeText = (text: string): string =>
  text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Whether a text is how a cell is pronounced, and not its content. */
const isPhonetic = ({ parent }: XmlElement): boolean => parent?.name === 'rPh';

async function readSharedTexts(xml: AsyncIterable<string>): Promise<string[]> {
  const texts: string[] = [];
  let size = 0;
  let text = '';
  const ended = parseXml<string>(xml, (element) => {
    if (element.name === 't' && !isPhonetic(element)) text += element.text;
    if (element.name !== 'si') return [];
    const whole = unescapeText(text);
    text = '';
    return [whole];
  });
  for await (const one of ended) {
    size += one.length + TEXT_COST;
    if (size > TEXTS_MAX) throw new UnreadableFile('xlsx 文件中的文字过多，请另存为 CSV');
    texts.push(one);
  }
  return texts;
}

async function* readSheets(
  zip: yauzl.ZipFile,
  sheets: readonly yauzl.Entry[],
  texts: readonly string[],
): AsyncGenerator<Row> {
  let used: yauzl.Entry | undefined;
  for (const sheet of sheets) {
    for await (const row of readSheet(openPart(zip, sheet), texts)) {
      used ??= sheet;
      if (used !== sheet) throw new UnreadableFile('有多个工作表，请只保留含地址的一个');
      yield row;
    }
  }
}

async function* readSheet(xml: AsyncIterable<string>, texts: readonly string[]): AsyncGenerator<Row> {
  let cells: string[] = [];
  let numbers = new Set<number>();
  let inline = '';
  let line = 0;
  yield* parseXml<Row>(xml, (element) => {
    const { name, attributes, children } = element;
    if (name === 't' && !isPhonetic(element)) inline += element.text;
    if (name === 'c') {
      const column = columnOf(attributes['r']) ?? cells.length;
      while (cells.length < column) cells.push('');
      const type = attributes['t'] ?? 'n';
      cells[column] = readCell(type, children.get('v') ?? '', inline, texts).trim();
      if (type === 'n') numbers.add(column);
      inline = '';
    }
    if (name !== 'row') return [];
    line = Number(attributes['r'] ?? line + 1);
    const row = { line, cells, numbers };
    cells = [];
    numbers = new Set();
    return row.cells.some((cell) => cell !== '') ? [row] : [];
  });
}

/** The index of `C` in the reference `C7`. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  return Buffer.from(letters).reduce((sum, code) => sum * 26 + code - 64, 0) - 1;
}

function readCell(type: string, value: string, inline: string, texts: readonly string[]): string {
  if (type === 's') return texts[Number(value)] ?? '';
  if (type === 'inlineStr') return unescapeText(inline);
  if (type === 'str') return unescapeText(value);
  return type === 'n' ? readNumber(value) : '';
}

/** A number is a memo at best. */
function readNumber(value: string): string {
  const number = Number(value);
  const isExact = Number.isInteger(number) && Math.abs(number) < 10 ** EXACT_DIGITS;
  return value === '' || !isExact ? value : String(number);
}
