import { parseSignable } from '@hengtai/contract/risk/signing/text';
import type { SigningKey } from '@hengtai/contract/risk/signing/schema';
import { expect, test } from 'vitest';
import {
  type MandateFields,
  NO_COIN,
  mandateProblem,
  mandateText,
  rosterProblem,
  rosterText,
  signerKeys,
} from './drafts.ts';
import { draftTitle } from './words.ts';

const page = { url: 'https://sign.example.com/signing/', relyingParty: 'sign.example.com', isApart: true };
const key = (index: number, person = `person-${index}`): SigningKey => ({
  key: String(index).padStart(22, 'k'),
  person,
  publicKey: `MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE${String(index).padStart(85, 'A')}A`,
  createdAt: 0,
  inRoster: index < 3,
});
const heldOf = (text: string) => ({ version: 1, threshold: 2, text, digest: 'd'.repeat(64), at: 0, signsDigest: true });

test('drafts of rosters are accepted by the signing page and follow the one in force', () => {
  const first = rosterText(null, page, [key(1), key(2)], 2);
  expect(parseSignable(first)).toMatchObject({ version: 1, previous: null, origins: ['https://sign.example.com'] });
  const next = rosterText(heldOf(first), page, [key(1), key(3)], 2);
  expect(parseSignable(next)).toMatchObject({ version: 2, previous: 'd'.repeat(64) });
  expect(draftTitle({ text: first }, null, [])).toBe('名册第 1 版：2 个密钥，2 人签名');
  expect(draftTitle({ text: next }, heldOf(first), [])).toBe('名册第 2 版：新增 1，移除 1，2 人签名');
});

test('a roster needs as many persons as must sign, not keys', () => {
  expect(rosterProblem([key(1), key(2, 'person-1')], 2)).toBe('至少需要 2 位签名人的密钥，现有 1 位');
  expect(rosterProblem([key(1), key(2)], 2)).toBeUndefined();
  expect(rosterProblem([key(1), key(2), key(3, 'PERSON-1')], 2)).toContain('只差大小写');
});

test('a draft is signed by keys of the roster in force, the first one by its own', () => {
  const mine = { page, required: false, person: 'person-1', roster: null, relyingParty: null, keys: [key(1), key(3)] };
  const first = rosterText(null, page, [key(2), key(3)], 2);
  expect(signerKeys(mine, null, first)).toEqual([key(3).key]);
  expect(signerKeys(mine, heldOf(first), first)).toEqual([key(1).key]);
});

test('drafts of mandates are canonical, whatever is typed', () => {
  const fields: MandateFields = {
    id: 'auto-1',
    platform: 2,
    from: 1,
    until: 2,
    coins: [{ market: ' USDT ', networks: 'TRC20、ERC20, TRC20', largest: '0100.50', perDay: '2000.' }],
  };
  expect(mandateProblem(fields)).toBeUndefined();
  expect(parseSignable(mandateText(fields, { version: 3, digest: 'd'.repeat(64), signsDigest: true }))).toMatchObject({
    roster: 3,
    rosterDigest: 'd'.repeat(64),
    platform: 2,
    coins: [{ market: 'USDT', networks: ['TRC20', 'ERC20'], largest: '100.5', perDay: '2000' }],
  });
  const text = mandateText(fields, { version: 3, digest: 'd'.repeat(64), signsDigest: false });
  expect(parseSignable(text)).not.toHaveProperty('rosterDigest');
  const platforms = [
    { id: 1, name: '主站' },
    { id: 2, name: '新加坡站' },
  ];
  expect(draftTitle({ text }, null, platforms)).toBe('授权 auto-1（新加坡站）：每日 2000 USDT');
  expect(draftTitle({ text }, null, platforms.slice(0, 1))).toBe('授权 auto-1：每日 2000 USDT');
  for (const part of [{ id: 'a b' }, { until: 1 }, { from: undefined }, { coins: [NO_COIN] }])
    expect(mandateProblem({ ...fields, ...part })).toEqual(expect.any(String));
});
