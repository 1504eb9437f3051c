import { deflateSync } from 'node:zlib';
import { Transformer } from '@napi-rs/image';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { ABILITY } from '@hengtai/contract/authority/ability';
import type { AnnounceImage, AnnounceRow } from '@hengtai/contract/desk/announce/schema';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeOperator } from '../../../../test/factories.ts';
import { PNG, bytesOf } from '../../../../test/identity.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { compileRegexpsUnoptimized } from '../../../../test/regexps.ts';
import { call, login, platformCall, provideServer } from '../../../../test/server.ts';
import { sweepImages } from './announce.jobs.ts';

const server = provideServer({ jobs: false });
let writer: string;

compileRegexpsUnoptimized();
beforeAll(async () => {
  writer = (await makeOperator(server, await login(server), { abilities: [ABILITY.platform] })).token;
});

const DAY = 86_400_000;
const upload = (image: string) =>
  call<AnnounceImage>(server, 'POST', 'announce/image/add', { image }, { token: writer });
const uploadBytes = (type: string, bytes: Buffer) => upload(`data:image/${type};base64,${bytes.toString('base64')}`);
const read = (key: string, token = writer) =>
  server.server.inject({ url: `${API_BASE}announce/image?key=${key}`, headers: { token } });
const add = (content: string) =>
  call<AnnounceRow[]>(
    server,
    'POST',
    'announce/add',
    { announceList: [{ lang: 'zh-CN', title: '图', content, platform: 0, state: 1 }] },
    { token: writer },
  );
const imageTag = ({ src }: Pick<AnnounceImage, 'src'>): string => `<p><img src="${src}" alt="图"></p>`;

function pngChunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  // The size is refused before the check sums are read.
  return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)]);
}

function pngOfSize(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    bytesOf(PNG).subarray(0, 8),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

const solid = (width: number, height: number): Transformer =>
  Transformer.fromRgbaPixels(new Uint8Array(width * height * 4).fill(200), width, height);

/** Inserts a comment and an Exif block that turns the image by 90 degrees. */
function withMetadata(jpeg: Buffer): Buffer {
  const exif = Buffer.from('45786966000049492a000800000001001201030001000000060000000000000000000000', 'hex');
  const segment = (marker: number, data: Buffer): Buffer =>
    Buffer.concat([Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff]), data]);
  return Buffer.concat([
    jpeg.subarray(0, 2),
    segment(0xe1, exif),
    segment(0xfe, Buffer.from('secret place')),
    jpeg.subarray(2),
  ]);
}

describe('announce/image/add', () => {
  test('encodes the image again: upright, without metadata, not above the stored size', async () => {
    const jpeg = withMetadata(await solid(2_000, 1_000).jpeg(80));
    const answer = await uploadBytes('png', jpeg);
    expect(answer).toMatchObject({ code: 200, data: { width: 800, height: 1_600 } });
    const { key, src } = answer.data;
    expect(src).toBe(`/platform/v1/announcements/image?key=${key}`);
    const response = await read(key);
    expect(response.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect(response.rawPayload.includes('secret place')).toBe(false);
    expect(response.rawPayload.includes('Exif')).toBe(false);
    expect(await new Transformer(response.rawPayload).metadata(true)).toMatchObject({
      format: 'webp',
      width: 800,
      height: 1_600,
    });
    expect(await fetchAuditRows(server, { requestId: answer.requestId })).toMatchObject([
      { action: 'announce.imageAdd', result: 200, after: { image: key, width: 800 } },
    ]);
  });

  test.each([
    ['more pixels than a decoder should expand', 'png', () => pngOfSize(7_000, 7_000), '尺寸过大'],
    ['a side that is too long', 'png', () => pngOfSize(65_000, 1), '尺寸过大'],
    ['a file that is no image', 'png', () => Buffer.from('<svg onload="alert(1)"/>'), '只能是'],
    ['an image that ends early', 'png', () => bytesOf(PNG).subarray(0, 40), '无法读取'],
    ['check sums that do not match', 'png', () => pngOfSize(10, 10), '无法读取'],
    ['a head without a body', 'jpeg', () => Buffer.from('ffd8ffe000104a46494600', 'hex'), '无法读取'],
    [
      'an animation',
      'webp',
      () => Buffer.from('524946461600000057454250565038580a00000002000000090000090000', 'hex'),
      '动图',
    ],
    ['more bytes than allowed', 'png', () => Buffer.concat([bytesOf(PNG), Buffer.alloc(4 * 1024 * 1024)]), '4 MB'],
  ])('refuses %s', async (_title, type, bytes, msg) => {
    const answer = await uploadBytes(type, bytes());
    expect(answer).toMatchObject({ code: 422, data: [{ field: 'image' }] });
    expect(answer.msg).toContain(msg);
  });

  test('accepts almost four megabytes', async () => {
    // A decoder ignores what follows the image.
    const bytes = Buffer.concat([bytesOf(PNG), Buffer.alloc(4 * 1024 * 1024 - 4_096)]);
    expect(await uploadBytes('png', bytes)).toMatchObject({ code: 200 });
  });
});

describe('an image in a content', () => {
  test('is kept with its size, counts as content, and must exist', async () => {
    const { data: image } = await upload(PNG);
    const content = `<p data-align="center"><img src="${image.src}" width="40" height="0" onerror="x()" style="x"></p>`;
    const answer = await add(content);
    expect(answer.data[0]?.content).toBe(`<p data-align="center"><img src="${image.src}" alt="" width="40" /></p>`);
    for (const src of [image.src.replace(image.key, 'f'.repeat(32)), `${image.src}0`, 'https://a.example/b.png'])
      expect(await add(imageTag({ src }))).toMatchObject({ code: 422, data: [{ field: 'announceList/0/content' }] });
  });

  test('is read by operators with the ability and by the platform', async () => {
    const { data: image } = await upload(PNG);
    const stranger = await makeOperator(server, await login(server), { abilities: [] });
    expect((await read(image.key, stranger.token)).json()).toMatchObject({ code: 403 });
    expect((await read('0'.repeat(32))).json()).toMatchObject({ code: 404 });
    const answer = await platformCall<{ data: string }>(server, 'GET', `announcements/image?key=${image.key}`);
    expect(answer).toMatchObject({ code: 200, data: { type: 'image/webp', width: 1, height: 1 } });
    expect(Buffer.from(answer.data.data, 'base64').equals((await read(image.key)).rawPayload)).toBe(true);
    expect(await platformCall(server, 'GET', `announcements/image?key=${'0'.repeat(32)}`)).toMatchObject({ code: 404 });
  });

  test('is deleted a day after nothing contains it any more', async () => {
    const { data: used } = await upload(PNG);
    const { data: unused } = await upload(PNG);
    const { data: rows } = await add(imageTag(used));
    const codes = async () => [(await read(used.key)).statusCode, (await read(unused.key)).statusCode];
    await sweepImages(server.app);
    expect(await codes()).toEqual([200, 200]);
    server.clock.move(DAY + 1_000);
    writer = (await makeOperator(server, await login(server), { abilities: [ABILITY.platform] })).token;
    await sweepImages(server.app);
    expect((await read(used.key)).statusCode).toBe(200);
    expect((await read(unused.key)).json()).toMatchObject({ code: 404 });
    await call(server, 'POST', 'announce/save', { id: rows[0]?.id, content: '<p>x</p>' }, { token: writer });
    await sweepImages(server.app);
    expect((await read(used.key)).json()).toMatchObject({ code: 404 });
    expect(await server.query(sql`select 1 as n from announce_image_use where image_key = ${used.key}`)).toEqual([]);
  });
});
