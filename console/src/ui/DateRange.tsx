import { CalendarOutlined, SwapRightOutlined } from '@ant-design/icons';
import { Suspense, memo } from 'react';
import type { DateRangeProps } from './DateRangePicker.tsx';
import { useAfterFirstPaint } from './after-first-paint.ts';
import { lazyComponent } from './lazy-component.ts';
import { dayOf, dayText, useZone } from './zone.ts';

const DateRangePicker = lazyComponent(
  async () => (await import('./DateRangePicker.tsx')).DateRangePicker,
  ({ value }: DateRangeProps) => <Place value={value} trouble="未能加载，刷新页面后可用" />,
);

const LABEL = '时间';
const ENDS: DateRangeProps['ends'] = ['开始', '结束'];

/** A range of whole days. The calendar is a fifth of what a list needs: it comes when the list stands. */
export const DateRange = memo((props: Pick<DateRangeProps, 'value' | 'onChange'>) => {
  const idle = useAfterFirstPaint();
  const place = <Place value={props.value} />;
  if (!idle) return place;
  return (
    <Suspense fallback={place}>
      <DateRangePicker {...props} label={LABEL} ends={ENDS} />
    </Suspense>
  );
});

interface PlaceProps {
  value: DateRangeProps['value'];
  /** Why it stays like this. */
  trouble?: string;
}

/** What it looks like until then. */
function Place({ value, trouble }: PlaceProps) {
  const zone = useZone();
  const [from, to] = value ? [value.from, value.to].map((ms) => dayText(dayOf(ms, zone))) : ENDS;
  return (
    <span className="ht-filter ht-filter-range ht-range-place" data-chosen={value !== undefined} aria-hidden={!trouble}>
      <span className="ht-prefix">{LABEL}</span>
      {trouble ? (
        <span title={trouble}>{trouble}</span>
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
