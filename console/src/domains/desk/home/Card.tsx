import { type HomeCardName, trendMeasures } from '@hengtai/contract/desk/home/calls';
import type { HomeCard, HomeTrend } from '@hengtai/contract/desk/home/schema';
import type { MouseEvent } from 'react';
import { usePageRoute } from '../../../navigation/page-route.ts';
import { formatGrouped, isDecimal, negate, shorten, sum } from '../../../ui/value/decimal.ts';
import { dayOf, dayText, endOfDay, startOfDay } from '../../../ui/value/zone.ts';
import { Sparkline } from './Sparkline.tsx';

/**
 * The list with exactly the records of a figure. `{today}` is replaced by the date in the report zone, `{from}` and `{to}`
 * by its first and last millisecond.
 */
const paths: Readonly<Record<string, string>> = {
  用户总数: '/user',
  今日新增用户: '/user?from={from}&to={to}',
  '今日充值(USDT)': '/recharge?state=1&creditedDay={today}',
  '今日提现(USDT)': '/withdraw?state=4&paidDay={today}',
  待审核提现: '/withdraw?state=0',
  待审核实名: '/auth?state=0',
  待审核认购: '/ieo/review',
  待复核审批: '/approval?state=0',
  现货委托: '/trade/order?unfinished=1',
  合约持仓: '/future/open?demo=0',
  秒合约进行中: '/second/open',
  在线操作员: '/session?active=1',
} satisfies Record<HomeCardName, string>;

/** The address of the list of a card. */
function pathOfCard(text: string, at: number, zone: string): string | undefined {
  const today = dayOf(at, zone);
  return paths[text]
    ?.replace('{today}', dayText(today))
    .replace('{from}', String(startOfDay(today, zone)))
    .replace('{to}', String(endOfDay(today, zone)));
}

interface Props extends HomeCard {
  /** Time when the figure was loaded, unix milliseconds. */
  at: number;
  /** The report zone. */
  zone: string;
  trend: HomeTrend | undefined;
}

/** One figure with its change and its course, and a link to its records. */
export function Card({ text, value, at, zone, trend }: Props) {
  const { open } = usePageRoute();
  const href = pathOfCard(text, at, zone);
  const isWaiting = text.startsWith('待') && value !== '0' && isDecimal(value);
  const content = (
    <>
      <span className="ht-home-label">
        {isWaiting && <span className="ht-home-dot" />}
        {text}
      </span>
      <Figure value={value} />
      {trend ? <Trend trend={trend} /> : <span className="ht-home-change" />}
    </>
  );
  if (href === undefined) return <li className="ht-home-card">{content}</li>;
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(href);
  };
  return (
    <li className="ht-home-card">
      <a href={href} onClick={onClick}>
        {content}
      </a>
    </li>
  );
}

/** Emphasizes the integer digits. The tooltip has all digits. */
function Figure({ value }: { value: string }) {
  if (!isDecimal(value)) return <strong className="ht-home-value">{value || '--'}</strong>;
  const [whole, fraction] = shorten(value, 2).split('.');
  return (
    <strong className="ht-home-value" title={formatGrouped(value)}>
      {whole}
      {fraction && <small>.{fraction}</small>}
    </strong>
  );
}

const withSign = (value: string): string =>
  value === '0' ? '持平' : `${value.startsWith('-') ? '' : '+'}${shorten(value, 2)}`;

/** The change since the same time of yesterday, and the last days as a line. */
function Trend({ trend: { text, days, yesterday } }: { trend: HomeTrend }) {
  const today = days.at(-1) ?? '0';
  const change = withSign(sum([today, negate(yesterday)]));
  const measure = trendMeasures[text as HomeCardName];
  const words = measure === undefined ? '' : `今日${measure} `;
  return (
    <>
      <span className="ht-home-change" title={`${words}${formatGrouped(today)}，昨日此时 ${formatGrouped(yesterday)}`}>
        {measure !== undefined && (
          <>
            {words}
            {formatGrouped(today)} ·{' '}
          </>
        )}
        较昨日此时 {change}
      </span>
      <span
        className="ht-home-course"
        title={`近 ${days.length} 天${measure ?? ''}：${days.map(formatGrouped).join('、')}`}
      >
        <Sparkline values={days} />
      </span>
    </>
  );
}
