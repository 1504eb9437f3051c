import type { UserRow } from '@hengtai/contract/people/user/schema';
import type { DetailItem } from '../../../ui/dialog/ConfirmDialog.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { stateTag } from './columns.tsx';
import { isLongAccount } from '../../../records/long-account.ts';

/** An account has up to 64 characters; one longer than this takes a whole line. */

/** The details that identify the user in every dialog. */
export const userDetails = (row: UserRow): readonly DetailItem[] => [
  { label: '用户', value: `${row.account}（${row.id}）`, wide: isLongAccount(row.account) },
  { label: '所属代理', value: row.agent, wide: isLongAccount(row.agent) },
  { label: '状态', value: stateTag(row.state) },
  { label: '估值', value: <Money value={row.valuation} unit="USDT" digits={2} shortened /> },
];
