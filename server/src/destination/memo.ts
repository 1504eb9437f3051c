import { type Family, hasMemo } from '@hengtai/contract/values/destination';
import { trimBlanks } from './text.ts';

const TAG = /^0*(\d{1,10})$/;
const TAG_MAX = 2n ** 32n - 1n;
const ID = /^0*(\d{1,20})$/;
const ID_MAX = 2n ** 64n - 1n;
const HASH = /^[0-9a-f]{64}$/i;
const PAYMENT_ID = /^(?:[0-9a-f]{16}|[0-9a-f]{64})$/i;
const STELLAR_TEXT_BYTES = 28;

/** A memo as it is compared. */
export interface MemoKey {
  /** Empty: no memo. */
  key: string;
  /** The family cannot carry the memo; its key is its text. */
  isWrong: boolean;
}

const right = (key: string): MemoKey => ({ key, isWrong: false });
const wrong = (key: string): MemoKey => ({ key, isWrong: true });

/** The number of a text without leading zeros; undefined above the maximum. */
function readNumber(text: string, form: RegExp, max: bigint): string | undefined {
  const digits = form.exec(text)?.[1];
  return digits === undefined || BigInt(digits) > max ? undefined : digits;
}

/** Tag 0 is a tag, not the lack of one. */
function xrpMemo(memo: string): MemoKey {
  const tag = readNumber(memo, TAG, TAG_MAX);
  return tag === undefined ? wrong(memo) : right(tag);
}

/** The kinds differ on the ledger, so a key begins with its kind. */
function stellarMemo(memo: string): MemoKey {
  if (HASH.test(memo)) return right(`hash:${memo.toLowerCase()}`);
  const id = readNumber(memo, ID, ID_MAX);
  if (id !== undefined) return right(`id:${id}`);
  const text = `text:${memo}`;
  return Buffer.byteLength(memo) <= STELLAR_TEXT_BYTES ? right(text) : wrong(text);
}

const moneroMemo = (memo: string): MemoKey => (PAYMENT_ID.test(memo) ? right(memo.toLowerCase()) : wrong(memo));

const rules: Partial<Record<Family, (memo: string) => MemoKey>> = {
  xrp: xrpMemo,
  stellar: stellarMemo,
  monero: moneroMemo,
};

/** Memos of one beneficiary have one key. Families without memos have the key of none. */
export function toMemoKey(family: Family, memo: string): MemoKey {
  const text = trimBlanks(memo);
  return text === '' || !hasMemo(family) ? right('') : (rules[family] ?? right)(text);
}
