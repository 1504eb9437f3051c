import { house, houseEntryTarget } from '@hengtai/contract/funds/house/calls';
import type { HouseEntry } from '@hengtai/contract/funds/house/schema';
import { type EntryType, entryLabels, systemAccountLabels } from '@hengtai/contract/values/money';
import { operatorCell, userCell } from '../../../navigation/account-cells.tsx';
import { TargetLink } from '../../../navigation/TargetLink.tsx';
import { listColOf } from '../../../ui/table/columns.ts';
import { textCell, timeCell } from '../../../ui/table/list-cells.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Money } from '../../../ui/value/Money.tsx';

const col = listColOf<HouseEntry>()(house.entries.list.columns);

export const houseEntryColumns = [
  col('id', { width: 80, fixed: 'left', locked: true }),
  col('house', { width: 106, render: (value) => systemAccountLabels[value] }),
  col('type', { width: 104, render: (value) => entryLabels[value as EntryType] ?? value }),
  col('marketName', { width: 72, unitOf: 'amount' }),
  col('amount', { width: 174, align: 'right', render: (value) => <Money value={value} showPlus /> }),
  col('account', { width: 138, render: userCell }),
  col('createdAt', { width: 104, render: timeCell }),
  col('refId', { width: 130, render: (_value, row) => <TargetLink target={houseEntryTarget(row)} /> }),
  col('operator', { width: 130, under: 'account', render: operatorCell }),
  col('remark', { width: 160, under: 'refId', render: textCell }),
  col('txHash', { width: 130, drawer: true, render: (value) => <Hash value={value ?? ''} label="交易哈希" /> }),
  col('happenedAt', { width: 104, drawer: true, render: timeCell }),
  col('userId', { width: 96, hidden: true }),
];
