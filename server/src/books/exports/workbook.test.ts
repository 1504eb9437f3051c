// @module-tag full
import { setImmediate } from 'node:timers/promises';
import { recharge } from '@hengtai/contract/funds/recharge/calls';
import { describe, expect, test } from 'vitest';
import { parseCsv } from '../../../test/csv.ts';
import { dataOf, readXlsx, unzip, valuesOf } from '../../../test/xlsx.ts';
import { csv } from './csv.ts';
import { type ExportContent, exportRequest } from './request.ts';
import { columnName, xmlText } from './sheet-xml.ts';
import { wallClock } from './wall-clock.ts';
import { workbook } from './workbook.ts';
import { PIECE_BYTES, zip } from './zip.ts';

const { list } = recharge.list;

async function* batches(rows: readonly object[], size: number): AsyncGenerator<object[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}

const contentOf = (rows: readonly object[], columns: string[], total = rows.length): ExportContent => ({
  title: '充值记录',
  operator: 'admin',
  at: 0,
  list,
  request: exportRequest({ list } as never, { columns, zone: 'UTC' }),
  fullList: { total, summary: [], batches: batches(rows, 7) },
});

async function bytesOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

const numbered = (count: number): object[] => Array.from({ length: count }, (_, id) => ({ id: id + 1 }));

