import type { HomeCard } from '@hengtai/contract/home.schema';
import type { MouseEvent } from 'react';
import { useMe } from '../../api/me.ts';
import { usePageRoute } from '../../navigation/page-route.ts';
import { formatGrouped, isDecimal, shorten } from '../../ui/decimal.ts';
import { dayOf, startOfDay } from '../../ui/zone.ts';

/** The list behind a figure. `{today}` is replaced by the start of the day in the report zone, unix milliseconds. */
const paths: Readonly<Record<string, string>> = {
  用户总数: '/user',
  今日新增用户: '/user?from={today}',
  '今日充值(USDT)': '/recharge?state=1&from={today}',
  '今日提现(USDT)': '/withdraw?state=4&from={today}',
  待审核提现: '/withdraw?state=0',
  待审核实名: '/auth?state=0',
  待审核认购: '/ieo/review',
  待复核审批: '/approval?state=0',
  现货委托: '/trade/order?unfinished=1',
  合约持仓: '/future/open',
  秒合约进行中: '/second/open',
  在线操作员: '/session',
};

interface Props extends HomeCard {
  /** Time when the figure was loaded, unix milliseconds. */
  at: number;
}

/** One figure with a link to its rows. */
export function Card({ text, value, at }: Props) {
  const { open } = usePageRoute();
  const { zone } = useMe();
  const path = paths[text];
  const isWaiting = text.startsWith('待') && value !== '0' && isDecimal(value);
  const content = (
    <>
      <span className="home-label">
        {isWaiting && <span className="home-dot" />}
        {text}
      </span>
      <Figure value={value} />
    </>
  );
  if (!path) return <li className="home-card">{content}</li>;
  const href = path.replace('{today}', String(startOfDay(dayOf(at, zone), zone)));
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(href);
  };
  return (
    <li className="home-card">
      <a href={href} onClick={onClick}>
        {content}
      </a>
    </li>
  );
}

/** Emphasizes the integer digits. The tooltip has all digits. */
function Figure({ value }: { value: string }) {
  if (!isDecimal(value)) return <strong className="home-value">{value || '--'}</strong>;
  const [whole, fraction] = shorten(value, 2).text.split('.');
  return (
    <strong className="home-value" title={formatGrouped(value)}>
      {whole}
      {fraction && <small>.{fraction}</small>}
    </strong>
  );
}
