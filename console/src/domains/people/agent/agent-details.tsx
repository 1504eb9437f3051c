import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import type { DetailItem } from '../../../ui/dialog/ConfirmDialog.tsx';
import { stateTag } from './columns.tsx';
import { isLongAccount } from '../../../records/long-account.ts';

/** The details that identify the agent in every dialog. */
export const agentDetails = (row: AgentRow): readonly DetailItem[] => [
  { label: '代理', value: `${row.account}（${row.id}）`, wide: isLongAccount(row.account) },
  { label: '上级', value: row.parentAccount ?? '--', wide: isLongAccount(row.parentAccount ?? '') },
  { label: '状态', value: stateTag(row.state) },
  {
    label: '名下',
    value: `${row.agentCount.toLocaleString('en-US')} 个下级代理，${row.userCount.toLocaleString('en-US')} 位用户`,
  },
];
