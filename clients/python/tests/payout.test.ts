import { execFileSync } from 'node:child_process';
import { createHash, createPublicKey, sign, verify } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import {
  type Loot,
  type PayoutData,
  attacks,
  lies,
  makeMandate,
  makeOrder,
  makeRandom,
  makeSpending,
  makeThief,
  payoutText,
  signMandate,
  signPayout,
} from '../../../testing/payout-thief.ts';
import { makeRosterCases } from '../../../testing/roster-attacks.ts';
import { makeRoster, makeSigner } from '../../../testing/signer.ts';

const AT = 1_800_000_000_000;
const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000_000);
const random = makeRandom(seed);

const alice = makeSigner('alice');
const bob = makeSigner('bob');
const roster = makeRoster([alice, bob]);
const mandate = signMandate(makeMandate(roster, AT), [alice, bob], AT, roster);
const honest = Array.from({ length: 40 }, (_, index) => signPayout(makeOrder(index), [alice, bob], AT, roster));

interface PayoutCase {
  kind: string;
  data: PayoutData;
  platform: number;
  now: number;
}
const asCase = (kind: string, data: PayoutData, { later = 0, platform = 1 } = {}): PayoutCase => ({
  kind,
  data,
  platform,
  now: AT + 5_000 + later,
});

/** Honest payouts and the budget of a mandate, then attacks, among them on payouts that are not delivered yet, then the rest. */
function makePayouts(): PayoutCase[] {
  const loot: Loot = {
    signers: [alice, bob],
    roster,
    paid: honest.slice(0, 20),
    waiting: honest.slice(20),
    mandate,
    at: AT,
    maxAge: 48 * 3_600_000,
  };
  const thief = makeThief();
  const attacked = Object.entries(attacks).flatMap(([kind, attack]) =>
    Array.from({ length: 12 }, () => {
      const { data, ...circumstances } = attack(loot, random, thief);
      return asCase(kind, data, circumstances);
    }),
  );
  const order = makeOrder(500);
  const payout = payoutText(order, 'alice');
  const lying = lies.map((lie) =>
    asCase('lie', {
      ...order,
      payout,
      signatures: [alice.sign([payout], { at: AT, roster }), bob.sign([payout], { at: AT, roster }, lie)],
    }),
  );
  return [
    ...lying,
    ...loot.paid.map((data) => asCase('honest', data)),
    ...makeSpending(mandate).map((data) => asCase('budget', data)),
    ...attacked,
    ...loot.waiting.map((data) => asCase('honest', data)),
  ];
}

const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const HALF = 32;

function derNumber(value: bigint): Buffer {
  let hex = value.toString(16);
  if (hex.length % 2 === 1) hex = `0${hex}`;
  const bytes = Buffer.from(hex, 'hex');
  const digits = (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
  return Buffer.concat([Buffer.from([2, digits.length]), digits]);
}
const der = (...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([0x30, content.length]), content]);
};

