import './filter-field.css';
import './date-range.css';
import { CalendarOutlined, SwapRightOutlined } from '@ant-design/icons';
import { type ComponentType, type RefObject, memo, useRef, useState } from 'react';
import type { DateRangeProps, RangeFocus } from './DateRangePicker.tsx';
import { dayOf, dayText, useZone } from '../value/zone.ts';

const LABEL = '时间';
const ENDS: DateRangeProps['ends'] = ['开始', '结束'];

type Picker = ComponentType<DateRangeProps>;

/**
 * A range of whole days. The calendar is a fifth of the script of a list page, so it is loaded when the pointer or the
 * focus reaches the field. Until then two inputs of the same size take its place.
 */
export const DateRange = memo((props: Pick<DateRangeProps, 'value' | 'onChange'>) => {
  const [Loaded, setLoaded] = useState<Picker>();
  const [hasFailed, setHasFailed] = useState(false);
  const [focus, setFocus] = useState<RangeFocus>();
  const box = useRef<HTMLDivElement>(null);
  const isClicked = useRef(false);

  const load = async () => {
    try {
      const { DateRangePicker } = await import('./DateRangePicker.tsx');
      const index = [...(box.current?.querySelectorAll('input') ?? [])].findIndex(
        (input) => input === document.activeElement,
      );
      if (index >= 0) setFocus({ index, opens: isClicked.current });
      setLoaded(() => DateRangePicker);
    } catch {
      setHasFailed(true);
    }
  };

  if (Loaded) return <Loaded {...props} label={LABEL} ends={ENDS} {...(focus && { initialFocus: focus })} />;
  return (
    <Placeholder
      box={box}
      value={props.value}
      hasFailed={hasFailed}
      onReach={(byClick) => {
        isClicked.current ||= byClick;
        if (!hasFailed) void load();
      }}
    />
  );
});

interface PlaceholderProps {
  box: RefObject<HTMLDivElement | null>;
  value: DateRangeProps['value'];
  /** The picker cannot be loaded. Browsers do not retry a failed module. */
  hasFailed: boolean;
  onReach: (byClick: boolean) => void;
}

/** Inputs with the size and the text of the picker. */
function Placeholder({ box, value, hasFailed, onReach }: PlaceholderProps) {
  const zone = useZone();
  const days = value ? [value.from, value.to].map((ms) => dayText(dayOf(ms, zone))) : ['', ''];
  const input = (index: 0 | 1) => (
    <input
      aria-label={`${LABEL} ${ENDS[index]}`}
      placeholder={ENDS[index]}
      value={days[index] ?? ''}
      readOnly
      onFocus={() => onReach(false)}
      onPointerDown={() => onReach(true)}
    />
  );
  return (
    <div
      ref={box}
      className={`ht-form-filter ht-form-range ht-form-range-place${value ? ' ht-form-range-chosen' : ''}`}
      onPointerEnter={() => onReach(false)}
    >
      <span className="ht-form-prefix">{LABEL}</span>
      {hasFailed ? (
        <span role="status">未能加载，刷新页面后可用</span>
      ) : (
        <>
          {input(0)}
          <SwapRightOutlined aria-hidden />
          {input(1)}
        </>
      )}
      <CalendarOutlined aria-hidden />
    </div>
  );
}
