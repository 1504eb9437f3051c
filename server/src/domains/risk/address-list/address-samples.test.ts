import { createReadStream, readdirSync } from 'node:fs';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { type FileEntry, readBatches } from './address-file.rules.ts';

const FOLDER = new URL('../../../../../testing/address-files/', import.meta.url);

/** Four addresses, of which one has a memo. */
const ROWS = [
  ['149w62rY42aZBox8fGcmqNsXUzSStKeq8C', 'BTC', '', '骗局'],
  ['0x7F367cC41522cE07553e823bf3be79A889DEbe1B', 'ERC20', '', '含逗号, 的原因'],
  ['rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY', 'XRP', '7', ''],
  ['TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', 'TRC20', '', ''],
];

/** Files that cannot be used, with a part of what the operator reads. */
const REFUSED: Readonly<Record<string, string>> = {
  'exceljs-error.xlsx': '第 4 行无法识别',
  'exceljs-sheets.xlsx': '有多个工作表',
  'gnumeric-number.csv': '第 3 行无法识别',
  'gnumeric-number.xlsx': '第 3 行无法识别',
  'libreoffice-number.csv': '第 3 行无法识别',
  'libreoffice-number.xlsx': '第 3 行无法识别',
  'libreoffice.ods': '请另存为 xlsx 或 CSV',
};

async function readPieces(bytes: AsyncIterable<Buffer>, fileName: string): Promise<FileEntry[]> {
  const entries: FileEntry[] = [];
  for await (const batch of readBatches(bytes, { list: 1, fileName })) entries.push(...batch.entries);
  return entries;
}
const read = (fileName: string): Promise<FileEntry[]> =>
  readPieces(createReadStream(new URL(fileName, FOLDER), { highWaterMark: 100 }), fileName);

const samples = readdirSync(FOLDER).filter((fileName) => !fileName.endsWith('.md'));

test.each(samples.filter((fileName) => !(fileName in REFUSED)))('%s is read completely', async (fileName) => {
  const entries = await read(fileName);
  expect(entries.map(({ address, network, memo, reason }) => [address, network, memo, reason])).toEqual(ROWS);
  expect(entries.some(({ asText }) => asText)).toBe(false);
});

test.each(Object.entries(REFUSED))('%s is refused', async (fileName, message) => {
  await expect(read(fileName)).rejects.toThrow(message);
});

test('a workbook that is damaged is refused', async () => {
  const whole = createReadStream(new URL('libreoffice.xlsx', FOLDER));
  const bytes = Buffer.concat(await whole.toArray());
  for (const size of [3, 2_000, bytes.length - 10])
    await expect(readPieces(Readable.from([bytes.subarray(0, size)]), 'a.xlsx')).rejects.toThrow('xlsx');
});
