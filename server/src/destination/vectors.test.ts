import { createHash } from 'node:crypto';
import { type Family, families as familyNames } from '@hengtai/contract/values/destination';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSubstrate } from './public-key.ts';
import { ACCOUNT_RULES, type Destination, areRelated, readEverywhere, readDestination } from './destination.ts';
import { type Vector, vectors } from '../../test/vectors.ts';

const NETWORKS: Readonly<Partial<Record<Family, string>>> = { substrate: 'DOT' };
const readAs = (family: Family, address: string, memo = ''): Destination =>
  readDestination({ network: NETWORKS[family] ?? '', family, address, memo });

const upperCase = (texts: readonly string[]): string[] => texts.map((text) => text.toUpperCase());
const withoutHead = (texts: readonly string[], head: string): string[] =>
  texts.flatMap((text) => (text.startsWith(head) ? text.slice(head.length) : []));
const linked = (scheme: string, texts: readonly string[]): string[] =>
  texts.flatMap((text) => [`${scheme}:${text}`, `${scheme.toUpperCase()}:${text}?amount=0.5&label=a%20b`]);
const inHex = (texts: readonly string[]): string[] => {
  const digits = texts.map((text) => text.replace(/^0x/, ''));
  const both = [...digits, ...digits.map((one) => `0x${one}`)];
  return [...both, ...upperCase(both), ...upperCase(digits).map((one) => `0x${one}`)];
};
/** Families whose first kept text has a checksum. */
const CHECKED: readonly Family[] = [
  'evm', 'bitcoin', 'bitcoincash', 'litecoin', 'dogecoin', 'tron', 'ton', 'xrp', 'stellar', 'substrate', 'cosmos', 'cardano',
  'filecoin', 'monero',
]; // prettier-ignore
const isBech32 = (text: string): boolean => /^(?:bc|ltc)1/.test(text);

/** Further texts of an account, made of those of its library. */
const variants: Partial<Record<Family, (texts: string[]) => string[]>> = {
  evm: (texts) => [
    ...inHex(texts),
    ...inHex(texts.map((text) => text.toLowerCase())),
    ...texts.flatMap((text) => [`ethereum:${text}`, `ethereum:pay-${text}@1?value=2.5e18`]),
  ],
  bitcoin: (texts) => {
    const all = [...texts, ...upperCase(texts.filter(isBech32))];
    return [...all, ...linked('bitcoin', all)];
  },
  litecoin: (texts) => {
    const all = [...texts, ...upperCase(texts.filter(isBech32))];
    return [...all, ...linked('litecoin', all)];
  },
  dogecoin: (texts) => linked('dogecoin', texts),
  bitcoincash: (texts) => {
    const cash = texts.filter((text) => text.includes(':'));
    const both = [...cash, ...withoutHead(cash, 'bitcoincash:')];
    return [...upperCase(both), ...both, `${cash[0]}?amount=1`];
  },
  tron: (texts) => inHex(texts.slice(1)),
  ton: (texts) => upperCase(texts.filter((text) => text.includes(':'))),
  aptos: (texts) => inHex(texts.map((text) => text.replace(/^0x0*/, '0x'))).concat(inHex(texts)),
  sui: (texts) => inHex(texts.map((text) => text.replace(/^0x0*/, '0x'))).concat(inHex(texts)),
  cosmos: upperCase,
  cardano: (texts) => upperCase(texts.slice(0, texts.length === 1 ? 0 : 2)),
  filecoin: (texts) => texts.filter((text) => text.startsWith('0x')).map((text) => text.toLowerCase()),
  hedera: (texts) => inHex(texts.filter((text) => text.startsWith('0x')).map((text) => text.toLowerCase())),
};

const accounts = vectors.map((vector) => {
  const { family, texts } = vector;
  const spellings = [...new Set([...texts, ...(variants[family]?.(texts) ?? [])])];
  return { ...vector, key: readAs(family, texts[0] ?? '').key, spellings };
});
const byKey = new Map(accounts.map((account) => [account.key, account]));
const familiesWith = (has: (vector: Vector) => unknown): Family[] => [
  ...new Set(vectors.filter(has).map(({ family }) => family)),
];
const families = familiesWith(() => true);
const ofFamily = (family: Family) => accounts.filter((account) => account.family === family);

