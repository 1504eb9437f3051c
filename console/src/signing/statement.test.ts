import { createHash } from 'node:crypto';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import {
  type PayoutText,
  type Roster,
  CONSENT_MAX,
  InvalidText,
  groupDigest,
  parseConsent,
} from '@hengtai/contract/risk/signing/text';
import { withdrawStates } from '@hengtai/contract/funds/withdraw/facts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatGrouped, sum } from '../ui/value/decimal.ts';
import type { SignRequest } from './request.ts';
import { payoutStates } from './payout-view.ts';
import { statementOf } from './statement.ts';
import type { View } from './view.ts';

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const requestOf = (texts: string[], more: Partial<SignRequest> = {}): SignRequest => ({
  type: 'hengtai.signing.sign',
  person: 'maker',
  roster: 1,
  relyingParty: 'localhost',
  keys: ['a'.repeat(22)],
  texts,
  previous: null,
  ...more,
});
const valuesOf = (view: View, label: string): string[] =>
  view.blocks.flatMap(({ rows }) =>
    rows
      .filter((row) => row.label === label)
      .map(({ value, coin }) => (coin === undefined ? value : `${value} ${coin}`)),
  );
const titlesOf = ({ blocks }: View): (string | undefined)[][] => blocks.map(({ tag, subject }) => [tag, subject]);

// Faster than the strings of fast-check, which first build a table of all characters.
const character = fc.oneof(fc.integer({ min: 0, max: 0xd7_ff }), fc.integer({ min: 0xe0_00, max: 0x10_ff_ff }));
const name = (max: number, min = 1) =>
  fc
    .array(character, { minLength: min, maxLength: max })
    .map((codes) => String.fromCodePoint(...codes))
    .filter((text) => text.length <= max);
const amount = fc
  .tuple(
    fc.bigInt({ min: 0n, max: 10n ** 24n - 1n }),
    fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), maxLength: 18 }),
  )
  .map(([whole, digits]) => {
    const fraction = digits.replace(/0+$/, '');
    return `${whole}${fraction && `.${fraction}`}`;
  });
const payout: fc.Arbitrary<PayoutText> = fc.record({
  kind: fc.constant('payout'),
  command: fc.constant('withdraw.payout'),
  platform: fc.integer({ min: 1, max: 99 }),
  no: name(64),
  attempt: fc.integer({ min: 1, max: 99 }),
  account: name(32),
  market: fc.constantFrom('USDT', 'BTC', 'ETH'),
  network: name(16),
  address: name(128),
  memo: name(64, 0),
  amount,
  fee: amount,
  received: amount.filter((text) => text !== '0'),
  state: fc.constantFrom(0, 7),
  maker: name(32),
});

