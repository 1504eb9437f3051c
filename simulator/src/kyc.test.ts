// @module-tag full
import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { START, runPresent, eventsOf, simulatePast } from '../test/simulate-past.ts';
import { checkDigitOf, drawDocuments, createIdentity } from './document.ts';
import { createRandom } from './random.ts';
import { handleCommand } from './simulation.ts';

const { world, history } = simulatePast('identity', START, { users: 400, days: 20 });
const imported = eventsOf(history, 'auth.imported').map(({ at, data }) => ({ at, ...data }));
const waiting = eventsOf(history, 'auth.submitted').map(({ at, data }) => ({ at, ...data }));

test('the past has mostly passed reviews, and some submissions wait at the start', () => {
  expect(imported.length).toBeGreaterThan(150);
  const rejected = imported.filter(({ state }) => state === 2);
  expect(rejected.length / imported.length).toBeGreaterThan(0.08);
  expect(rejected.length / imported.length).toBeLessThan(0.3);
  for (const { at, reviewedAt = 0, reason, state } of imported) {
    expect(reviewedAt).toBeGreaterThanOrEqual(at);
    expect(reviewedAt).toBeLessThan(START);
    expect(reason === undefined).toBe(state === 1);
  }
  expect(waiting.length).toBeGreaterThanOrEqual(14);
  expect(waiting.some(({ level }) => level === 2)).toBe(true);
  expect(new Set(waiting.map(({ account }) => account)).size).toBe(waiting.length);
});

test('level 2 follows a passed level 1, and nothing follows a waiting submission', () => {
  const passed = new Set<string>();
  const open = new Set<string>();
  for (const { type, data } of history) {
    if (type !== 'auth.imported' && type !== 'auth.submitted') continue;
    expect(open.has(data.account)).toBe(false);
    if (data.level === 2) expect(passed.has(data.account)).toBe(true);
    if (type === 'auth.submitted') open.add(data.account);
    else if (data.state === 1) passed.add(data.account);
  }
});

test('resident numbers have a valid check digit and a region that does not exist', () => {
  const residents = imported.filter(({ idType }) => idType === 1);
  expect(residents.length).toBeGreaterThan(100);
  for (const { idNumber } of residents) {
    expect(idNumber).toMatch(/^[1-5]\d99\d{2}(19|20)\d{2}(0[1-9]|1[0-2])\d{5}[\dX]$/);
    expect(idNumber.at(-1)).toBe(checkDigitOf(idNumber.slice(0, 17)));
  }
  // The example of GB 11643.
  expect(checkDigitOf('11010519491231002')).toBe('X');
});

test('some papers are used by more than one customer', () => {
  const { history: largeHistory } = simulatePast('twins', START, { users: 900, days: 8 });
  const owners = new Map<string, Set<string>>();
  for (const { data } of eventsOf(largeHistory, 'auth.imported')) {
    owners.set(data.idNumber, (owners.get(data.idNumber) ?? new Set()).add(data.account));
  }
  expect([...owners.values()].some((accounts) => accounts.size > 1)).toBe(true);
});

test('every image is a complete PNG of at most 8 KiB', () => {
  const pictures = [...waiting, ...imported].flatMap(({ front, back, holding }) =>
    [front, back, holding].filter((picture) => picture !== undefined),
  );
  expect(pictures.length).toBeGreaterThan(28);
  for (const picture of pictures) {
    const bytes = Buffer.from(picture.replace('data:image/png;base64,', ''), 'base64');
    expect(bytes.length).toBeLessThanOrEqual(8 * 1024);
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    const at = bytes.indexOf('IDAT');
    const raw = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)));
    expect(raw.length).toBe((Math.ceil(width / 2) + 1) * height);
  }
});

test('only level 2 submissions include the image of the customer holding the document', () => {
  for (const { level, holding } of waiting) expect(holding !== undefined).toBe(level === 2);
});

test('the same papers give the same images', () => {
  const draw = () =>
    drawDocuments(createIdentity(createRandom('papers', 1)), createRandom('photo', 1), {
      isCropped: false,
      withHolder: true,
    });
  expect(draw()).toEqual(draw());
});

test('new submissions come in, also after a decision, but only one per customer at a time', () => {
  const open = new Set(waiting.map(({ account }) => account));
  let number = 0;
  const later = runPresent(world, 1_800, (_, event) => {
    if (event.type !== 'auth.submitted') return;
    expect(open.has(event.data.account)).toBe(false);
    open.add(event.data.account);
    const [first] = open;
    if (first === undefined) return;
    number += 1;
    const data = { account: first, level: 1, state: number % 3 === 0 ? 2 : 1 };
    handleCommand(world, { seq: number, id: number, type: 'auth.reviewed', at: START, attempt: 1, data });
    open.delete(first);
  });
  expect(eventsOf(later, 'auth.submitted').length).toBeGreaterThan(8);
});