describe('an account', () => {
  test('of each family but opaque is kept, fifty or more of each', () => {
    expect([...families, 'opaque']).toEqual(Object.keys(familyNames));
    expect(families.filter((family) => ofFamily(family).length < 50)).toEqual([]);
  });

  test.each(families)('of %s has one key for all its texts, without fault or mark', (family) => {
    const expected = ofFamily(family).flatMap(({ key, spellings }) =>
      [...spellings, ` ${spellings[0]}\u3000\n`].map((text) => ({ text, key, faults: [], marks: [] })),
    );
    const read = expected.map(({ text }) => {
      const { key, faults, marks } = readAs(family, text);
      return { text, key, faults, marks };
    });
    expect(read).toEqual(expected);
  });

  test.each(familiesWith(({ memos }) => memos))(
    'of %s can have a memo in its text, which none may contradict',
    (family) => {
      for (const { key, texts, memos = [] } of ofFamily(family))
        for (const [text, memo] of memos) {
          const { beneficiary } = readAs(family, texts[0] ?? '', memo);
          expect(readAs(family, text)).toMatchObject({ key, beneficiary, memo, faults: [] });
          const same = family === 'monero' ? memo.toUpperCase() : `0${memo}`;
          expect(readAs(family, text, same)).toMatchObject({ key, beneficiary, faults: [] });
          const other = family === 'monero' ? '00'.repeat(8) : memo === '7' ? '8' : '7';
          expect(readAs(family, text, other)).toMatchObject({ key, faults: ['memo_contradicts'] });
        }
    },
  );

  test.each(familiesWith((vector) => vector.test))(
    'of %s in a text of a test network is a fault elsewhere',
    (family) => {
      for (const { key, test: texts = [] } of ofFamily(family))
        for (const address of texts) {
          // In Cardano the network is a part of the bytes.
          const expected = family === 'cardano' ? {} : { key };
          expect(readAs(family, address)).toMatchObject({ ...expected, faults: ['test_network'] });
          const onTest = readDestination({ network: 'Some Testnet', family, address });
          expect(onTest).toMatchObject({ ...expected, faults: [] });
        }
    },
  );

  test.each(familiesWith(({ foreign }) => foreign))('of %s in a text of another network is marked', (family) => {
    for (const { key, foreign = [] } of ofFamily(family))
      for (const text of foreign)
        expect(readAs(family, text)).toMatchObject({ key, faults: [], marks: ['other_network'] });
  });

  test('of Substrate is written with a prefix of one or two bytes', () => {
    for (const { texts, foreign = [] } of ofFamily('substrate')) {
      const isForeign = [...texts, ...foreign].map((text) => readSubstrate(text, '2032')?.isForeign);
      expect(isForeign).toEqual([true, false, true, true, true, false]);
    }
  });

  test.each(CHECKED)('of %s is not read from a text with one other character', (family) => {
    for (const { kind, texts } of ofFamily(family)) {
      // The number of an account of Filecoin has no checksum.
      if (family === 'filecoin' && kind === 'id') continue;
      const text = texts[0] ?? '';
      const middle = text.length >> 1;
      const replaced = text.charAt(middle).toLowerCase();
      const other = Array.from(text.slice(-6)).find((letter) => letter.toLowerCase() !== replaced) ?? '';
      const { faults } = readAs(family, text.slice(0, middle) + other + text.slice(middle + 1));
      expect(faults).toEqual([family === 'evm' ? 'checksum' : 'unreadable']);
    }
  });

  test('has a key that no other account has', () => {
    expect(byKey.size).toBe(vectors.length);
  });

  test('is named in another family only by its own texts', () => {
    // The 20 bytes without 41 name an account of TRON with a fault.
    const isTolerated = (key: string, text: string): boolean =>
      key.startsWith('tron:') && /^(?:0x)?[\da-f]{40}$/i.test(text);
    const wrong = accounts.flatMap(({ texts }) =>
      texts.flatMap((text) =>
        readEverywhere(text).flatMap(({ key }) => {
          const found = byKey.get(key);
          return !found || found.spellings.includes(text) || isTolerated(key, text) ? [] : [{ text, key }];
        }),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('is among those that any of its texts may name', () => {
    const missing = accounts.flatMap(({ key, spellings }) => {
      const some = [spellings[0] ?? '', spellings.at(-1) ?? ''];
      return some.filter((text) => !readEverywhere(text).some((account) => account.key === key));
    });
    expect(missing).toEqual([]);
  });
});

describe('a related account', () => {
  const accountOf = (account: (typeof accounts)[number]) => readAs(account.family, account.texts[0] ?? '');
  const related = (a: (typeof accounts)[number], b: (typeof accounts)[number]): boolean =>
    areRelated(accountOf(a), accountOf(b));
  const find = (family: Family, owner: number, kind?: string) => {
    const found = accounts.find((one) => one.family === family && one.owner === owner && one.kind === kind);
    if (!found) throw new Error(`no ${kind} account ${owner} of ${family}`);
    return found;
  };

  test.each(['bitcoin', 'litecoin'] as const)('of %s pays to the same hash in another way', (family) => {
    for (let owner = 0; owner < 10; owner++) {
      const same = ['legacy', 'nested', 'witness'].map((kind) => find(family, owner, kind));
      for (const a of same) for (const b of same) expect(related(a, b)).toBe(a !== b);
      for (const kind of ['witness-script', 'taproot'])
        for (const a of same) expect(related(a, find(family, owner, kind))).toBe(false);
    }
  });

  test('has the same bytes on another chain', () => {
    const pairs = [
      [find('bitcoin', 3, 'legacy'), find('litecoin', 3, 'witness')],
      [find('bitcoin', 3, 'nested'), find('litecoin', 3, 'nested')],
      [find('bitcoin', 3, 'witness'), find('bitcoincash', 3, 'legacy')],
      [find('cosmos', 3, 'cosmos'), find('cosmos', 3, 'osmo')],
      [find('cosmos', 3, 'inj'), find('evm', 3)],
      [find('evm', 3), find('tron', 3)],
      [find('evm', 3), find('filecoin', 3, 'evm')],
      [find('evm', 3), find('hedera', 3, 'evm')],
      [find('near', 3, 'evm'), find('evm', 3)],
      [find('near', 3, 'implicit'), find('solana', 3)],
      [find('ton', 3, 'workchain 0'), find('ton', 3, 'workchain -1')],
      [find('cardano', 3, 'base'), find('cardano', 3, 'enterprise')],
      [find('cardano', 3, 'base'), find('cardano', 3, 'stake')],
    ] as const;
    expect(pairs.filter(([a, b]) => !related(a, b) || !related(b, a))).toEqual([]);
  });

  test('is never that of another owner, nor the account itself', () => {
    const ownersOf = new Map<string, Set<number>>();
    for (const account of accounts) {
      expect(related(account, account)).toBe(false);
      for (const owner of accountOf(account).owners)
        ownersOf.set(owner, (ownersOf.get(owner) ?? new Set()).add(account.owner));
    }
    expect([...ownersOf].filter(([, numbers]) => numbers.size > 1)).toEqual([]);
  });
});

/** Changes that hands and programs make. */
const mutations = fc.oneof(
  fc.record({ at: fc.nat(200), flip: fc.constant(true) }),
  fc.record({ at: fc.nat(200), cut: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ at: fc.nat(200), insert: fc.constantFrom(' ', '\u200b', '0', '1', ':', '-', '=', 'l', '٣') }),
  fc.record({ at: fc.nat(200), replace: fc.constantFrom('a', 'B', '2', 'q', 'Z', '.') }),
);
interface Mutation {
  at: number;
  flip?: boolean;
  cut?: number;
  insert?: string;
  replace?: string;
}

function mutate(text: string, { at, flip, cut, insert, replace }: Mutation): string {
  const index = at % text.length;
  const letter = text.charAt(index);
  const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  const middle = flip ? flipped : cut ? '' : (insert ?? '') + (replace ?? letter);
  return text.slice(0, index) + middle + text.slice(index + (cut ?? 1));
}

test('a changed text is read without an exception, and names no other kept account', () => {
  const changed = fc.record({ account: fc.constantFrom(...accounts), change: fc.array(mutations, { minLength: 1, maxLength: 3 }) }); // prettier-ignore
  fc.assert(
    fc.property(changed, fc.nat(20), ({ account, change }, index) => {
      const text = account.spellings[index % account.spellings.length] ?? '';
      const result = change.reduce((current, mutation) => (current === '' ? current : mutate(current, mutation)), text);
      const { key } = readAs(account.family, result);
      expect([account.key, undefined]).toContain(byKey.get(key)?.key);
      expect(() => readEverywhere(result)).not.toThrow();
    }),
    { numRuns: 500 },
  );
});

test('any text is read without an exception, also as a memo', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(readEverywhere(text, text).at(-1)?.family).toBe('opaque');
    }),
    { numRuns: 200 },
  );
});

test('the keys of this version of the rules stay', () => {
  const digest = createHash('sha256')
    .update(accounts.map(({ key }) => key).join('\n'))
    .digest('hex');
  // A difference is a new version of the rules: stored keys are no longer those that this code makes.
  expect({ rules: ACCOUNT_RULES, digest }).toEqual({
    rules: 1,
    digest: 'ca8d519afaf1c08d77359f1aed4686f507912b820dc42692f6101d9452b3cc55',
  });
});
