import {
  ADDRESSES_MAX,
  ADDRESS_LIST,
  RECENT_DAYS,
  addressList as calls,
} from '@hengtai/contract/risk/address-list/calls';
import { addressLists } from '@hengtai/contract/risk/address-list/facts';
import type {
  AddressAdd,
  AddressEntries,
  AddressEntriesInput,
  AddressEntry,
  AddressRecent,
} from '@hengtai/contract/risk/address-list/schema';
import { entryMemoText } from '@hengtai/contract/risk/address-list/memo';
import { networkKey } from '@hengtai/contract/values/network';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { IdInput, ReasonInput } from '@hengtai/contract/wire/schema';
import { reasonOf, houseSubject } from '../../../actions/action-audit.ts';
import { defineAction } from '../../../actions/action.ts';
import { saveOfLines } from '../../../actions/save.ts';
import { codeItem, textItem } from '../../../actions/preview.ts';
import type { Ctx } from '../../../app/context.ts';
import { refuse, refuseField, requireFound } from '../../../app/refuse.ts';
import { findRefusedCharacter, trimBlanks } from '../../../destination/text.ts';
import { requireHouse } from '../../../authority/authority.ts';
import { type EntryDestination, contradictsMemo, toEntryKeys, toTextKey } from './address-key.rules.ts';
import { keyEntries } from './address-key.store.ts';
import {
  type SignedEntry,
  addressLine,
  entryNames,
  entryTexts,
  loosensLists,
  toSignedEntry,
} from './address-lines.rules.ts';
import {
  countEntries,
  countWithdraws,
  fetchEntries,
  findEntry,
  findNetworks,
  insertEntry,
  lockList,
  removeEntry,
  removeExpired,
} from './address-list.store.ts';

/** Lists belong to no agent, so their approvals belong to the tree of their maker. */
const subjectOf = houseSubject('addressList');

const SHOWN_ENTRIES = 200;
const DAY_MS = 86_400_000;

export async function listEntries(ctx: Ctx, input: AddressEntriesInput): Promise<AddressEntries> {
  requireHouse(ctx);
  return fetchEntries(ctx.db, input, SHOWN_ENTRIES);
}

const countRecent = ({ db, now }: Pick<Ctx, 'db' | 'now'>, entry: AddressEntry): Promise<number> =>
  countWithdraws(db, entry, now - RECENT_DAYS * DAY_MS);

export async function recentWithdraws(ctx: Ctx, { id }: IdInput): Promise<AddressRecent> {
  requireHouse(ctx);
  return { withdraws: await countRecent(ctx, requireFound(await findEntry(ctx.db, id))) };
}

/** An entry as it will be stored. */
const toDestination = ({ list, network = '', address, memo = '', anyMemo = false }: AddressAdd): EntryDestination => ({
  list,
  network: trimBlanks(network),
  address: trimBlanks(address),
  memo: trimBlanks(memo),
  anyMemo,
});

/** @throws Refused 422 for what no payment can meet, and for memos that contradict each other */
function requireDestination({ list, network, address, memo, anyMemo }: EntryDestination): void {
  for (const [field, text] of Object.entries({ address, memo } as const)) {
    const found = text === '' ? undefined : findRefusedCharacter(text, field === 'memo' ? 'memo' : 'address');
    if (found !== undefined) throw refuseField(field, `含有不允许的字符：${found}`);
  }
  if (address === '') throw refuseField('address', '不能为空');
  if (anyMemo && (list !== ADDRESS_LIST.allowed || memo !== ''))
    throw refuseField('anyMemo', '只用于没有备注的白名单地址');
  if (memo !== '' && contradictsMemo(network, address, memo)) throw refuseField('memo', '与地址自带的备注不一致');
}

/** The name of the line of an entry, and the texts of its fields. */
const wordsOf = ({ list, network, address, memo }: EntryDestination) => ({
  names: { ...entryNames, [addressLine(list, network, toTextKey(address, memo))]: `${addressLists[list]} ${address}` },
  texts: entryTexts,
});

const memoItems = (entry: EntryDestination) => {
  const text = entryMemoText(entry);
  return text === '' ? [] : [textItem('备注', text)];
};

const auditOf = ({ list, address, network, memo, anyMemo }: EntryDestination) => ({
  addressList: addressLists[list],
  address,
  network,
  memo,
  ...(anyMemo && { anyMemo }),
});

