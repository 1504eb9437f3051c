import './order-parts.css';
import { COMMAND } from '@hengtai/contract/gateway/gateway';
import { commandStates } from '@hengtai/contract/house/command/facts';
import { type Bucket, type EntryType, bucketLabels, entryLabels } from '@hengtai/contract/values/money';
import type { MiniColumn } from '../ui/table/MiniTable.tsx';
import { Money } from '../ui/value/Money.tsx';
import { StateTag, type Tone } from '../ui/value/StateTag.tsx';
import { Time } from '../ui/value/Time.tsx';

export const commandTones: Readonly<Record<number, Tone>> = {
  [COMMAND.waiting]: 'wait',
  [COMMAND.sent]: 'run',
  [COMMAND.done]: 'good',
  [COMMAND.failed]: 'bad',
  [COMMAND.unknown]: 'warn',
};

/** A profit or loss, in the price colours and with sign. */
export function ProfitAmount({ value, unit, digits = 4 }: { value: string | null; unit?: string; digits?: number }) {
  const towards = value === null || /^-?[0.]+$/.test(value) ? 'none' : value.startsWith('-') ? 'down' : 'up';
  return (
    <span className="ht-records-gain" data-towards={towards}>
      <Money value={value} showPlus shortened digits={digits} {...(unit !== undefined && { unit })} />
    </span>
  );
}

/** State of the pending platform command of an action. */
export function CommandNote({ doing, command, what }: { doing: boolean; command: number | null; what: string }) {
  if (!doing || command === null || command === COMMAND.done) return null;
  return (
    <span className="ht-records-command-note" title={`${what}的状态`}>
      {commandStates[command as keyof typeof commandStates] ?? command}
    </span>
  );
}

export const timeColumn = {
  title: '时间',
  cell: ({ createdAt }: { createdAt: number }) => <Time value={createdAt} />,
};

interface Command {
  id: number;
  state: number;
  reason: string;
  createdAt: number;
  doneAt: number | null;
}

/** Columns of platform commands and their outcome. */
export const commandColumns: readonly MiniColumn<Command>[] = [
  { title: '编号', cell: ({ id }) => id },
  { title: '发出', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: '状态', cell: ({ state }) => <StateTag state={state} labels={commandStates} tones={commandTones} /> },
  { title: '答复', cell: ({ doneAt }) => <Time value={doneAt} /> },
  { title: '说明', cell: ({ reason }) => reason || '--' },
];

interface Entry {
  marketName: string;
  bucket: string;
  type: number;
  amount: string;
  balance: string;
  createdAt: number;
}

/** Columns of the ledger entries of one request. */
export const entryColumns: readonly MiniColumn<Entry>[] = [
  timeColumn,
  { title: '类型', cell: ({ type }) => entryLabels[type as EntryType] ?? type },
  { title: '币种', cell: ({ marketName }) => marketName },
  { title: '类别', cell: ({ bucket }) => bucketLabels[bucket as Bucket] ?? bucket },
  { title: '变动', right: true, cell: ({ amount }) => <Money value={amount} showPlus /> },
  { title: '变动后', right: true, cell: ({ balance }) => <Money value={balance} /> },
];
