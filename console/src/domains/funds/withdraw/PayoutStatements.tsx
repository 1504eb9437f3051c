import { attemptText, statementEffects, statementTypes } from '@hengtai/contract/funds/withdraw/calls';
import type { PayoutStatement, WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { Time } from '../../../ui/value/Time.tsx';

type Shown = PayoutStatement & Pick<WithdrawRow, 'explorer'>;

const labelOf = (labels: Readonly<Record<string, string>>, value: string): string => labels[value] ?? value;

const columns: readonly MiniColumn<Shown>[] = [
  { title: '时间', nowrap: true, cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: '打款', nowrap: true, cell: ({ attempt }) => attemptText(attempt) },
  { title: '内容', nowrap: true, cell: ({ type }) => labelOf(statementTypes, type) },
  { title: '结果', nowrap: true, cell: ({ effect }) => labelOf(statementEffects, effect) },
  {
    title: '交易哈希',
    cell: ({ txHash, reason, explorer }) =>
      txHash === '' ? reason || '--' : <Hash value={txHash} label="交易哈希" explorer={explorer} />,
  },
  {
    title: '链上手续费',
    right: true,
    cell: ({ chainFee, feeMarket }) => <Money value={chainFee} unit={feeMarket ?? ''} />,
  },
];

interface Props {
  statements: readonly PayoutStatement[];
  /** URL template of the network's block explorer. */
  explorer: string;
}

/** What the wallet said about the payouts: each payment, and what changed nothing. */
export function PayoutStatements({ statements, explorer }: Props) {
  return (
    <Section title="钱包的说明">
      <MiniTable
        label="钱包的说明"
        rows={statements.map((statement) => ({ ...statement, explorer }))}
        keyOf={({ id }) => id}
        empty="暂无"
        isMarked={({ effect }) => effect === 'unexpected'}
        columns={columns}
      />
    </Section>
  );
}
