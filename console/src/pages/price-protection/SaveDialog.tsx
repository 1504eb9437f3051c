import { marketTypes } from '@hengtai/contract/market-type';
import { priceProtection } from '@hengtai/contract/price-protection';
import { POSITIVE_AMOUNT_PATTERN } from '@hengtai/contract/money';
import { Switch } from 'antd';
import { useId, useMemo, useState } from 'react';
import { newKey, useAction } from '../../api/hooks.ts';
import { runWithToast, withReason } from '../../api/run-with-toast.ts';
import { GuardNote } from '../../shell/LockedNote.tsx';
import { MarketCandles } from '../../shell/MarketCandles.tsx';
import { AmountInput } from '../../ui/AmountInput.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { plain, sum } from '../../ui/decimal.ts';
import { MinuteInput } from './MinuteInput.tsx';
import { bandLines } from './bands.ts';
import { STALE, minutesOf, nameOf } from './actions.ts';
import { type PriceProtectionView, marketIdOf } from './price-protection-row.ts';

interface Props {
  row: PriceProtectionView;
  onClose: () => void;
}

const FIELDS = { maxPrice: '上限', planPrice: '参考价', minPrice: '下限' } as const;
type Field = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS) as Field[];
const isPrice = new RegExp(POSITIVE_AMOUNT_PATTERN);

/** Level 2: the band, drawn into the candles as it is typed. */
export function SaveDialog({ row, onClose }: Props) {
  const watchId = useId();
  const { submit } = useAction(priceProtection.save, { invalidate: STALE });
  const [first] = useState(() => ({
    band: { maxPrice: row.maxPrice ?? '', planPrice: row.planPrice ?? row.price ?? '', minPrice: row.minPrice ?? '' },
    minuteText: String(row.planMinute),
    watched: row.maxPrice === null ? true : row.watched === 1,
  }));
  const [typed, setTyped] = useState<Record<Field, string>>(first.band);
  const [minuteText, setMinuteText] = useState(first.minuteText);
  const [watched, setWatched] = useState(first.watched);
  const planMinute = minutesOf(minuteText);
  const dirty =
    NAMES.some((name) => typed[name] !== first.band[name]) ||
    minuteText !== first.minuteText ||
    watched !== first.watched;
  const lines = useMemo(() => bandLines(typed), [typed]);
  const outside = row.price !== null && problemOf(typed) === undefined && !isInside(row.price, typed);

  async function run(reason: string, key: string) {
    const { maxPrice, planPrice, minPrice } = typed;
    const band = { maxPrice, planPrice, minPrice, planMinute: planMinute ?? 1, planState: watched ? 1 : 0 } as const;
    const about = { id: marketIdOf(row), marketType: row.marketType, version: row.version };
    const error = await runWithToast(() => submit(withReason({ ...about, ...band }, reason), key));
    if (!error) onClose();
    return error;
  }

  return (
    <ConfirmDialog
      title={`风控计划 · ${nameOf(row)}`}
      verb="保存"
      width={760}
      dirty={dirty}
      details={[]}
      consequence={
        !watched
          ? '保存后不监控价格：价格离开区间不会暂停交易。'
          : `成交价离开区间时，立即暂停 ${row.marketName} 的${marketTypes[row.marketType]}交易${planMinute === undefined ? '' : ` ${planMinute} 分钟`}并提醒操作员，到时自动恢复；只停此类交易。${outside ? '注意：最新价已在区间之外，下一笔行情就会触发。' : ''}`
      }
      blocked={problemOf(typed) ?? (planMinute === undefined ? '暂停时长为 1–1440 分钟' : undefined)}
      reason={{ required: false, chips: [] }}
      makeKey={newKey}
      run={run}
      onClose={onClose}
    >
      <div className="pl-chart">
        <MarketCandles id={marketIdOf(row)} marketName={row.marketName} lines={lines} />
      </div>
      <div className="pl-fields">
        {NAMES.map((field) => (
          <div key={field} className="pl-field">
            <span>{FIELDS[field]}</span>
            <AmountInput
              label={FIELDS[field]}
              unit="USDT"
              value={typed[field]}
              onChange={(value) => setTyped({ ...typed, [field]: value })}
            />
          </div>
        ))}
        <MinuteInput value={minuteText} onChange={setMinuteText} />
        <div className="pl-field">
          <label htmlFor={watchId}>监控价格</label>
          <Switch id={watchId} checked={watched} checkedChildren="开" unCheckedChildren="关" onChange={setWatched} />
          <span className="ht-faint">参考价只供对照，不会发布为行情</span>
        </div>
      </div>
      <GuardNote call="plan.save" />
    </ConfirmDialog>
  );
}

/** The sign of a − b, both unsigned decimals. */
const sign = (a: string, b: string): number =>
  Math.sign(Number(sum([a, `-${plain(b)}`]).replace(/^(-?).*[1-9].*$/, '$11')));

function problemOf({ maxPrice, planPrice, minPrice }: Record<Field, string>): string | undefined {
  const bad = NAMES.find((field) => !isPrice.test({ maxPrice, planPrice, minPrice }[field]));
  if (bad) return `请输入${FIELDS[bad]}，须大于 0`;
  if (sign(minPrice, planPrice) >= 0) return '下限须小于参考价';
  return sign(planPrice, maxPrice) >= 0 ? '上限须大于参考价' : undefined;
}

const isInside = (price: string, { maxPrice, minPrice }: Record<Field, string>): boolean =>
  sign(price, minPrice) >= 0 && sign(price, maxPrice) <= 0;
