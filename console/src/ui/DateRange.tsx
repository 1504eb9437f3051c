import { CalendarOutlined, SwapRightOutlined } from '@ant-design/icons';
import { Suspense, memo } from 'react';
import type { DateRangeProps } from './DateRangePicker.tsx';
import { useAfterFirstPaint } from './after-first-paint.ts';
import { lazyComponent } from './lazy-component.ts';
import { dayOf, dayText, useZone } from './zone.ts';

const DateRangePicker = lazyComponent(
  async () => (await import('./DateRangePicker.tsx')).DateRangePicker,
  ({ value }: DateRangeProps) => <Placeholder value={value} error="未能加载，刷新页面后可用" />,
);

const LABEL = '时间';
const ENDS: DateRangeProps['ends'] = ['开始', '结束'];

/**
 * A range of whole days. The calendar is a fifth of the script of a list page, so it is loaded after the first paint.
 */
export const DateRange = memo((props: Pick<DateRangeProps, 'value' | 'onChange'>) => {
  const isIdle = useAfterFirstPaint();
  const placeholder = <Placeholder value={props.value} />;
  if (!isIdle) return placeholder;
  return (
    <Suspense fallback={placeholder}>
      <DateRangePicker {...props} label={LABEL} ends={ENDS} />
    </Suspense>
  );
});

interface PlaceholderProps {
  value: DateRangeProps['value'];
  /** Why the picker cannot be loaded. */
  error?: string;
}

/** Placeholder with the same size and text, until the picker is loaded. */
function Placeholder({ value, error }: PlaceholderProps) {
  const zone = useZone();
  const [from, to] = value ? [value.from, value.to].map((ms) => dayText(dayOf(ms, zone))) : ENDS;
  return (
    <span
      className={`ht-filter ht-filter-range ht-range-place${value ? ' ht-filter-range-chosen' : ''}`}
      data-chosen={value !== undefined}
      aria-hidden={!error}
    >
      <span className="ht-prefix">{LABEL}</span>
      {error ? (
        <span title={error}>{error}</span>
      ) : (
        <>
          <span>{from}</span>
          <SwapRightOutlined aria-hidden />
          <span>{to}</span>
        </>
      )}
      <CalendarOutlined aria-hidden />
    </span>
  );
}
