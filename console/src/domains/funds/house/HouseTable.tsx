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
  /** The least insurance of a coin in USDT; 0 is none. */
  bound: string;
  isPast: boolean;
}

/** Accounts with entries of nearly every trade: their entries open with those of the last days. */
const BUSY: readonly SystemAccount[] = ['fee', 'trading', 'custody'];

/** When the last seven days of the operator's zone began, unix milliseconds. */
function useWeek(): number {
  const zone = useZone();
  return startOfDay(addDays(useToday(zone), -6), zone);
}

/** The accounts of the house, with a line for each coin. */
export const HouseTable = ({ balances, bound, isPast }: Props) => (
  <PageTable label="平台账户" titles={TITLES}>
    {SYSTEM_ACCOUNTS.map((account) => (
      <AccountLines
        key={account}
        account={account}
        lines={balances.filter((line) => line.house === account)}
        bound={account === 'insurance' ? bound : '0'}
        isPast={isPast}
      />
    ))}
  </PageTable>
);

interface LinesProps {
  account: SystemAccount;
  lines: readonly HouseBalance[];
  bound: string;
  isPast: boolean;
}

function AccountLines({ account, lines, bound, isPast }: LinesProps) {
  const week = useWeek();
  const from = BUSY.includes(account) ? week : undefined;
  const head = (
    <th scope="rowgroup" rowSpan={Math.max(lines.length, 1)}>
      {systemAccountLabels[account]}
      <span className="ht-table-page-note">{houseNotes[account]}</span>
      {hasBound(bound) && (
        <span className="ht-table-page-note">
          每个币种的下限 <Money value={bound} unit="USDT" />
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
      <td className="ht-house-right" data-harm={isHarm(line)}>
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

const hasBound = (bound: string): boolean => compareAmounts(bound, '0') > 0;

const isLow = ({ valuation }: HouseBalance, bound: string): boolean =>
  hasBound(bound) && valuation !== null && compareAmounts(valuation, bound) < 0;

/** An insurance that has paid more than it had. */
const isHarm = ({ house, balance }: HouseBalance): boolean => house === 'insurance' && balance.startsWith('-');

/** In USDT; null if a coin has no price. */
function totalOf(lines: readonly HouseBalance[]): string | null {
  const valuations = lines.flatMap(({ valuation }) => (valuation === null ? [] : [valuation]));
  return valuations.length === lines.length ? sum(valuations) : null;
}