/** Adds one address to a list. Allowed ones expire. */
export const addressAdd = defineAction<AddressAdd, AddressEntry, { list: AddressAdd['list'] }>({
  call: calls.add,
  authorize: requireHouse,
  validate: (input) => {
    requireDestination(toDestination(input));
    if (input.list === ADDRESS_LIST.allowed && input.expiresAt === undefined)
      throw refuseField('expiresAt', '不能为空');
  },
  load: async (_ctx, { list }) => ({ list }),
  save: saveOfLines<AddressAdd, { list: AddressAdd['list'] }, SignedEntry>({
    change: (_ctx, _target, input) => {
      const entry = toDestination(input);
      const line = addressLine(entry.list, entry.network, toTextKey(entry.address, entry.memo));
      return { before: {}, after: { [line]: toSignedEntry({ ...entry, expiresAt: input.expiresAt ?? null }) } };
    },
    words: (_ctx, _target, input) => wordsOf(toDestination(input)),
    loosens: loosensLists,
  }),
  guard: {
    subject: (_target, ctx) => subjectOf(ctx, { id: 0 }),
    preview: async (_ctx, input) => {
      const entry = toDestination(input);
      const { list, address, network } = entry;
      return {
        input: [
          textItem('名单', addressLists[list]),
          codeItem('地址', address),
          ...memoItems(entry),
          textItem('网络', network || '全部'),
        ],
        now: [],
        legs: [],
        problem: null,
        ...(list === ADDRESS_LIST.allowed && { consequence: '失效之前，打到该地址的提现按白名单处理。' }),
      };
    },
  },
  execute: async (ctx, input, _target, approved) => {
    const { db, now, operator } = ctx;
    const { expiresAt = null } = input;
    if (expiresAt !== null && expiresAt <= now) throw refuseField('expiresAt', '必须晚于现在');
    const entry = toDestination(input);
    const { list, network, address, memo } = entry;
    await lockList(db, list);
    await keyEntries(db);
    const counted = (await countEntries(db)).find((one) => one.list === list);
    if ((counted?.count ?? 0) >= ADDRESSES_MAX) throw refuse(refusals.addressesFull);
    const { account } = toEntryKeys(entry);
    const textKey = toTextKey(address, memo);
    await removeExpired(db, { list, account, textKey, now });
    const networks = await findNetworks(db, list, account);
    if (networks.some((one) => networkKey(one) === networkKey(network))) throw refuse(refusals.addressListed);
    const by = approved?.maker ?? operator.account;
    const id = await insertEntry(db, { ...entry, textKey, expiresAt, by, now, reason: reasonOf(input), source: '' });
    if (id === undefined) throw refuse(refusals.addressListed);
    await keyEntries(db);
    const data = requireFound(await findEntry(db, id));
    return { data, subject: subjectOf(ctx, { id }), after: auditOf(entry) };
  },
});

export const addressRemove = defineAction<ReasonInput, AddressEntry, AddressEntry>({
  call: calls.remove,
  authorize: requireHouse,
  load: ({ db }, { id }) => findEntry(db, id),
  save: saveOfLines<ReasonInput, AddressEntry, SignedEntry>({
    change: (_ctx, entry) => {
      const line = addressLine(entry.list, entry.network, toTextKey(entry.address, entry.memo));
      return { before: { [line]: toSignedEntry(entry) }, after: { [line]: null } };
    },
    words: (_ctx, entry) => wordsOf(entry),
    loosens: loosensLists,
  }),
  guard: {
    subject: ({ id }, ctx) => subjectOf(ctx, { id }),
    preview: async (ctx, { id }) => {
      const entry = requireFound(await findEntry(ctx.db, id));
      // Without full scope no entry is found, so nobody is told of withdrawals of other trees.
      const terms = [textItem(`近 ${RECENT_DAYS} 天提现到该地址`, `${await countRecent(ctx, entry)} 笔`)];
      const now = [textItem('名单', addressLists[entry.list]), codeItem('地址', entry.address), ...memoItems(entry)];
      const consequence = `此后打到该地址的提现不再按${addressLists[entry.list]}处理。`;
      return { input: [textItem('改为', '移出名单')], now, legs: [], problem: null, consequence, terms };
    },
  },
  execute: async (ctx, { id }, target, approved) => {
    const by = approved?.maker ?? ctx.operator.account;
    if (!(await removeEntry(ctx.db, id, { by, now: ctx.now }))) throw refuse(refusals.stateConflict);
    return { data: target, subject: subjectOf(ctx, { id }), before: auditOf(target) };
  },
});
