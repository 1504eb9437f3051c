import { crc32, inflateRawSync } from 'node:zlib';

/** A cell as stored: a number with its original digits, or a text. */
export interface SheetCell {
  kind: 'number' | 'text';
  value: string;
  style: number;
}

export interface Sheet {
  name: string;
  xml: string;
  /** Cells by row and column, both from 0; undefined for an empty cell. */
  rows: (SheetCell | undefined)[][];
}

/** Files of a ZIP archive by name, read through the central directory; supports ZIP64. */
export function unzip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0) throw new Error('no central directory');
  let count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  if (at === 0xffffffff) {
    const wide = Number(bytes.readBigUInt64LE(end - 20 + 8));
    count = Number(bytes.readBigUInt64LE(wide + 32));
    at = Number(bytes.readBigUInt64LE(wide + 48));
  }
  const files = new Map<string, Buffer>();
  for (let i = 0; i < count; i += 1) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const extraLength = bytes.readUInt16LE(at + 30);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    let extra = at + 46 + nameLength + 4;
    const wide = (value: number): number => {
      if (value !== 0xffffffff) return value;
      extra += 8;
      return Number(bytes.readBigUInt64LE(extra - 8));
    };
    const size = wide(bytes.readUInt32LE(at + 24));
    const packed = wide(bytes.readUInt32LE(at + 20));
    const offset = wide(bytes.readUInt32LE(at + 42));
    const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    const file = inflateRawSync(bytes.subarray(start, start + packed));
    if (file.length !== size) throw new Error(`${name} has ${file.length} bytes and not ${size}`);
    if (crc32(file) !== bytes.readUInt32LE(at + 16)) throw new Error(`${name} has another checksum than its entry`);
    files.set(name, file);
    at += 46 + nameLength + extraLength + bytes.readUInt16LE(at + 32);
  }
  return files;
}

const XML_ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

const plainText = (xml: string): string =>
  xml
    .replaceAll(/&(lt|gt|amp|quot);/g, (_all, name: string) => XML_ENTITIES[name] ?? '')
    .replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

const columnIndexOf = (letters: string): number =>
  Array.from(letters).reduce((place, letter) => place * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** Sheets of an xlsx file in order. */
export function readXlsx(bytes: Buffer): Sheet[] {
  const files = unzip(bytes);
  const text = (name: string): string => files.get(name)?.toString('utf8') ?? '';
  const names = [...text('xl/workbook.xml').matchAll(/<sheet name="([^"]*)"/g)].map(([, name = '']) => plainText(name));
  return names.map((name, i) => {
    const xml = text(`xl/worksheets/sheet${i + 1}.xml`);
    const rows: Sheet['rows'] = [];
    for (const [, letters = '', row, style, value, words] of xml.matchAll(
      /<c r="([A-Z]+)(\d+)" s="(\d+)"(?:><v>([^<]*)<\/v>| t="inlineStr"><is><t(?: xml:space="preserve")?>([^<]*)<\/t><\/is>)<\/c>/g,
    )) {
      const line = (rows[Number(row) - 1] ??= []);
      line[columnIndexOf(letters)] =
        words === undefined
          ? { kind: 'number', value: value ?? '', style: Number(style) }
          : { kind: 'text', value: plainText(words), style: Number(style) };
    }
    return { name, xml, rows };
  });
}

/** Cell values as text. A row without cells is an empty array. */
export const valuesOf = ({ rows }: Sheet): string[][] =>
  Array.from(rows, (row) => Array.from(row ?? [], (cell) => cell?.value ?? ''));

/**
 * Header and data rows of a sheet, which its auto filter covers, without the rows below. Every row has a cell for each
 * column.
 */
export function dataOf(sheet: Sheet | undefined): string[][] {
  const last = Number(/<autoFilter ref="A1:[A-Z]+(\d+)"\/>/.exec(sheet?.xml ?? '')?.[1] ?? 0);
  const values = sheet ? valuesOf(sheet) : [];
  const width = values[0]?.length ?? 0;
  return Array.from({ length: last }, (_row, i) => Array.from({ length: width }, (_cell, c) => values[i]?.[c] ?? ''));
}
