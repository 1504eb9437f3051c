import { ADDRESS_LIST } from './calls.ts';
import type { AddressEntry } from './schema.ts';
import { hasMemo } from '../../values/destination.ts';
import { familyOf } from '../../values/network.ts';

/** With which memos an entry counts. Empty where memos mean nothing. */
export function entryMemoText({
  list,
  network,
  memo,
  anyMemo,
}: Pick<AddressEntry, 'list' | 'network' | 'memo' | 'anyMemo'>): string {
  if (network !== '' && !hasMemo(familyOf(network))) return memo;
  if (list === ADDRESS_LIST.sanctions) return '全部备注';
  if (memo !== '') return memo;
  if (list === ADDRESS_LIST.allowed) return anyMemo ? '任意备注' : '（无备注）';
  return '全部备注';
}
