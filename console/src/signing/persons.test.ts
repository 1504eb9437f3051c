import { stableJson } from '@hengtai/contract/wire/stable-json';
import { expect, test, vi } from 'vitest';
import { confusables, ignorables } from '../../../testing/confusables.ts';
import { enrolView } from './enrol-view.ts';
import type { SignRequest } from './request.ts';
import { statementOf } from './statement.ts';
import { type View, titleParts, valueParts } from './view.ts';

// Every name that looks like another one is shown with the code of each character that does.

const all = [...ignorables(), ...Object.values(confusables).flat()];
const nameOf = (character: string) => `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
const person = `al${all.join('')}ice`;

/** Characters of the look-alikes that the page does not name. */
function findUnnamed(parts: ReturnType<typeof valueParts>): string[] {
  const named = new Set(parts.filter(({ isHidden }) => isHidden).map(({ text }) => text));
  const plain = parts.filter(({ isHidden }) => !isHidden).map(({ text }) => text).join(''); // prettier-ignore
  return all.filter((character) => !named.has(nameOf(character)) || plain.includes(character));
}
const partsOf = (view: View, label: string) =>
  view.blocks.flatMap(({ rows }) => rows.filter((row) => row.label === label).flatMap(valueParts));

test('the person of a new key', () => {
  vi.stubGlobal('location', { hostname: 'localhost' });
  expect(findUnnamed(partsOf(enrolView(person), '签名人'))).toEqual([]);
  vi.unstubAllGlobals();
});

test('maker, account and coin of a payout', async () => {
  // A text has room for a few of them at a time.
  for (let at = 0; at < all.length; at += 12) {
    const some = all.slice(at, at + 12);
    const name = some.join('');
    const payout = {
      kind: 'payout', command: 'withdraw.payout', platform: 1, no: name, attempt: 1, account: name, market: name,
      network: name, address: name, memo: name, amount: '2', fee: '1', received: '1', state: 0, maker: name,
    }; // prettier-ignore
    const request: Omit<SignRequest, 'texts'> = { type: 'hengtai.signing.sign', person: name, roster: 1, relyingParty: 'localhost', keys: ['k'], previous: null }; // prettier-ignore
    const { view } = await statementOf({ ...request, texts: [stableJson(payout)] });
    for (const label of [
      '用户账号',
      '提交人',
      '币种',
      '网络',
      '收款地址',
      '标签(Memo)',
      '平台单号',
      '打款数量',
      '手续费',
    ]) {
      const shown = partsOf(view, label);
      const named = shown.filter(({ isHidden }) => isHidden).map(({ text }) => text);
      expect(named).toEqual(some.map(nameOf));
      expect(shown.filter(({ isHidden, text }) => !isHidden && !/^[\x20-\x7e]*$/.test(text))).toEqual([]);
    }
  }
});

test('the person of a key, and the coin of a mandate', () => {
  expect(findUnnamed(titleParts({ title: '签名人', subject: person, rows: [] }))).toEqual([]);
});
