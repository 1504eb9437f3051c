import { createHash } from 'node:crypto';
import type {
  AddressEntries,
  AddressImport,
  AddressImportDetail,
  AddressOverview,
} from '@hengtai/contract/risk/address-list/schema';
import { ADDRESS_UPLOAD_MAX } from '@hengtai/contract/wire/input-values';
import type { Envelope } from '@hengtai/contract/wire/envelope';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeOperator } from '../../../../test/factories.ts';
import { type Approvers, callAs, lockFourEyes, makeApprovers } from '../../../../test/four-eyes.ts';
import { type TestServer, call, testServer, unique } from '../../../../test/server.ts';
import { type Entry, toCoinList, toSdnCsv } from '../../../../../testing/official-lists.ts';
import { removeAbandonedFiles } from './address-upload.service.ts';

const PUBLISHED = Date.UTC(2026, 10, 20);
const BTC = '149w62rY42aZBox8fGcmqNsXUzSStKeq8C';
const ETH = '0x7F367cC41522cE07553e823bf3be79A889DEbe1B';

let server: TestServer;
let approvers: Approvers;
beforeAll(async () => {
  server = await testServer({ jobs: false });
  approvers = await makeApprovers(server);
});
afterAll(() => server.stop());

interface UploadOptions {
  list?: number;
  fileName?: string;
  source?: string;
  draft?: number;
  token?: string;
  headers?: Record<string, string>;
}

/** Uploads a file as the raw body. */
async function upload(
  content: string | Buffer,
  { token = approvers.admin.token, headers, ...fields }: UploadOptions = {},
) {
  const query = { list: '3', fileName: 'list.txt', source: 'own', publishedAt: String(PUBLISHED), ...texts(fields) };
  const answer = await server.server.inject({
    method: 'POST',
    url: '/api/v1/admin/address_list/upload',
    query,
    headers: { token, 'content-type': 'application/octet-stream', ...headers },
    payload: Buffer.from(content),
  });
  return { ...answer.json<Envelope<AddressImportDetail>>(), status: answer.statusCode };
}

const texts = (fields: object): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));

const apply = ({ row: { id, added, removed } }: AddressImportDetail) =>
  callAs<AddressImport & { id: number }>(server, approvers.admin, 'address_list/apply', { id, added, removed });
const entriesOf = async (list: number) =>
  (
    await call<AddressEntries>(server, 'GET', 'address_list/entries', { list }, { token: approvers.admin.token })
  ).data.list
    .map(({ address }) => address)
    .toSorted();
const keptRows = async () => {
  const [row] = await server.query<{ files: number; entries: number }>(sql`
    select (select count(*) from address_file)::int as files, (select count(*) from address_file_entry)::int as entries`);
  return row;
};

describe('a file as the body', () => {
  test('is read as a draft, applied, and then its content is not kept twice', async () => {
    const content = `\uFEFF${BTC}\r\n${ETH}\r\n`;
    const { code, data } = await upload(content);
    expect({ code, data }).toMatchObject({
      code: 200,
      data: {
        row: { entries: 2, found: 2, asText: 0, unfinished: 0, added: 2, removed: 0, state: 0, fileName: 'list.txt' },
        files: [{ fileName: 'list.txt', format: 'table', found: 2, bytes: Buffer.byteLength(content) }],
        count: 0,
      },
    });
    // As other tools compute it.
    expect(data.row.checksum).toBe(createHash('sha256').update(content).digest('hex'));
    expect(await entriesOf(3)).toEqual([]);
    expect(await apply(data)).toMatchObject({ code: 200, data: { added: 2, entries: 2 } });
    expect(await entriesOf(3)).toEqual([BTC, ETH].toSorted());
    expect(await keptRows()).toEqual({ files: 1, entries: 0 });
  });

  test('is not JSON, whatever its content type says; JSON still is', async () => {
    const json = await upload('["T-list"]', { list: 1, headers: { 'content-type': 'text/plain' } });
    expect(json.data).toMatchObject({ row: { entries: 1 }, files: [{ format: 'json' }] });
    const body = { list: 1, fileName: 'a.txt', source: 'own', publishedAt: PUBLISHED, content: 'T-one\n' };
    const { data } = await callAs<AddressImportDetail>(server, approvers.admin, 'address_list/upload', body);
    expect(data.row.checksum).toBe('3dad114e84ea0b76f95e3ce6123b8581e32292569ed848f4613b592936b93825');
  });

  test('names every line that cannot be read, and nothing of it is kept', async () => {
    const before = await keptRows();
    const lines = Array.from({ length: 3_000 }, (_, index) => (index % 1_000 === 500 ? 'not one' : `T-line-${index}`));
    const { code, msg, data } = await upload(lines.join('\n'));
    expect({ code, msg, data }).toMatchObject({
      code: 422,
      msg: '内容：第 501、1501、2501 行无法识别（共 3 行）：not one',
      data: [{ field: 'content' }, { field: 'content/501' }, { field: 'content/1501', msg: '第 1501 行：not one' }, {}],
    });
    expect(await upload('# nothing')).toMatchObject({ code: 422, msg: '内容中没有地址' });
    await removeAbandonedFilesAfter(73 * 3_600_000);
    expect(await keptRows()).toEqual(before);
  });

  test('is refused before it is received without the ability, full scope or its fields, or if it is too large', async () => {
    const without = await makeOperator(server, approvers.admin.token, { abilities: [1] });
    const below = await makeOperator(server, approvers.admin.token, { abilities: [9] });
    for (const { token } of [without, below])
      expect(await upload('T-one', { token })).toMatchObject({ code: 403, status: 200 });
    expect(await upload('T-one', { list: 2 })).toMatchObject({ code: 422 });
    expect(await upload('T-one', { source: '' })).toMatchObject({ code: 422 });
    const large = { 'content-length': String(ADDRESS_UPLOAD_MAX + 1) };
    expect(await upload('T-one', { headers: large })).toMatchObject({ code: 413, status: 413 });
    expect(await upload('T-one', { token: 'none' })).toMatchObject({ code: 400 });
  });

  test('with the same key is the same draft; another file is not', async () => {
    const headers = { 'idempotency-key': unique('key-') };
    const first = await upload('T-key', { list: 1, headers });
    expect(await upload('T-key', { list: 1, headers })).toMatchObject({
      code: 200,
      data: { row: { id: first.data.row.id } },
    });
    expect(await upload('T-other', { list: 1, headers })).toMatchObject({ code: 409 });
  });
});

