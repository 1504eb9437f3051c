import { marketTypes } from '@hengtai/contract/trading/market/type';
import { priceProtection } from '@hengtai/contract/risk/price-protection/calls';
import { POSITIVE_AMOUNT_PATTERN } from '@hengtai/contract/values/money';
import { Switch } from 'antd';
import { useMemo, useState } from 'react';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { GuardNote } from '../../../actions/LockedNote.tsx';
import { MarketCandles } from '../../trading/market/exported/MarketCandles.tsx';
import { FormField, FormGrid } from '../../../ui/form/FormPart.tsx';
import { AmountInput } from '../../../ui/form/AmountInput.tsx';
import { formatPlain, sum } from '../../../ui/value/decimal.ts';
import { MinuteInput } from './MinuteInput.tsx';
import { bandLines } from './bands.ts';
import { parseMinutes, marketText } from './words.ts';
import { type PriceProtectionView, marketIdOf } from './price-protection-row.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

const FIELDS = { maxPrice: '上限', planPrice: '参考价', minPrice: '下限' } as const;
type Field = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS) as Field[];
const PRICE_REGEX = new RegExp(POSITIVE_AMOUNT_PATTERN);

/** Level 2: saves the price band. The chart shows the band while it is typed. */
export function SaveDialog({ row, onClose }: RecordDialogProps<PriceProtectionView>) {
  const [initial] = useState(() => ({
    band: { maxPrice: row.maxPrice ?? '', planPrice: row.planPrice ?? row.price ?? '', minPrice: row.minPrice ?? '' },
    minuteText: String(row.planMinute),
    isWatched: row.maxPrice === null ? true : row.watched === 1,
  }));
  const [band, setBand] = useState<Record<Field, string>>(initial.band);
  const [minuteText, setMinuteText] = useState(initial.minuteText);
  const [isWatched, setWatched] = useState(initial.isWatched);
  const planMinute = parseMinutes(minuteText);
  const isDirty =
    NAMES.some((name) => band[name] !== initial.band[name]) ||
    minuteText !== initial.minuteText ||
    isWatched !== initial.isWatched;
  const lines = useMemo(() => bandLines(band), [band]);
  const isPriceOutside = row.price !== null && problemOf(band) === undefined && !isInside(row.price, band);

  return (
    <ActionDialog
      call={priceProtection.save}
      input={{
        id: marketIdOf(row),
        marketType: row.marketType,
        version: row.version,
        ...band,
        planMinute: planMinute ?? 1,
        planState: isWatched ? 1 : 0,
      }}
      title={`风控计划 · ${marketText(row)}`}
      verb="保存"
      width={760}
      dirty={isDirty}
      details={[]}
      consequence={
        !isWatched
          ? '保存后不监控价格：价格离开区间不会暂停交易。'
          : `成交价离开区间时，立即暂停 ${row.marketName} 的${marketTypes[row.marketType]}交易${planMinute === undefined ? '' : ` ${planMinute} 分钟`}并提醒操作员，到时自动恢复；只停此类交易。${isPriceOutside ? '注意：最新价已在区间之外，下一笔行情就会触发。' : ''}`
      }
      blocked={problemOf(band) ?? (planMinute === undefined ? '暂停时长为 1–1440 分钟' : undefined)}
      onClose={onClose}
    >
      <div className="ht-price-protection-chart">
        <MarketCandles id={marketIdOf(row)} marketName={row.marketName} lines={lines} />
      </div>
      <FormGrid>
        {NAMES.map((field) => (
          <FormField key={field} label={FIELDS[field]} hint={field === 'planPrice' ? '只供对照，不会发布为行情' : ''}>
            {(id) => (
              <AmountInput
                id={id}
                label={FIELDS[field]}
                unit="USDT"
                value={band[field]}
                onChange={(value) => setBand({ ...band, [field]: value })}
              />
            )}
          </FormField>
        ))}
        <MinuteInput value={minuteText} onChange={setMinuteText} />
        <FormField label="监控价格">
          {(id) => (
            <Switch id={id} checked={isWatched} checkedChildren="开" unCheckedChildren="关" onChange={setWatched} />
          )}
        </FormField>
      </FormGrid>
      <GuardNote call="plan.save" />
    </ActionDialog>
  );
}

/** The sign of a − b for two unsigned decimal strings: -1, 0 or 1. */
const compare = (a: string, b: string): number =>
  Math.sign(Number(sum([a, `-${formatPlain(b)}`]).replace(/^(-?).*[1-9].*$/, '$11')));

function problemOf({ maxPrice, planPrice, minPrice }: Record<Field, string>): string | undefined {
  const invalid = NAMES.find((field) => !PRICE_REGEX.test({ maxPrice, planPrice, minPrice }[field]));
  if (invalid) return `请输入${FIELDS[invalid]}，须大于 0`;
  if (compare(minPrice, planPrice) >= 0) return '下限须小于参考价';
  return compare(planPrice, maxPrice) >= 0 ? '上限须大于参考价' : undefined;
}

const isInside = (price: string, { maxPrice, minPrice }: Record<Field, string>): boolean =>
  compare(price, minPrice) >= 0 && compare(price, maxPrice) <= 0;
