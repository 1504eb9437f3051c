import { ADDRESS_LIST } from './address-list.ts';
import type { AddressEntry } from './address-list.schema.ts';
import { hasMemo } from './destination.ts';
import { familyOf } from './network.ts';

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