/** Removes what no draft has, after a time that no upload takes. */
async function removeAbandonedFilesAfter(ms: number): Promise<void> {
  server.clock.move(ms);
  await removeAbandonedFiles(server.app);
  server.clock.move(-ms);
}

describe('several files', () => {
  test('are one draft, whose addresses count once', async () => {
    const first = await upload(toCoinList([BTC, 'T-several']), { fileName: 'sanctioned_addresses_XBT.txt' });
    const { id } = first.data.row;
    const second = await upload(toCoinList([ETH, BTC]), { draft: id, fileName: 'sanctioned_addresses_ETH.txt' });
    expect(second.data).toMatchObject({
      row: { id, entries: 3, found: 4, asText: 1 },
      files: [{ fileName: 'sanctioned_addresses_XBT.txt', found: 2 }, { fileName: 'sanctioned_addresses_ETH.txt' }],
    });
    const digests = second.data.files.map(({ checksum }) => `${checksum}\n`).join('');
    expect(second.data.row.checksum).toBe(createHash('sha256').update(digests).digest('hex'));
    const { drafts } = (
      await call<AddressOverview>(server, 'GET', 'address_list/list', {}, { token: approvers.admin.token })
    ).data;
    expect(drafts.find((draft) => draft.id === id)).toMatchObject({ entries: 3, added: 1 });
    expect(await upload('T-x', { draft: id, list: 1 })).toMatchObject({ code: 422 });
    expect(await upload('T-x', { draft: id, source: 'other' })).toMatchObject({ code: 422 });
    expect(await upload('T-x', { draft: 999_999 })).toMatchObject({ code: 404 });
    expect(await apply(second.data)).toMatchObject({ code: 200 });
    expect(await upload('T-x', { draft: id })).toMatchObject({ code: 409 });
    expect(await entriesOf(3)).toEqual([BTC, ETH, 'T-several'].toSorted());
  });

  test('of the SDN list are applied only together, in either order', async () => {
    const entry: Entry = { number: 7, remarks: 'x'.repeat(950), mentions: [{ coin: 'XBT', address: BTC }] };
    const { sdn, comments } = toSdnCsv([{ number: 1, mentions: [{ coin: 'ETH', address: ETH }] }, entry]);
    const files = [
      { content: sdn, fileName: 'sdn.csv', entries: 1 },
      { content: comments, fileName: 'sdn_comments.csv', entries: 0 },
    ];
    for (const [first, second] of [files, files.toReversed()]) {
      if (!first || !second) throw new Error('Two files are needed.');
      const half = await upload(first.content, { fileName: first.fileName });
      expect(half.data.row).toMatchObject({ entries: first.entries, unfinished: 1 });
      expect(await apply(half.data)).toMatchObject({ code: 409, msg: expect.stringContaining('备注不完整') });
      const whole = await upload(second.content, { fileName: second.fileName, draft: half.data.row.id });
      expect(whole.data.row).toMatchObject({ entries: 2, found: 2, unfinished: 0, asText: 0 });
      for (const { content, fileName } of files)
        expect(await upload(content, { fileName, draft: half.data.row.id })).toMatchObject({
          code: 422,
          msg: '内容：编号 7 的备注在草稿的另一文件中已有',
        });
      expect(await apply(whole.data)).toMatchObject({ code: 200 });
      expect(await entriesOf(3)).toEqual([BTC, ETH].toSorted());
    }
  });
});

describe('while four-eyes are locked', () => {
  beforeAll(() => lockFourEyes(server, approvers));

  test('an approval covers the files that its checker saw', async () => {
    const half = await upload('T-kept');
    const asked = await apply(half.data);
    expect(asked).toMatchObject({ code: 202 });
    await upload('T-slipped-in', { draft: half.data.row.id });
    const before = await entriesOf(3);
    expect(await callAs(server, approvers.second, 'approval/pass', { id: asked.data.id })).toMatchObject({ code: 409 });
    expect(await entriesOf(3)).toEqual(before);
  });
});
