import type { AgentRow } from '@hengtai/contract/agent.schema';
import type { DetailItem } from '../../ui/ConfirmDialog.tsx';
import { stateTag } from './columns.tsx';

/** Accounts may have 64 signs. */
const LONG = 20;

/** Who it is about, on every dialog. */
export const agentDetails = (row: AgentRow): readonly DetailItem[] => [
  { label: '代理', value: `${row.account}（${row.id}）`, wide: row.account.length > LONG },
  { label: '上级', value: row.parentAccount ?? '--', wide: (row.parentAccount?.length ?? 0) > LONG },
  { label: '状态', value: stateTag(row.state) },
  {
    label: '名下',
    value: `${row.agentCount.toLocaleString('en-US')} 个下级代理，${row.userCount.toLocaleString('en-US')} 位用户`,
  },
];
