import './wallet-coin.css';
import { READING_MAX_AGE_MS } from '@hengtai/contract/funds/wallet-coin/facts';
import type { WalletCoinRow } from '@hengtai/contract/funds/wallet-coin/schema';
import { Money } from '../../../ui/value/Money.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { isZero } from './words.ts';

/** What wallets hold above or below the ledger; anything but zero stands out. */
export const Difference = ({ value, unit }: { value: string | null; unit?: string }) => (
  <span className="ht-wallet-coin-difference" data-differs={value !== null && !isZero(value)}>
    <Money value={value} showPlus {...(unit !== undefined && { unit })} />
  </span>
);

/** Days that hot wallets cover; without outflow they cover any number of days. */
export const CoverDays = ({ row }: { row: Pick<WalletCoinRow, 'days' | 'hot' | 'outflow'> }) =>
  row.hot !== null && row.outflow === null ? (
    <span className="ht-value-faint" title="近 30 天没有净流出">
      无净流出
    </span>
  ) : (
    <Money value={row.days} unit="天" />
  );

/** A reading, which is marked if it was too old when ledger and wallets were compared. */
export const ReadAt = ({ value, now }: { value: number | null; now: number }) => {
  const isOld = value !== null && now - value > READING_MAX_AGE_MS;
  return (
    <span className="ht-wallet-coin-read" data-old={isOld} title={isOld ? '超过 1 小时没有新的读数' : undefined}>
      <Time value={value} near />
      {isOld && <span>已过时</span>}
    </span>
  );
};