describe('payouts', () => {
  test('every field is shown, in the order of the digests that are signed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(payout, { minLength: 1, maxLength: 4 }), async (payouts) => {
        const texts = [...new Set(payouts.map(stableJson))];
        const shown = texts.map((text) => JSON.parse(text) as PayoutText);
        const { view, consentAt } = await statementOf(requestOf(texts));
        expect(parseConsent(consentAt(5))).toEqual({
          kind: 'consent',
          person: 'maker',
          roster: 1,
          at: 5,
          digests: texts.map(sha256),
        });
        const expected: Record<string, (one: PayoutText) => string> = {
          打款数量: ({ received, market }) => `${formatGrouped(received)} ${market}`,
          提现数量: (one) => `${formatGrouped(one.amount)} ${one.market}`,
          手续费: ({ fee, market }) => `${formatGrouped(fee)} ${market}`,
          收款地址: ({ address }) => address,
          网络: ({ network }) => network,
          '标签(Memo)': ({ memo }) => (memo === '' ? '无' : memo),
          用户账号: ({ account }) => account,
          币种: ({ market }) => market,
          平台单号: ({ no }) => no,
          打款次数: ({ attempt }) => `第 ${attempt} 次`,
          提现状态: ({ state }) => (state === 0 ? '待审核（0）' : '打款失败（7）'),
          提交人: ({ maker }) => maker,
          平台编号: ({ platform }) => String(platform),
          指令: ({ command }) => command,
        };
        for (const [label, textOf] of Object.entries(expected))
          expect(valuesOf(view, label)).toEqual(shown.map(textOf));
        // `kind` is the title.
        expect(Object.keys(expected)).toHaveLength(Object.keys(shown[0] ?? {}).length - 1);
      }),
      { numRuns: 100 },
    );
  });

  test('states have the names of the contract', () => {
    expect(withdrawStates).toMatchObject(payoutStates);
  });

  test('several have sums per coin', async () => {
    const all = fc.sample(payout, 30).map((one, index) => ({ ...one, no: `no-${index}` }));
    const { view } = await statementOf(requestOf(all.map(stableJson)));
    const [totals] = view.blocks;
    expect(totals?.rows.length).toBe(new Set(all.map(({ market }) => market)).size);
    for (const { label, value, coin } of totals?.rows ?? []) {
      const own = all.filter(({ market }) => market === coin);
      expect([label, value]).toEqual([`共 ${own.length} 笔`, formatGrouped(sum(own.map(({ received }) => received)))]);
    }
  });

  const [one] = fc.sample(payout, { numRuns: 1, seed: 1 }) as [PayoutText];
  const text = stableJson(one);
  const { maker: _maker, ...withoutMaker } = one;
  test.each<[string, string[]]>([
    ['an unknown field', [stableJson({ ...one, note: 'x' })]],
    ['a missing field', [stableJson(withoutMaker)]],
    ['another order of fields', [JSON.stringify(Object.fromEntries(Object.entries(one).toReversed()))]],
    ['a double field', [text.replace('{', '{"account":"other",')]],
    ['a space', [`${text} `]],
    ['another number form', [text.replace(/"state":\d/, '"state":0.0')]],
    ['no amount', [stableJson({ ...one, received: '1e3' })]],
    ['the same text twice', [text, text]],
    [
      'too many texts',
      Array.from({ length: CONSENT_MAX + 1 }, (_, index) => stableJson({ ...one, no: String(index) })),
    ],
    ['a consent', [stableJson({ kind: 'consent', person: 'a', roster: 1, at: 1, digests: [sha256('')] })]],
    ['no JSON', ['打款']],
  ])('%s is refused', async (_name, texts) => {
    await expect(statementOf(requestOf(texts))).rejects.toThrow(InvalidText);
  });
  test('a roster before payouts is refused', async () => {
    await expect(statementOf(requestOf([text], { previous: stableJson(rosterOf(1)) }))).rejects.toThrow(InvalidText);
  });
});

const key = (index: number) => ({
  id: String(index).padStart(22, 'k'),
  person: `person-${index}`,
  publicKey: `MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE${String(index).padStart(85, 'A')}A`,
});
const rosterOf = (version: number, more: Partial<Roster> = {}): Roster => ({
  kind: 'roster',
  version,
  previous: null,
  threshold: 2,
  relyingParty: 'localhost',
  origins: ['http://localhost:8080'],
  keys: [key(1), key(2), key(3)],
  ...more,
});
const before = stableJson(rosterOf(1));
const after = (more: Partial<Roster> = {}) => stableJson(rosterOf(2, { previous: sha256(before), ...more }));

