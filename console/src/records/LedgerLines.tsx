import { bucketLabels, entryLabels, platformLabels } from '@hengtai/contract/values/money';
import type { LedgerLine } from '@hengtai/contract/funds/withdraw/schema';
import { type MiniColumn, MiniTable } from '../ui/table/MiniTable.tsx';
import { Money } from '../ui/value/Money.tsx';

const labelOf = (labels: Readonly<Record<string | number, string>>, key: string | number) => labels[key] ?? String(key);

const isOfUser = ({ platform }: LedgerLine): boolean => Object.hasOwn(platformLabels, platform);

/** Account type and bucket; system accounts have no bucket worth showing. */
export const accountTypeText = (line: LedgerLine): string =>
  isOfUser(line) ? `${labelOf(platformLabels, line.platform)}·${labelOf(bucketLabels, line.bucket)}` : '平台';

const columns: readonly MiniColumn<LedgerLine>[] = [
  { title: '账户', cell: ({ owner }) => owner },
  { title: '类别', nowrap: true, cell: accountTypeText },
  { title: '类型', nowrap: true, cell: ({ type }) => labelOf(entryLabels, type) },
  { title: '变动', right: true, cell: ({ amount }) => <Money value={amount} showPlus /> },
  { title: '变动后', right: true, cell: ({ balance }) => <Money value={balance} /> },
];
/** For the rows of one user: the place identifies the account, which leaves room for all digits. */
const columnsWithBefore: readonly MiniColumn<LedgerLine>[] = [
  { title: '账户', nowrap: true, cell: (line) => (isOfUser(line) ? accountTypeText(line) : line.owner) },
  ...columns.slice(2, 3),
  { title: '变动前', right: true, cell: ({ before }) => <Money value={before} /> },
  ...columns.slice(3),
];

const coin: MiniColumn<LedgerLine> = { title: '币种', nowrap: true, cell: ({ marketName }) => marketName };

/** Adds the coin column if several coins are involved. */
const withCoin = (columns: readonly MiniColumn<LedgerLine>[], lines: readonly LedgerLine[]) =>
  new Set(lines.map(({ marketName }) => marketName)).size > 1 ? columns.toSpliced(-2, 0, coin) : columns;

interface Props {
  title: string;
  lines: readonly LedgerLine[];
  /** Rows of one user: also shows the balance before each. */
  showBefore?: boolean;
}

/** Ledger entries that a decision will post. */
export function LedgerLines({ title, lines, showBefore = false }: Props) {
  return (
    <MiniTable
      label={title}
      rows={lines}
      keyOf={(_line, index) => index}
      empty="不记账"
      columns={withCoin(showBefore ? columnsWithBefore : columns, lines)}
    />
  );
}