describe('an xlsx file', () => {
  test.each([0, 1, 10, 11, 20, 25])('splits %d rows over sheets of ten, and loses none', async (count) => {
    const sheets = readXlsx(await bytesOf(workbook(contentOf(numbered(count), ['id']), { sheetRows: 10 })));
    const names = sheets.map(({ name }) => name);
    expect(names).toHaveLength(Math.max(1, Math.ceil(count / 10)) + 1);
    expect(names.slice(0, 2)).toEqual(['充值记录', count > 10 ? '充值记录 2' : '说明']);
    const data = sheets.slice(0, -1).map((sheet) => dataOf(sheet));
    expect(data.map(([head]) => head)).toEqual(data.map(() => ['编号']));
    expect(data.flatMap(([, ...rows]) => rows)).toEqual(numbered(count).map((_, i) => [String(i + 1)]));
    expect(sheets[0]?.xml).toContain('ySplit="1"');
  });

  test('fails when the list has fewer rows than counted', async () => {
    await expect(bytesOf(workbook(contentOf(numbered(5), ['id'], 6)))).rejects.toThrow('ended after 5 of 6');
  });

  test('preserves every character of a text, and cuts texts that exceed a cell', async () => {
    const texts = [
      'a\u0000b\u000b\u001f',
      '_x000B_ & <b> "q"',
      'cr\r\nlf\ttab',
      '🙂𠮷',
      '\ud800x\udc00',
      '\uffff\ufffe',
      'x'.repeat(40_000),
    ];
    const sheets = readXlsx(
      await bytesOf(
        workbook(
          contentOf(
            texts.map((remark) => ({ remark })),
            ['remark'],
          ),
        ),
      ),
    );
    const found = dataOf(sheets[0])
      .slice(1)
      .map(([text]) => text);
    expect(found.slice(0, 4)).toEqual(texts.slice(0, 4));
    expect(found.slice(4, 6)).toEqual(['\ufffdx\ufffd', texts[5]]);
    expect([found[6]?.length, found[6]?.at(-1)]).toEqual([32_767, '…']);
    const codes = Array.from(sheets[0]?.xml ?? '', (char) => char.codePointAt(0) ?? 0);
    expect(codes.filter((code) => code < 32 && code !== 9 && code !== 10)).toEqual([]);
  });

  test('writes integers of sixteen digits and more as text', async () => {
    const ids = [999_999_999_999_999, 9_007_199_254_740_991];
    const sheets = readXlsx(
      await bytesOf(
        workbook(
          contentOf(
            ids.map((id) => ({ id })),
            ['id'],
          ),
        ),
      ),
    );
    expect(sheets[0]?.rows.slice(1).map(([cell]) => [cell?.kind, cell?.value])).toEqual([
      ['number', '999999999999999'],
      ['text', '9007199254740991'],
    ]);
    expect(
      valuesOf(sheets[1] ?? { name: '', xml: '', rows: [] })
        .flat()
        .join(),
    ).toContain('1 个数字');
  });

  test('reads no more rows than its reader takes', async () => {
    let batchesRead = 0;
    const content = contentOf([], ['remark'], 1_000_000);
    async function* endless(): AsyncGenerator<object[]> {
      for (;;) {
        batchesRead += 1;
        yield Array.from({ length: 1000 }, () => ({ remark: String(Math.random()) }));
      }
    }
    const bytes = workbook({ ...content, fullList: { total: 1_000_000, batches: endless() } });
    for (let taken = 0; taken < 200_000;) taken += (await bytes.next()).value?.length ?? 0;
    const before = batchesRead;
    expect(before).toBeLessThan(100);
    for (let turn = 0; turn < 1000; turn += 1) await setImmediate();
    // Only the small buffers of the compressor are filled ahead.
    expect(batchesRead - before).toBeLessThanOrEqual(3);
    await bytes.return(undefined);
  });

  test('names columns as spreadsheets do', () => {
    expect([0, 25, 26, 51, 52, 701, 702].map(columnName)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']);
    expect(xmlText('a&b')).toBe('a&amp;b');
  });
});

describe('an archive', () => {
  async function* files(names: readonly string[]) {
    for (const name of names) yield { name, chunks: chunksOf(name) };
  }
  async function* chunksOf(name: string) {
    for (let i = 0; i < 50; i += 1) yield `${name} ${i} `.repeat(100);
  }
  const names = ['a.xml', '目录/二.xml', 'c.xml'];

  test.each([undefined, 1_000, 10])('can be read back, with 64-bit offsets above %s', async (widest) => {
    const bytes = await bytesOf(zip(files(names), { widest }));
    const found = unzip(bytes);
    expect([...found.keys()]).toEqual(names);
    for (const name of names) {
      const want: string[] = [];
      for await (const chunk of chunksOf(name)) want.push(chunk);
      expect(found.get(name)?.toString()).toBe(want.join(''));
    }
    expect(bytes.includes(Buffer.from([0x50, 0x4b, 6, 6]))).toBe(widest !== undefined);
  });

  test('contains every byte of chunks that no buffer divides, and of empty ones', async () => {
    const chunks = Array.from({ length: 250 }, (_, i) =>
      i % 9 === 8 ? '' : `${'x'.repeat(i % 4)}${`🙂已${i}`.repeat(400 + i)}`,
    );
    chunks.push('y'.repeat(3 * PIECE_BYTES), '');
    async function* entries() {
      yield {
        name: 'a.xml',
        chunks: (async function* () {
          yield* chunks;
        })(),
      };
      yield { name: 'empty.xml', chunks: (async function* () {})() };
    }
    const found = unzip(await bytesOf(zip(entries())));
    expect(found.get('a.xml')?.equals(Buffer.from(chunks.join('')))).toBe(true);
    expect(found.get('a.xml')?.length).toBeGreaterThan(10 * PIECE_BYTES);
    expect(found.get('empty.xml')?.length).toBe(0);
  });

  test('that is interrupted has no central directory', async () => {
    async function* broken() {
      yield* files(names);
      throw new Error('gone');
    }
    const received: Buffer[] = [];
    const reading = (async () => {
      for await (const chunk of zip(broken())) received.push(chunk);
    })();
    await expect(reading).rejects.toThrow('gone');
    expect(received.length).toBeGreaterThan(3);
    expect(() => unzip(Buffer.concat(received))).toThrow('no central directory');
  });
});

describe('comma-separated values', () => {
  test('contain no text that a spreadsheet evaluates as a formula', async () => {
    const texts = [
      '=1+1',
      '+1',
      '-1',
      '@a',
      '\tx',
      '\rx',
      ' =1',
      '＝1',
      '＋1',
      '－1',
      '＠1',
      'a=1',
      '1-1',
      "'=1",
      '中文',
      'a"b,c\nd',
    ];
    const bytes = await bytesOf(
      csv(
        contentOf(
          texts.map((remark) => ({ remark, amount: '-1.5' })),
          ['remark', 'amount'],
        ),
      ),
    );
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [head, ...rows] = parseCsv(bytes.toString());
    expect(head).toEqual(['备注', '数量']);
    expect(rows.map(([text]) => text)).toEqual(texts.map((text, i) => (i < 11 ? `'${text}` : text)));
    expect(new Set(rows.map(([, amount]) => amount))).toEqual(new Set(['-1.5']));
  });
});

describe('clocks', () => {
  test.each(['Asia/Shanghai', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC', 'Pacific/Apia'])(
    '%s gives the local time, also around changes of the offset',
    (zone) => {
      const clock = wallClock(zone);
      const start = Date.UTC(2011, 0, 1);
      for (let i = 0; i < 4000; i += 1) {
        const ms = start + i * 3_599_123 * 31 + (i % 7) * 997;
        expect(clock.text(ms)).toBe(new Date(Math.floor(ms / 1000) * 1000).toLocaleString('sv', { timeZone: zone }));
        const days = Number(clock.serial(ms));
        const displayed = new Date(Math.round((days - 25_569) * 86_400) * 1000).toISOString();
        expect(displayed.slice(0, 19).replace('T', ' ')).toBe(clock.text(ms));
      }
    },
  );

  test('a day that spreadsheets cannot show has no serial number', () => {
    const clock = wallClock('UTC');
    expect(clock.serial(8_640_000_000_000_000)).toBeUndefined();
    expect(clock.serial(Date.UTC(1900, 1, 1))).toBeUndefined();
    expect(clock.serial(Date.UTC(1900, 2, 1))).toBe('61');
  });
});
