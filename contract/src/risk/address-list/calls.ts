import { ABILITY } from '../../authority/ability.ts';
import { addressListActions } from './facts.ts';
import type {
  AddressAdd,
  AddressApply,
  AddressEntries,
  AddressEntriesInput,
  AddressEntry,
  AddressImport,
  AddressImportDetail,
  AddressOverview,
  AddressRecent,
  AddressUpload,
} from './schema.ts';
import { action, read } from '../../wire/endpoint.ts';
import { ADDRESS_FILE_BYTES_MAX, ADDRESS_UPLOAD_MAX } from '../../wire/input-values.ts';
import type { IdInput, ReasonInput } from '../../wire/schema.ts';
import type { EmptyInput } from '../../house/session/schema.ts';

export const ADDRESS_LIST = { blocked: 1, allowed: 2, sanctions: 3 } as const;
/** Days of which withdrawals to an entry are counted. */
export const RECENT_DAYS = 30;
/** Addresses in one list. */
export const ADDRESSES_MAX = 100_000;

/** Whether a change of a list lets addresses pass that did not: more that are allowed, or fewer that are not. */
export const loosensList = (list: number, { added, removed }: { added: number; removed: number }): boolean =>
  (list === ADDRESS_LIST.allowed ? added : removed) > 0;

/** Whether a file removes so much of a list that the number must be typed. */
export const needsTypedCount = ({ count, removed }: { count: number; removed: number }): boolean =>
  removed * 10 > count;

const onLists = { ability: ABILITY.platform } as const;

/** Address lists of the installation: blocked, allowed and sanctioned. */
export const addressList = {
  list: read<EmptyInput, AddressOverview>()('address_list/list', '地址名单', onLists),
  entries: read<AddressEntriesInput, AddressEntries>()('address_list/entries', '名单中的地址', onLists),
  detail: read<IdInput, AddressImportDetail>()('address_list/import', '名单文件的差异', onLists),
  /** Withdrawals to the account of an entry in the last `RECENT_DAYS`, by whichever text of it. */
  recent: read<IdInput, AddressRecent>()('address_list/recent', '近期提现到名单中的地址', onLists),
  add: action<AddressAdd, AddressEntry>()(addressListActions.add, 'address_list/add'),
  remove: action<ReasonInput, AddressEntry>()(addressListActions.remove, 'address_list/remove'),
  upload: action<AddressUpload, AddressImportDetail>()(addressListActions.upload, 'address_list/upload', {
    // A character has at most three bytes in UTF-8.
    bodyBytesMax: ADDRESS_FILE_BYTES_MAX * 3 + 4_096,
    fileBytesMax: ADDRESS_UPLOAD_MAX,
  }),
  apply: action<AddressApply, AddressImport>()(addressListActions.apply, 'address_list/apply'),
};