/** Signatures, good and bad, as [key, message, signature]. */
function makeSignatures(): [Buffer, Buffer, Buffer][] {
  return Array.from({ length: 12 }, (_, index) => {
    const signer = makeSigner('anyone');
    const spki = Buffer.from(signer.publicKey, 'base64url');
    const message = createHash('sha512')
      .update(`message ${index} ${seed}`)
      .digest()
      .subarray(0, index * 5);
    const raw = sign('sha256', message, { key: signer.privateKey, dsaEncoding: 'ieee-p1363' });
    const good = sign('sha256', message, signer.privateKey);
    const [r, s] = [raw.subarray(0, HALF), raw.subarray(HALF)].map((part) => BigInt(`0x${part.toString('hex')}`)) as [
      bigint,
      bigint,
    ];
    const flipped = Buffer.from(good);
    flipped[random.int(good.length)]! ^= 1 << random.int(8);
    const offCurve = Buffer.from(spki);
    offCurve[spki.length - 1]! ^= 1;
    const beyond = Buffer.from(spki);
    beyond.fill(0xff, spki.length - 64, spki.length - 32);
    const bad = [
      flipped,
      ...[0n, N, N + 1n, r + N].map((one) => der(derNumber(one), derNumber(s))),
      ...[0n, N, s + N].map((one) => der(derNumber(r), derNumber(one))),
      der(derNumber(s), derNumber(r)),
      Buffer.concat([good, Buffer.from([0])]),
      der(derNumber(r), derNumber(s), derNumber(1n)),
      der(derNumber(r)),
      good.subarray(0, -1),
      raw,
      // A second encoding: an unneeded zero, a negative number, a long length.
      der(Buffer.concat([Buffer.from([2, 34, 0, 0]), raw.subarray(0, HALF)]), derNumber(s)),
      der(Buffer.concat([Buffer.from([2, HALF]), Buffer.alloc(1, 0x80), raw.subarray(1, HALF)]), derNumber(s)),
      Buffer.concat([Buffer.from([0x30, 0x81, good.length - 2]), good.subarray(2)]),
      Buffer.concat([Buffer.from([0x31]), good.subarray(1)]),
      Buffer.alloc(0),
    ];
    return [
      [spki, message, good],
      // The mirrored signature is a valid one as well.
      [spki, message, der(derNumber(r), derNumber(N - s))],
      ...bad.map((signature) => [spki, message, signature]),
      [spki, Buffer.concat([message, message, Buffer.from('x')]), good],
      [Buffer.from(makeSigner('other').publicKey, 'base64url'), message, good],
      [offCurve, message, good],
      [beyond, message, good],
      [spki.subarray(0, -1), message, good],
    ] as [Buffer, Buffer, Buffer][];
  }).flat();
}

function verifyByNode([key, message, signature]: [Buffer, Buffer, Buffer]): boolean {
  try {
    const publicKey = createPublicKey({ key, format: 'der', type: 'spki' });
    return verify('sha256', message, { key: publicKey, dsaEncoding: 'der' }, signature);
  } catch {
    return false;
  }
}

interface Answers {
  payouts: (string | null)[];
  rosters: (string | null)[];
  signatures: boolean[];
}

const payouts = makePayouts();
const rosters = makeRosterCases(AT);
const signatures = makeSignatures();
let answers: Answers;

beforeAll(() => {
  const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const input = JSON.stringify({
    roster,
    payouts,
    rosters,
    signatures: signatures.map((one) => one.map((part) => part.toString('hex'))),
  });
  const env = { ...process.env, PYTHONPATH: path('../src'), PYTHONDONTWRITEBYTECODE: '1' };
  const output = execFileSync('python3', [path('verify.py')], { input, env, maxBuffer: 64 * 1024 * 1024 });
  answers = JSON.parse(output.toString()) as Answers;
}, 120_000);

test('pays every honest payout, nothing to a thief, and no more than a budget', () => {
  const paid = payouts.filter((_, index) => answers.payouts[index] === null);
  expect(paid.filter(({ kind }) => kind !== 'honest' && kind !== 'budget').map(({ kind }) => ({ kind, seed }))).toEqual(
    [],
  );
  expect(paid.filter(({ kind }) => kind === 'honest')).toHaveLength(honest.length);
  expect(paid.filter(({ kind }) => kind === 'budget')).toHaveLength(11);
  const last = payouts.findLastIndex(({ kind }) => kind === 'budget');
  expect(answers.payouts[last]).toBe('budget');
});

test('accepts the honest change of a roster only', () => {
  expect(rosters.filter((_, index) => answers.rosters[index] === null).map(({ name }) => name)).toEqual([
    'an honest change',
  ]);
});

test('verifies ES256 as Node.js does, malformed keys and signatures included', () => {
  const expected = signatures.map(verifyByNode);
  expect(answers.signatures).toEqual(expected);
  expect(expected.filter(Boolean)).toHaveLength(24);
});
