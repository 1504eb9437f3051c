import type { ListColumn } from '@hengtai/contract/list';
import { agent } from '@hengtai/contract/agent';
import { alarm } from '@hengtai/contract/alarm';
import { announce } from '@hengtai/contract/announce';
import { approval } from '@hengtai/contract/approval';
import { audit } from '@hengtai/contract/audit';
import { kyc } from '@hengtai/contract/kyc';
import { command } from '@hengtai/contract/command';
import { config } from '@hengtai/contract/config';
import { follow } from '@hengtai/contract/follow';
import { ledgerEntry } from '@hengtai/contract/ledger-entry';
import { report } from '@hengtai/contract/report';
import { binaryContract } from '@hengtai/contract/binary-contract';
import { future } from '@hengtai/contract/future';
import { ieo } from '@hengtai/contract/ieo';
import { internalTransfer } from '@hengtai/contract/internal-transfer';
import { market } from '@hengtai/contract/market';
import { priceProtection } from '@hengtai/contract/price-protection';
import { recharge } from '@hengtai/contract/recharge';
import { session } from '@hengtai/contract/session';
import { signal } from '@hengtai/contract/signal';
import { spot } from '@hengtai/contract/spot';
import { user } from '@hengtai/contract/user';
import { withdraw } from '@hengtai/contract/withdraw';
import { expect, test } from 'vitest';
import { agentColumns } from './agent/columns.tsx';
import { alarmColumns } from './alarm/columns.tsx';
import { announceColumns } from './announce/columns.tsx';
import { approvalColumns } from './approval/columns.tsx';
import { auditColumns } from './audit/columns.tsx';
import { kycColumns } from './kyc/columns.tsx';
import { commandColumns } from './command/columns.tsx';
import { historyColumns } from './config/columns.tsx';
import { followColumns } from './follow/columns.tsx';
import { ledgerEntryColumns } from './ledger-entry/columns.tsx';
import { configColumns, binaryContractColumns } from './binary-contract/columns.tsx';
import { closeColumns, endedColumns, futureColumns } from './future/columns.tsx';
import { ieoColumns } from './ieo/columns.tsx';
import { transferColumns } from './internal-transfer/columns.tsx';
import { marketColumns } from './market/columns.tsx';
import { priceProtectionColumns } from './price-protection/columns.tsx';
import { rechargeColumns } from './recharge/columns.tsx';
import { fundColumns as fundDayColumns, liabilityColumns, workColumns } from './report/columns.tsx';
import { sessionColumns } from './session/columns.tsx';
import { signalColumns } from './signal/columns.tsx';
import { spotColumns } from './spot/columns.tsx';
import { userColumns } from './user/columns.tsx';
import { withdrawColumns } from './withdraw/columns.tsx';

type ListColumns = readonly { key: string; title: string }[];

/** The columns of each list match the contract, which also defines the columns of exported files. */
test.each<[string, ListColumns, readonly ListColumn[]]>([
  ['agent', agentColumns(({ account }) => account), agent.list.list.columns],
  ['alarm', alarmColumns, alarm.list.list.columns],
  ['command', commandColumns, command.list.list.columns],
  ['announce', announceColumns, announce.list.list.columns],
  ['approval', approvalColumns, approval.list.list.columns],
  ['audit', auditColumns, audit.list.list.columns],
  ['auth', kycColumns, kyc.list.list.columns],
  ['config, history', historyColumns, config.history.list.columns],
  ['follow', followColumns, follow.list.list.columns],
  ['fund', ledgerEntryColumns, ledgerEntry.record.list.columns],
  ['second', binaryContractColumns, binaryContract.list.list.columns],
  ['secondConfig', configColumns, binaryContract.configList.list.columns],
  ['future', futureColumns, future.list.list.columns],
  ['future, ended', endedColumns, future.openHistory.list.columns],
  ['future, closed', closeColumns, future.closeHistory.list.columns],
  ['ieo', ieoColumns, ieo.list.list.columns],
  ['internalTransfer', transferColumns, internalTransfer.list.list.columns],
  ['market', marketColumns, market.list.list.columns],
  ['plan', priceProtectionColumns, priceProtection.list.list.columns],
  ['recharge', rechargeColumns, recharge.list.list.columns],
  ['report, funds', fundDayColumns(() => undefined), report.fund.list.columns],
  ['report, work', workColumns, report.work.list.columns],
  ['report, liabilities', liabilityColumns, report.liability.list.columns],
  ['session', sessionColumns, session.list.list.columns],
  ['signal', signalColumns, signal.list.list.columns],
  ['trade', spotColumns, spot.list.list.columns],
  ['user', userColumns(undefined, async () => undefined), user.list.list.columns],
  ['withdraw', withdrawColumns, withdraw.list.list.columns],
])('%s', (_name, columns, contractColumns) => {
  expect(columns.map(({ key, title }) => [key, title])).toEqual(
    contractColumns.map(({ field, title }) => [field, title]),
  );
});
