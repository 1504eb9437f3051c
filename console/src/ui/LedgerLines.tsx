import { bucketLabels, entryLabels, platformLabels } from '@hengtai/contract/money';
import type { LedgerLine } from '@hengtai/contract/withdraw.schema';
import { type MiniColumn, MiniTable } from './MiniTable.tsx';
import { Money } from './Money.tsx';

const words = (labels: Readonly<Record<string | number, string>>, key: string | number) => labels[key] ?? String(key);

/** Account type and bucket; accounts of the house have none worth telling. */
const placeOf = ({ platform, bucket }: LedgerLine): string =>
  Object.hasOwn(platformLabels, platform)
    ? `${words(platformLabels, platform)}·${words(bucketLabels, bucket)}`
    : '平台';

const after: readonly MiniColumn<LedgerLine>[] = [
  { title: '账户', cell: ({ owner }) => owner },
  { title: '类别', cell: placeOf },
  { title: '类型', cell: ({ type }) => words(entryLabels, type) },
  { title: '变动', right: true, cell: ({ amount }) => <Money value={amount} sign digits={18} /> },
  { title: '变动后', right: true, cell: ({ balance }) => <Money value={balance} digits={18} /> },
];
/** About one user, so the place alone says whose account it is, and there is room for all digits. */
const around: readonly MiniColumn<LedgerLine>[] = [
  { title: '账户', cell: (line) => (line.before === null ? line.owner : placeOf(line)) },
  ...after.slice(2, 3),
  { title: '变动前', right: true, cell: ({ before }) => <Money value={before} digits={18} /> },
  ...after.slice(3),
];

const coin: MiniColumn<LedgerLine> = { title: '币种', cell: ({ marketName }) => marketName };

/** Where more than one coin moves, each row says which. */
const withCoin = (columns: readonly MiniColumn<LedgerLine>[], lines: readonly LedgerLine[]) =>
  new Set(lines.map(({ marketName }) => marketName)).size > 1 ? columns.toSpliced(-2, 0, coin) : columns;

interface Props {
  title: string;
  lines: readonly LedgerLine[];
  /** For one user's rows: shows the balance before each as well. */
  before?: boolean;
}

/** The rows of the ledger that a decision will post. */
export function LedgerLines({ title, lines, before = false }: Props) {
  return (
    <MiniTable
      label={title}
      rows={lines}
      keyOf={(_line, index) => index}
      none="不记账"
      columns={withCoin(before ? around : after, lines)}
    />
  );
}
