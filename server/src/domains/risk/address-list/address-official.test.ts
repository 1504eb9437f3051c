import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import {
  type Entry,
  toCoinList,
  toFtmJson,
  toNestedJson,
  toSdnAdvancedXml,
  toSdnCsv,
  toSdnEnhancedXml,
  toSdnXml,
  toSimpleCsv,
  toUkCsv,
  toUkXml,
} from '../../../../../testing/official-lists.ts';
import { type FileBatch, readBatches } from './address-file.rules.ts';
import { joinRemarks } from './address-sdn.rules.ts';

const BTC = '149w62rY42aZBox8fGcmqNsXUzSStKeq8C';
const ETH = '0x7F367cC41522cE07553e823bf3be79A889DEbe1B';
const TRX = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE';
/** A payment number, which OFAC lists as an address of Monero. */
const XMR = '5be5543ff73456ab9f2d207887e2af87322c651ea1a873c5b25b7ffae456c320';

const ENTRIES: readonly Entry[] = [
  { number: 36, mentions: [] },
  {
    number: 1_001,
    mentions: [
      { coin: 'XBT', address: BTC },
      { coin: 'ETH', address: ETH },
      { coin: 'USDT', address: TRX },
      { coin: 'XMR', address: XMR },
    ],
  },
];
const ALL = [BTC, ETH, TRX, XMR].toSorted();

/** Reads a file that arrives in pieces of so many bytes. */
async function read(content: string, { fileName = 'list', size = 37 } = {}) {
  const bytes = Buffer.from(content);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  const batches: FileBatch[] = [];
  for await (const batch of readBatches(Readable.from(pieces), { list: 3, fileName })) batches.push(batch);
  const entries = batches.flatMap((batch) => batch.entries);
  return {
    format: batches[0]?.format,
    found: batches.reduce((sum, { found }) => sum + found, 0),
    addresses: entries.map(({ address }) => address).toSorted(),
    asText: entries.filter(({ asText }) => asText).map(({ address }) => address),
    remarks: batches.flatMap(({ remarks }) => remarks),
  };
}

describe('a list', () => {
  test.each([
    ['sdn', toSdnCsv(ENTRIES).sdn],
    ['sdn_xml', toSdnXml(ENTRIES)],
    ['sdn_xml', toSdnAdvancedXml(ENTRIES)],
    ['sdn_xml', toSdnEnhancedXml(ENTRIES)],
    ['opensanctions', toFtmJson(ENTRIES)],
    ['opensanctions', toNestedJson(ENTRIES)],
    ['opensanctions', toSimpleCsv(ENTRIES)],
  ])('of the kind %s is read for each address that it mentions', async (format, content) => {
    for (const size of [1, 37, 1_000_000])
      expect(await read(content, { size })).toMatchObject({ format, found: 4, addresses: ALL });
  });

  test.each([toSdnXml(ENTRIES), toSdnAdvancedXml(ENTRIES), toSdnEnhancedXml(ENTRIES), toSdnCsv(ENTRIES).sdn])(
    'of OFAC keeps a text that its coin does not know',
    async (content) => expect((await read(content)).asText).toEqual([XMR]),
  );

  test('of one coin has it in its name', async () => {
    const fileName = 'sanctioned_addresses_XMR.txt';
    expect(await read(toCoinList([XMR]), { fileName })).toMatchObject({ addresses: [XMR], asText: [XMR] });
    expect(await read(JSON.stringify([XMR]), { fileName: 'sanctioned_addresses_XMR.json' })).toMatchObject({
      asText: [XMR],
    });
  });

  test.each([toUkCsv(ENTRIES), toUkXml(ENTRIES)])(
    'of the United Kingdom is searched for addresses',
    async (content) => {
      const { format, addresses } = await read(content);
      expect(format).toBe('uk');
      expect([...new Set(addresses)]).toEqual([BTC, ETH, TRX].toSorted());
    },
  );

  test('with a typing error in an address keeps its text', async () => {
    const wrong = `${BTC.slice(0, -1)}D`;
    const entries = [{ number: 1, mentions: [{ coin: 'XBT', address: wrong }] }];
    for (const content of [toSdnCsv(entries).sdn, toSdnAdvancedXml(entries), toUkXml(entries), toFtmJson(entries)])
      expect(await read(content)).toMatchObject({ asText: [wrong] });
  });
});

describe('remarks that OFAC cuts', () => {
  const long: Entry = { number: 7, remarks: 'x'.repeat(950), mentions: ENTRIES[1]?.mentions ?? [] };
  const { sdn, comments } = toSdnCsv([...ENTRIES, long]);

  test('are joined with their rest, also in the middle of an address', async () => {
    const [first, second] = [await read(sdn), await read(comments)];
    expect([first.format, second.format]).toEqual(['sdn', 'sdn_comments']);
    expect(second).toMatchObject({ found: 0, addresses: [] });
    const joined = joinRemarks([...second.remarks, ...first.remarks], true);
    expect(joined.unfinished).toBe(0);
    expect(joined.lines.map(({ address }) => address).toSorted()).toEqual(ALL);
    // One of the two entries with this address has it in both files.
    expect(sdn.split(BTC)).toHaveLength(2);
  });

  test('are unfinished without it, and the rest without them', async () => {
    const [first, second] = [await read(sdn), await read(comments)];
    expect(joinRemarks(first.remarks, true)).toMatchObject({ unfinished: 1, lines: [] });
    expect(joinRemarks(second.remarks, false)).toMatchObject({ unfinished: 1, lines: [] });
  });

  test('are refused if they are too many, empty ones as well', async () => {
    await expect(read('7,\n'.repeat(130_000), { size: 65_536 })).rejects.toThrow('被截断的备注过多');
  });
});

describe('a list is refused with the line', () => {
  test.each([
    ['an entry without its address', toSdnXml(ENTRIES).replace(ETH, ''), '第 9 行无法识别'],
    ['a feature without its value', toSdnAdvancedXml(ENTRIES).replace(ETH, ''), '行无法识别'],
    ['a feature without its element', toSdnEnhancedXml(ENTRIES).replace(`<value>${ETH}</value>`, ''), '行无法识别'],
    ['a wallet without its key', toFtmJson(ENTRIES).replace(`"publicKey":["${ETH}"],`, ''), '第 4 行无法识别'],
    ['a row without its address', toSdnCsv(ENTRIES).sdn.replace(` ${ETH}`, ''), '第 2 行提到 4 个地址，只识别出 3 个'],
    ['an end that is missing', toSdnXml(ENTRIES).slice(0, -12), '不是有效的 XML'],
    ['an entity that it does not declare', toSdnXml(ENTRIES).replace('Male', '&male;'), '不是有效的 XML'],
    [
      'a document type',
      toSdnXml(ENTRIES).replace('<sdnList', '<!DOCTYPE a [<!ENTITY b "c">]>\n<sdnList'),
      '第 2 行无法识别：含有文档类型',
    ],
    ['deep elements', `<a>${'<b>'.repeat(100)}`, 'XML 层级过深'],
  ])('for %s', async (_name, content, message) => {
    await expect(read(content)).rejects.toThrow(message);
  });
});
