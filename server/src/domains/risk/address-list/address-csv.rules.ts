import { familyOf } from '@hengtai/contract/values/network';
import { CsvError, parse } from 'csv-parse';
import { Readable, pipeline } from 'node:stream';
import {
  type FileItem,
  type FileLine,
  type FileReading,
  ITEM_MAX,
  UnreadableFile,
  makeLine,
} from './address-file-line.rules.ts';
import { chain, peek } from './address-file-text.rules.ts';
import { isWalletHeader, readWalletRow } from './address-opensanctions.rules.ts';
import { MENTION, isRestRow, isSdnRow, readMentions, readSdnRow } from './address-sdn.rules.ts';
import { isUkRow, readUkText } from './address-uk.rules.ts';

const FIELDS = ['address', 'network', 'memo', 'reason'] as const;
type Field = (typeof FIELDS)[number];

const HEADER_WORDS: Readonly<Record<Field, readonly string[]>> = {
  address: ['address', 'addr', 'walletaddress', 'wallet', '地址', '钱包地址', '链上地址', '账户地址', '收款地址'],
  network: ['network', 'chain', 'blockchain', '网络', '链', '公链', '主网', '链名', '网络名称'],
  memo: ['memo', 'tag', 'memotag', 'destinationtag', 'paymentid', '备注', '标签', '地址备注', '地址标签'],
  reason: ['reason', 'note', 'notes', 'remark', 'remarks', 'comment', 'description', '原因', '说明', '理由', '描述'],
};
/** The order of a table without a header. */
const DEFAULT_COLUMNS: readonly Field[] = ['address', 'network', 'reason'];

/** The first comma, semicolon or tab behind a cell of a line that is no comment. */
const DELIMITER = /^(?!#)(?:"(?:[^"]|"")*"|[^,;\t\r\n]+)([,;\t])/m;
/** Characters in which it is looked for. */
const HEAD = 64 * 1024;

export interface Row {
  /** Its number in the file; of a row of several lines the last. */
  line: number;
  cells: string[];
  /** Columns whose cells are numbers of a spreadsheet. */
  numbers?: ReadonlySet<number>;
}

async function* parseRows(texts: AsyncIterable<string>, delimiter: string): AsyncGenerator<Row> {
  const parser = parse({
    bom: true,
    delimiter,
    comment: '#',
    comment_no_infix: true,
    max_record_size: ITEM_MAX,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
  });
  try {
    // The parser passes errors of both on.
    const records: AsyncIterable<{ record: string[]; info: { lines: number } }> = pipeline(
      Readable.from(texts),
      parser,
      () => undefined,
    );
    for await (const { record, info } of records) yield { line: info.lines, cells: record };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const problem = error.code === 'CSV_MAX_RECORD_SIZE' ? '一行过长，引号可能没有结束' : '引号没有结束';
    throw new UnreadableFile(`第 ${Number(error['lines'])} 行无法识别：${problem}`);
  }
}

const toFolded = (cell: string): string =>
  cell
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_/-]/g, '');
const fieldOf = (cell: string): Field | undefined =>
  FIELDS.find((field) => HEADER_WORDS[field].includes(toFolded(cell)));

/** The fields of the columns if the first row is a header, with undefined for columns that say something else. */
function readHeader(cells: readonly string[]): (Field | undefined)[] | undefined {
  const columns = cells.map(fieldOf);
  const named = columns.filter((column) => column !== undefined);
  const isHeader = columns[0] !== undefined || named.includes('address') || isUnknownHeader(cells);
  if (!isHeader) return undefined;
  if (!named.includes('address')) throw new UnreadableFile('表头没有地址列');
  if (new Set(named).size < named.length) throw new UnreadableFile('表头有重复的列');
  return columns;
}

/** No address consists of letters alone, but names of columns do. */
const isUnknownHeader = (cells: readonly string[]): boolean =>
  cells.length > 1 && cells.every((cell) => /^[A-Za-z_ ]*$/.test(cell));

/**
 * Reads rows of a table: columns in any order under a header, else address, network and reason. Cells behind the last column
 * belong to it if it is the reason.
 *
 * @throws UnreadableFile
 */
export async function* readTable(rows: AsyncIterable<Row>, coin?: string): AsyncGenerator<FileItem> {
  let columns: readonly (Field | undefined)[] | undefined;
  let hasHeader = false;
  for await (const row of rows) {
    if (columns) yield* readRow(row, columns, hasHeader, coin);
    else {
      const header = readHeader(row.cells);
      hasHeader = header !== undefined;
      columns = header ?? DEFAULT_COLUMNS;
      if (!header) yield* readRow(row, columns, hasHeader, coin);
    }
  }
}

function readRow(
  row: Row,
  columns: readonly (Field | undefined)[],
  hasHeader: boolean,
  coin: string | undefined,
): FileLine[] {
  const text = row.cells.join(',');
  if (text.includes(MENTION)) return row.cells.flatMap((cell) => readMentions(cell, row.line));
  const last = columns.length - 1;
  const isOpen = columns[last] === 'reason';
  const cells = isOpen ? [...row.cells.slice(0, last), row.cells.slice(last).join(', ')] : row.cells;
  const cellOf = (field: Field): string => cells[columns.indexOf(field)] ?? '';
  const isMisplaced =
    cells.length > columns.length ||
    row.numbers?.has(columns.indexOf('address')) === true ||
    (!hasHeader && familyOf(cellOf('address')) !== 'opaque');
  const line = makeLine(row.line, text, {
    address: isMisplaced ? '' : cellOf('address'),
    network: cellOf('network'),
    memo: cellOf('memo'),
    reason: cellOf('reason'),
  });
  return [line.network === '' && coin !== undefined ? { ...line, coin } : line];
}

/** @param coin that the name of the file says */
export async function readCsv(texts: AsyncIterable<string>, coin: string | undefined): Promise<FileReading> {
  const { head, all } = await peek(texts, HEAD);
  const delimiter = DELIMITER.exec(head.join('').replace(/^\uFEFF/, ''))?.[1] ?? ',';
  const rows = parseRows(all, delimiter);
  const first = await rows.next();
  const cells = first.done ? [] : first.value.cells;
  const every = chain(first.done ? [] : [first.value], rows);
  if (isSdnRow(cells)) {
    const areRests = isRestRow(cells);
    const items = flatMap(every, (row) => readSdnRow(row.cells, row.line, areRests && isRestRow(row.cells)));
    return { format: areRests ? 'sdn_comments' : 'sdn', items };
  }
  if (isUkRow(cells))
    return { format: 'uk', items: flatMap(every, (row) => row.cells.flatMap((cell) => readUkText(cell, row.line))) };
  if (isWalletHeader(cells))
    return { format: 'opensanctions', items: flatMap(every, (row) => readWalletRow(cells, row.cells, row.line)) };
  return { format: 'table', items: readTable(every, coin) };
}

async function* flatMap<T, R>(source: AsyncIterable<T>, read: (item: T) => Iterable<R>): AsyncGenerator<R> {
  for await (const item of source) yield* read(item);
}
