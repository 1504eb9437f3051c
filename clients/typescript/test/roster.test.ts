import { describe, expect, test } from 'vitest';
import { readRoster, verify } from '../../../scripts/verify-payout.mjs';
import { lies, makeOrder, payoutText } from '../../../testing/payout-thief.ts';
import { makeRosterCases } from '../../../testing/roster-attacks.ts';
import { makeRoster, makeSigner } from '../../../testing/signer.ts';
import { MemoryPayoutStore, verifyPayout } from '../src/payout.ts';
import { NotVerified, acceptRoster, pinRoster } from '../src/roster.ts';

const AT = 1_800_000_000_000;

describe('a change of the roster', () => {
  const cases = makeRosterCases(AT);
  const accept = ({ held, text, signatures }: (typeof cases)[number]) =>
    acceptRoster(pinRoster(held), text, signatures);

  test('is accepted with the signatures of enough persons of the held one', () => {
    expect(cases[0] && accept(cases[0])).toMatchObject({ version: 2 });
  });

  test.each(cases.slice(1))('is refused: $name', (one) => {
    expect(() => accept(one)).toThrow(NotVerified);
  });
});

test('two checkers cannot pay without the maker', () => {
  const [alice, bob, carol] = [makeSigner('alice'), makeSigner('bob'), makeSigner('carol')];
  const text = makeRoster([alice, bob, carol]);
  const order = makeOrder(1);
  const payout = payoutText(order, 'alice');
  const data = {
    ...order,
    payout,
    signatures: [bob, carol].map((signer) => signer.sign([payout], { at: AT, roster: text })),
  };
  expect(() => verifyPayout(data, { roster: pinRoster(text), now: AT })).toThrow('The maker did not sign.');
  expect(() => verify(data, readRoster(text), { now: AT })).toThrow('did not sign');
});

test('a later attempt is claimed only after the earlier one was released', () => {
  const store = new MemoryPayoutStore();
  const claim = (attempt: number) => store.claim({ no: '__proto__', attempt, persons: [] });
  expect(claim(1)).toBe('claimed');
  expect(claim(1)).toBe('repeated');
  expect(claim(2)).toBe('repeated');
  store.release('__proto__', 1);
  expect(claim(1)).toBe('repeated');
  expect(claim(2)).toBe('claimed');
  store.release('__proto__', 1);
  expect(claim(3)).toBe('repeated');
});

test.each(lies)('a signature by a key of the roster is refused: %o', (lie) => {
  const [alice, bob] = [makeSigner('alice'), makeSigner('bob')];
  const text = makeRoster([alice, bob]);
  const order = makeOrder(1);
  const payout = payoutText(order, 'alice');
  const sign = (bobLies: typeof lie) => ({
    ...order,
    payout,
    signatures: [alice, bob].map((signer) =>
      signer.sign([payout], { at: AT, roster: text }, signer === bob ? bobLies : {}),
    ),
  });
  const options = { roster: pinRoster(text), now: AT };
  expect(verifyPayout(sign({}), options).persons).toEqual(['alice', 'bob']);
  expect(() => verifyPayout(sign(lie), options)).toThrow(NotVerified);
  expect(() => verify(sign(lie), readRoster(text), { now: AT })).toThrow();
});
