import { familyOf } from '@hengtai/contract/network';
import { CsvError, parse } from 'csv-parse/sync';
import { type FileLine, UnreadableFile } from './address-file-line.rules.ts';

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

interface Row {
  /** Its number in the file; of a row of several lines the last. */
  line: number;
  cells: string[];
}

function parseRows(content: string): Row[] {
  const delimiter = DELIMITER.exec(content.replace(/^\uFEFF/, ''))?.[1] ?? ',';
  const rows: Row[] = [];
  try {
    parse(content, {
      bom: true,
      delimiter,
      comment: '#',
      comment_no_infix: true,
      on_record: (cells: string[], { lines }) => {
        rows.push({ line: lines, cells });
        return null;
      },
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UnreadableFile(`第 ${Number(error['lines'])} 行无法识别：引号没有结束`);
  }
  return rows;
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
  if (columns[0] === undefined && !named.includes('address')) return undefined;
  if (!named.includes('address')) throw new UnreadableFile('表头没有地址列');
  if (new Set(named).size < named.length) throw new UnreadableFile('表头有重复的列');
  return columns;
}

/**
 * Reads a table: columns in any order under a header, else address, network and reason. `#` begins a comment. Commas behind
 * the last column belong to it if it is the reason.
 *
 * @throws UnreadableFile
 */
export function readCsvLines(content: string): FileLine[] {
  const rows = parseRows(content);
  const header = rows[0] && readHeader(rows[0].cells);
  const columns = header ?? DEFAULT_COLUMNS;
  return rows.slice(header ? 1 : 0).map((row) => {
    const last = columns.length - 1;
    const isOpen = columns[last] === 'reason';
    const cells = isOpen ? [...row.cells.slice(0, last), row.cells.slice(last).join(', ')] : row.cells;
    const cellOf = (field: Field): string => cells[columns.indexOf(field)] ?? '';
    const isMisplaced = cells.length > columns.length || (!header && familyOf(cellOf('address')) !== 'opaque');
    return {
      line: row.line,
      text: row.cells.join(','),
      address: isMisplaced ? '' : cellOf('address'),
      network: cellOf('network'),
      memo: cellOf('memo'),
      reason: cellOf('reason'),
    };
  });
}
