import { describe, expect, test } from 'vitest';
import { Readable } from 'node:stream';
import { type FileBatch, type FileEntry, readBatches } from './address-file.rules.ts';
import { decodeText } from './address-file-text.rules.ts';
import { toTextKey } from './address-key.rules.ts';
import { requireFinished } from './address-sdn.rules.ts';

test.each([
  ['0x52908400098527886E0F7030069857D2E4169EE7', '0x52908400098527886e0f7030069857d2e4169ee7'],
  ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  [' bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4\n', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  // The case of base58 distinguishes addresses.
  ['TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'],
  ['1BoatSLRHtKNngkdXEeobR76b53LETtpyT', '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'],
  ['0x5290', '0x5290'],
])('servers of the last release compare %s as %s', (address, key) => {
  expect(toTextKey(address, '')).toBe(key);
});

/** Reads a file as one that stands alone, cut into pieces of so many bytes. */
async function parse(content: string | Buffer, list: 1 | 3 = 1, { fileName = 'a.csv', size = 1_000 } = {}) {
  const bytes = Buffer.from(content);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  const entries = new Map<string, FileEntry>();
  let format: FileBatch['format'] | undefined;
  let found = 0;
  for await (const batch of readBatches(Readable.from(pieces), { list, fileName })) {
    ({ format } = batch);
    requireFinished(batch.remarks);
    found += batch.found;
    for (const entry of batch.entries) if (!entries.has(entry.account)) entries.set(entry.account, entry);
  }
  const all = [...entries.values()];
  return { format, entries: all, found, asText: all.filter(({ asText }) => asText).length };
}
const EMPTY = { network: '', memo: '', reason: '' };

describe('a file', () => {
  test('has one address a line, with network and reason, and comments', async () => {
    const content =
      '\uFEFFaddress,network,reason\r\n# of our own\r\nT-one\r\n\r\n T-two , TRC20 , fraud, twice \r\nT-one';
    const file = await parse(content);
    expect(file).toMatchObject({ found: 3, asText: 2 });
    expect(file.entries).toMatchObject([
      { address: 'T-one', key: 'T-one', ...EMPTY },
      { address: 'T-two', key: 'T-two', network: 'TRC20', reason: 'fraud, twice' },
    ]);
  });

  test.each([
    ['commas', '地址,网络,备注,原因\nrOne1,XRP,7,"骗,局"'],
    ['semicolons', 'Reason;Destination Tag;Chain;Wallet Address\n骗,局;7;XRP;rOne1'],
    ['tabs', '编号\t说明\t标签\t链\t钱包地址\n1\t骗,局\t7\tXRP\trOne1'],
    ['quotes', '"address";"memo";"network";"reason"\r\n"rOne1";"7";"XRP";"骗,局"\r\n;;;\r\n'],
    ['JSON', '[{"address":"rOne1","network":"XRP","memo":"7","reason":"骗,局"}]'],
    ['JSON with a number as memo', '[{"address":" rOne1","network":"XRP","memo":7,"reason":"骗,局"}]'],
  ])('is read with %s, and its columns in any order', async (_name, content) => {
    expect((await parse(content)).entries).toMatchObject([
      { address: 'rOne1', network: 'XRP', memo: '7', reason: '骗,局' },
    ]);
  });

  test('names an account once, whatever its text, and counts what is compared as text', async () => {
    const evm = '0x52908400098527886E0F7030069857D2E4169EE7';
    const file = await parse(JSON.stringify([evm, evm.toLowerCase(), 'T-one', { address: evm, network: 'trc20' }]));
    expect(file).toMatchObject({ found: 4, asText: 1 });
    expect(file.entries).toHaveLength(2);
  });

  test('has one entry for each memo of a blocked account, and one for a sanctioned account', async () => {
    const lines = 'address,memo\nrPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY,1\nrPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY,2';
    expect((await parse(lines)).entries).toHaveLength(2);
    expect((await parse(lines, 3)).entries).toHaveLength(1);
  });

  test('as the SDN list is read for its addresses, from text and from XML', async () => {
    const text =
      '36,"PERSON, A","individual","CYBER2",-0- ,"DOB 1990; Digital Currency Address - XBT 149w62rY42aZBox8fGcmqNsXUzSStKeq8C; ' +
      'alt. Digital Currency Address - ETH 0x7F367cC41522cE07553e823bf3be79A889DEbe1B; Secondary sanctions risk"';
    const read = await parse(text, 3);
    expect(read).toMatchObject({ found: 2, asText: 0 });
    expect(read.entries.map(({ key, reason }) => [key, reason])).toEqual([
      ['149w62rY42aZBox8fGcmqNsXUzSStKeq8C', 'SDN XBT'],
      ['0x7f367cc41522ce07553e823bf3be79a889debe1b', 'SDN ETH'],
    ]);
    const xml =
      '<id><idType>Digital Currency Address - TRX</idType>\n  <idNumber>TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE</idNumber></id>';
    expect((await parse(xml, 3)).entries).toMatchObject([
      { address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', reason: 'SDN TRX' },
    ]);
    // Each line whose address is of another coin than it says is compared as text as well.
    const zcash = text.replace('XBT 149w62rY42aZBox8fGcmqNsXUzSStKeq8C', 'ZEC t1MMXtBrSp1XG38Lx9cePcNUCJj5vdWfUWL');
    expect(await parse(zcash, 3)).toMatchObject({ found: 2, asText: 1 });
  });

  test('as the SDN list is refused if it names an address that is not read, or if its remarks were cut', async () => {
    const unread =
      '1,"A"\n2,"B","Digital Currency Address - XBT; alt. Digital Currency Address - ETH 0x7F367cC41522cE07553e823bf3be79A889DEbe1B"';
    await expect(parse(unread, 3)).rejects.toThrow('第 2 行提到 2 个地址，只识别出 1 个');
    const remarks = 'Digital Currency Address - XBT 149w62rY42aZBox8fGcmqNsXUzSStKeq8C; '.padEnd(1_000, 'x');
    await expect(parse(`36,"A","${remarks}"`, 3)).rejects.toThrow('编号 36 的备注在 1000 字符处被截断');
    expect((await parse(`36,"A","${remarks.slice(0, 999)}"`, 3)).entries).toHaveLength(1);
  });

  test.each(['T one', ',TRC20', `T,${'x'.repeat(33)}`, 'x'.repeat(257), '钱包', 'TRC20,T-two', '--,TRC20'])(
    'with the line %s names it',
    async (line) => {
      await expect(parse(`T-first\n${line}`)).rejects.toThrow('第 2 行');
    },
  );

  test('names all lines that cannot be read, and says why a file as a whole cannot be', async () => {
    await expect(parse('T-first\nT one\n\n# fine\nT two')).rejects.toThrow('第 2、5 行无法识别（共 2 行）：T one');
    await expect(parse('["T-one", 5, {"memo": "1"}]')).rejects.toThrow('第 2、3 行');
    await expect(parse('[1')).rejects.toThrow('JSON');
    await expect(parse('network,address,address\nTRC20,T-one,T-two')).rejects.toThrow('重复');
    await expect(parse('network,memo\nTRC20,T-one')).rejects.toThrow('没有地址列');
    await expect(parse('address,memo\nT-one,1,2')).rejects.toThrow('第 2 行');
    await expect(parse('T-one\n"T-two')).rejects.toThrow('引号');
    await expect(parse('T-one,\uFFFD\uFFFD')).rejects.toThrow('编码');
  });
});

describe('a file as text', () => {
  test.each([
    ['UTF-8', [0xe5, 0x9c, 0xb0, 0xe5, 0x9d, 0x80, 0x2c, 0x54]],
    ['UTF-8 with a byte order mark', [0xef, 0xbb, 0xbf, 0xe5, 0x9c, 0xb0, 0xe5, 0x9d, 0x80, 0x2c, 0x54]],
    ['GB18030', [0xb5, 0xd8, 0xd6, 0xb7, 0x2c, 0x54]],
    ['UTF-16', [0xff, 0xfe, 0x30, 0x57, 0x40, 0x57, 0x2c, 0x00, 0x54, 0x00]],
    ['UTF-8 with the end that OFAC writes', [0xe5, 0x9c, 0xb0, 0xe5, 0x9d, 0x80, 0x2c, 0x54, 0x1a, 0x0d, 0x0a]],
  ])('in %s is read, in pieces of any size', async (_name, bytes) => {
    for (const size of [2, 3, 100]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        Buffer.from(bytes.slice(at * size, (at + 1) * size)),
      );
      expect((await Readable.from(decodeText(Readable.from(pieces))).toArray()).join('')).toBe('地址,T');
    }
  });
});