describe('a roster', () => {
  test('the first shows its fingerprint and every key with the fingerprint of its public key', async () => {
    const { view } = await statementOf(requestOf([before]));
    expect(valuesOf(view, '名册指纹')).toEqual([groupDigest(sha256(before))]);
    // Words, not a code whose unusual letters are marked.
    expect(view.blocks[0]?.rows).toContainEqual({ label: '上一版指纹', value: '无（首版）' });
    expect(valuesOf(view, '密钥指纹')).toEqual(
      [1, 2, 3].map((index) => groupDigest(sha256(Buffer.from(key(index).publicKey, 'base64url')))),
    );
    expect(titlesOf(view)).toEqual([[undefined, undefined], ...[1, 2, 3].map((index) => ['added', `person-${index}`])]);
    expect([valuesOf(view, '签名人数'), valuesOf(view, '签名页域名'), valuesOf(view, '签名页地址')]).toEqual([
      ['2 人'],
      ['localhost'],
      ['http://localhost:8080'],
    ]);
  });

  test('a change shows what it adds, removes and alters', async () => {
    const swapped = { ...key(2), publicKey: key(9).publicKey };
    const text = after({ threshold: 3, keys: [key(1), swapped, key(4)], origins: ['https://localhost'] });
    const { view } = await statementOf(requestOf([text], { previous: before }));
    expect(titlesOf(view).slice(1)).toEqual([
      ['added', 'person-2'], ['added', 'person-4'], ['removed', 'person-2'], ['removed', 'person-3'], ['kept', 'person-1'],
    ]); // prettier-ignore
    expect(valuesOf(view, '签名人数')).toEqual(['2 人 → 3 人']);
    expect(valuesOf(view, '版本')).toEqual(['1 → 2']);
    expect([valuesOf(view, '新增签名页地址'), valuesOf(view, '移除签名页地址')]).toEqual([
      ['https://localhost'],
      ['http://localhost:8080'],
    ]);
  });

  test.each<[string, string[], Partial<SignRequest>]>([
    ['without the roster before', [after()], {}],
    ['another roster before', [after()], { previous: stableJson(rosterOf(1, { threshold: 3 })) }],
    ['a jump of versions', [stableJson(rosterOf(3, { previous: sha256(before) }))], { previous: before }],
    ['under another version', [after()], { previous: before, roster: 2 }],
    ['the first under another version', [before], { roster: 2 }],
    ['signed under another digest', [after()], { previous: before, rosterDigest: 'd'.repeat(64) }],
    ['the first under another digest', [before], { rosterDigest: 'd'.repeat(64) }],
    ['two at once', [after(), after({ threshold: 3 })], { previous: before }],
  ])('%s is refused', async (_name, texts, more) => {
    await expect(statementOf(requestOf(texts, more))).rejects.toThrow(InvalidText);
  });
});

describe('a mandate', () => {
  const day = 86_400_000;
  const mandate = {
    kind: 'mandate',
    id: 'auto-1',
    roster: 1,
    platform: 1,
    from: day / 2,
    until: day * 3 + 1,
    coins: [{ market: 'USDT', networks: ['TRC20', 'ERC20'], largest: '100', perDay: '2500.5' }],
  };

  test('shows its limits and the most that it can pay', async () => {
    const { view } = await statementOf(requestOf([stableJson(mandate)]));
    expect(view.blocks[1]).toEqual({
      title: '币种',
      subject: 'USDT',
      rows: [
        { label: '网络', value: 'TRC20', look: 'code' },
        { label: '网络', value: 'ERC20', look: 'code' },
        { label: '单笔最多', value: '100', coin: 'USDT' },
        { label: '每日最多（UTC）', value: '2,500.5', coin: 'USDT', look: 'large' },
        { label: '有效期内最多（4 天）', value: '10,002', coin: 'USDT' },
      ],
    });
  });

  test('of another roster, or beside a payout, is refused', async () => {
    await expect(statementOf(requestOf([stableJson(mandate)], { roster: 2 }))).rejects.toThrow(InvalidText);
    const rosterDigest = 'd'.repeat(64);
    await expect(statementOf(requestOf([stableJson(mandate)], { rosterDigest }))).rejects.toThrow(InvalidText);
    const named = stableJson({ ...mandate, rosterDigest });
    await expect(statementOf(requestOf([named]))).rejects.toThrow(InvalidText);
    const { view, consentAt } = await statementOf(requestOf([named], { rosterDigest }));
    expect(valuesOf(view, '名册指纹')).toEqual([groupDigest(rosterDigest)]);
    expect(parseConsent(consentAt(1))).toMatchObject({ rosterDigest });
    const [one] = fc.sample(payout, 1) as [PayoutText];
    await expect(statementOf(requestOf([stableJson(mandate), stableJson(one)]))).rejects.toThrow(InvalidText);
  });
});
