// @module-tag full
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { InvalidPayout, readRoster, verify } from '../../../scripts/verify-payout.mjs';
import { confusables, ignorables } from '../../../testing/confusables.ts';
import { makeOrder, signPayout } from '../../../testing/payout-thief.ts';
import { canonicalJson, makeRoster, makeSigner } from '../../../testing/signer.ts';
import { CASES_AT, type VerifierCase, makeVerifierCases } from '../../../testing/verifier-cases.ts';
import { MemoryPayoutStore, claimPayout } from '../src/payout.ts';
import { NotVerified, pinRoster, restoreRoster } from '../src/roster.ts';

// One table for the client in TypeScript, the one in Python, and the script. Each refuses with its own error and no other.

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const cases = makeVerifierCases();
const [alice, bob] = [makeSigner('alice'), makeSigner('bob')];
/** A roster with a third person of each look-alike or invisible character. */
const persons = [
  ...ignorables().map((character) => `al${character}ice`),
  ...Object.entries(confusables).flatMap(([letter, all]) => all.map((one) => `alice${letter}`.replace(letter, one))),
];
const withPerson = (person: string): string => makeRoster([alice, bob, { ...third, person }]);
const third = makeSigner('third');
const pinned = [...persons, 'ALICE', 'Bob', 'a', 'x'.repeat(65), 'a b'].map(withPerson);
let python: { cases: (string | null)[]; pinned: (string | null)[] };

beforeAll(() => {
  const input = JSON.stringify({ cases, pinned });
  const env = { ...process.env, PYTHONPATH: path('../../python/src'), PYTHONDONTWRITEBYTECODE: '1' };
  const output = execFileSync('python3', [path('../../python/tests/verify.py')], { input, env, maxBuffer: 2 ** 26 });
  python = JSON.parse(output.toString()) as typeof python;
}, 60_000);

async function paysByClient({ roster, isOld, data, now }: VerifierCase): Promise<boolean> {
  try {
    const held = restoreRoster(roster, !isOld);
    await claimPayout(data as Parameters<typeof claimPayout>[0], new MemoryPayoutStore(), { roster: held, now });
    return true;
  } catch (error) {
    if (error instanceof NotVerified) return false;
    throw error;
  }
}

function isValidForScript({ roster, isOld, data, now }: VerifierCase): boolean {
  try {
    return verify(data, readRoster(roster, { isOld }), { now }).persons.length === 2;
  } catch (error) {
    if (error instanceof InvalidPayout) return false;
    throw error;
  }
}

// As the data arrives, after JSON.
const arrived = cases.map((one): VerifierCase => ({ ...one, data: JSON.parse(JSON.stringify(one.data)) as unknown }));
const namesOf = (answers: readonly boolean[]): string[] => cases.flatMap(({ name }, at) => (answers[at] ? [name] : []));
const expected = cases.filter(({ isValid }) => isValid).map(({ name }) => name);

test('the client in TypeScript pays what the table says', async () => {
  const answers: boolean[] = [];
  for (const one of arrived) answers.push(await paysByClient(one));
  expect(namesOf(answers)).toEqual(expected);
});

test('the client in Python pays what the table says', () => {
  expect(namesOf(python.cases.map((fault) => fault === null))).toEqual(expected);
});

test('the script verifies what the table says', () => {
  expect(namesOf(arrived.map(isValidForScript))).toEqual(expected);
});

test('no verifier pins a roster with a person who can be taken for another', () => {
  expect(persons.length).toBeGreaterThan(5_000);
  expect(python.pinned.filter((fault) => fault !== 'malformed')).toEqual([]);
  const isPinned = (pin: (text: string) => unknown, refusal: typeof NotVerified | typeof InvalidPayout) =>
    pinned.filter((text) => {
      try {
        return pin(text) !== undefined;
      } catch (error) {
        if (error instanceof refusal) return false;
        throw error;
      }
    });
  expect(isPinned(pinRoster, NotVerified)).toEqual([]);
  expect(isPinned((text) => readRoster(text), InvalidPayout)).toEqual([]);
});

test('the script prints what was signed, and no character of a file that moves a terminal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hengtai-verify-'));
  const run = (data: unknown, rosterText: string): string => {
    const [command, roster] = [join(folder, 'command.json'), join(folder, 'roster.json')];
    writeFileSync(command, typeof data === 'string' ? data : JSON.stringify(data));
    writeFileSync(roster, rosterText);
    const args = [path('../../../scripts/verify-payout.mjs'), command, roster, '--at', String(CASES_AT)];
    try {
      return execFileSync('node', args).toString();
    } catch (error) {
      return String((error as { stdout: Buffer }).stdout);
    }
  };
  const escape = '\u001b]0;x\u0007\u009b2J\u202e\u200b';
  const roster = makeRoster([alice, bob]);
  const order = { ...makeOrder(1), address: `T1${escape}`, memo: '42', account: escape };
  const good = run(signPayout(order, [alice, bob], CASES_AT, roster), roster);
  for (const line of [
    'amount "11"',
    'market "USDT"',
    'address "T1\\u001b]0;x\\u0007\\u009b2J\\u202e\\u200b"',
    'memo "42"',
    '"bob" at 2027-',
  ])
    expect(good).toContain(line);
  const outputs = [
    good,
    run(`${escape}{`, roster),
    run({}, `${escape}{`),
    run({}, makeRoster([alice, { ...bob, person: escape }])),
    run({ ...order, mandate: { text: canonicalJson({ kind: escape }), signatures: [] } }, roster),
  ];
  rmSync(folder, { recursive: true });
  for (const output of outputs) expect(output).toMatch(/^[\x20-\x7e\n]+$/);
  for (const output of outputs.slice(1)) expect(output).toContain('NOT verified');
});
