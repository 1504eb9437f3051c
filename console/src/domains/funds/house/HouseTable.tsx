import type { HouseBalance } from '@hengtai/contract/funds/house/schema';
import { SYSTEM_ACCOUNTS, type SystemAccount, systemAccountLabels } from '@hengtai/contract/values/money';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { PageTable } from '../../../ui/table/PageTable.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { sum } from '../../../ui/value/decimal.ts';
import { houseNotes } from './words.ts';

const TITLES = ['账户', '币种', '余额', '估值(USDT，现价)', '操作'] as const;

interface Props {
  balances: readonly HouseBalance[];
  isPast: boolean;
}

/** The accounts of the house, with a line for each coin. */
export const HouseTable = ({ balances, isPast }: Props) => (
  <PageTable label="平台账户" titles={TITLES}>
    {SYSTEM_ACCOUNTS.map((account) => (
      <AccountLines
        key={account}
        account={account}
        lines={balances.filter((line) => line.house === account)}
        isPast={isPast}
      />
    ))}
  </PageTable>
);

interface LinesProps {
  account: SystemAccount;
  lines: readonly HouseBalance[];
  isPast: boolean;
}

function AccountLines({ account, lines, isPast }: LinesProps) {
  const head = (
    <th scope="rowgroup" rowSpan={Math.max(lines.length, 1)}>
      {systemAccountLabels[account]}
      <span className="ht-table-page-note">{houseNotes[account]}</span>
      {lines.length > 1 && (
        <span className="ht-table-page-note">
          合计 ≈ <Money value={totalOf(lines)} unit="USDT" digits={2} rough />
        </span>
      )}
    </th>
  );
  if (lines.length === 0)
    return (
      <tr>
        {head}
        <td colSpan={TITLES.length - 1} className="ht-value-faint">
          {isPast ? '当时没有记账' : '没有记账'}
        </td>
      </tr>
    );
  return lines.map((line, index) => (
    <tr key={line.marketId}>
      {index === 0 && head}
      <td>{line.marketName}</td>
      <td className="ht-table-right" data-harm={isHarm(line)}>
        <Money value={line.balance} />
      </td>
      <td className="ht-table-right">
        <Money value={line.valuation} digits={2} rough />
      </td>
      <td>
        <PageLink
          to={`/house/entry?house=${account}&marketId=${line.marketId}`}
          label={`${systemAccountLabels[account]} ${line.marketName} 明细`}
        >
          明细
        </PageLink>
      </td>
    </tr>
  ));
}

/** An insurance that has paid more than it had. */
const isHarm = ({ house, balance }: HouseBalance): boolean => house === 'insurance' && balance.startsWith('-');

/** In USDT; null if a coin has no price. */
function totalOf(lines: readonly HouseBalance[]): string | null {
  const valuations = lines.flatMap(({ valuation }) => (valuation === null ? [] : [valuation]));
  return valuations.length === lines.length ? sum(valuations) : null;
}
