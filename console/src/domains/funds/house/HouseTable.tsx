import type { HouseBalance } from '@hengtai/contract/funds/house/schema';
import {
  SYSTEM_ACCOUNTS,
  type SystemAccount,
  compareAmounts,
  systemAccountLabels,
} from '@hengtai/contract/values/money';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { PageTable } from '../../../ui/table/PageTable.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { sum } from '../../../ui/value/decimal.ts';
import { useToday } from '../../../ui/value/today.ts';
import { addDays, startOfDay, useZone } from '../../../ui/value/zone.ts';
import { houseNotes } from './words.ts';

const TITLES = ['账户', '币种', '余额', '估值(USDT，现价)', '操作'] as const;

interface Props {
  balances: readonly HouseBalance[];
  /** Minimum insurance of each coin in USDT; 0 for none. */
  insuranceMin: string;
  isPast: boolean;
}

/** Accounts with entries of nearly every trade. Their links open only the last seven days. */
const BUSY: readonly SystemAccount[] = ['fee', 'trading', 'custody'];

/** Start of the last seven days in the operator's zone, unix milliseconds. */
function useWeekStart(): number {
  const zone = useZone();
  return startOfDay(addDays(useToday(zone), -6), zone);
}

/** The accounts of the house, with a line for each coin. */
export const HouseTable = ({ balances, insuranceMin, isPast }: Props) => (
  <PageTable label="平台账户" titles={TITLES}>
    {SYSTEM_ACCOUNTS.map((account) => (
      <AccountLines
        key={account}
        account={account}
        lines={balances.filter((line) => line.house === account)}
        minimum={account === 'insurance' ? insuranceMin : '0'}
        isPast={isPast}
      />
    ))}
  </PageTable>
);

interface LinesProps {
  account: SystemAccount;
  lines: readonly HouseBalance[];
  minimum: string;
  isPast: boolean;
}

function AccountLines({ account, lines, minimum, isPast }: LinesProps) {
  const weekStart = useWeekStart();
  const from = BUSY.includes(account) ? weekStart : undefined;
  const head = (
    <th scope="rowgroup" rowSpan={Math.max(lines.length, 1)}>
      {systemAccountLabels[account]}
      <span className="ht-table-page-note">{houseNotes[account]}</span>
      {hasMinimum(minimum) && (
        <span className="ht-table-page-note">
          每个币种的下限 <Money value={minimum} unit="USDT" />
        </span>
      )}
      {lines.length > 1 && (
        <span className="ht-table-page-note">
          合计 ≈ <Money value={totalOf(lines)} unit="USDT" digits={2} shortened />
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
      <td className="ht-house-right" data-overdrawn={isOverdrawn(line)}>
        <Money value={line.balance} />
      </td>
      <td className="ht-house-right">
        <Money value={line.valuation} digits={2} shortened />
        {isLow(line, minimum) && <span className="ht-house-low">低于下限</span>}
      </td>
      <td>
        <PageLink
          to={`/house/entry?house=${account}&marketId=${line.marketId}${from === undefined ? '' : `&from=${from}`}`}
          label={`${systemAccountLabels[account]} ${line.marketName} 明细`}
        >
          明细
        </PageLink>
      </td>
    </tr>
  ));
}

const hasMinimum = (minimum: string): boolean => compareAmounts(minimum, '0') > 0;

const isLow = ({ valuation }: HouseBalance, minimum: string): boolean =>
  hasMinimum(minimum) && valuation !== null && compareAmounts(valuation, minimum) < 0;

/** The insurance has paid more than it had. */
const isOverdrawn = ({ house, balance }: HouseBalance): boolean => house === 'insurance' && balance.startsWith('-');

/** In USDT; null if a coin has no price. */
function totalOf(lines: readonly HouseBalance[]): string | null {
  const valuations = lines.flatMap(({ valuation }) => (valuation === null ? [] : [valuation]));
  return valuations.length === lines.length ? sum(valuations) : null;
}
