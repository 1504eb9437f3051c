import type { HomeCard } from '@hengtai/contract/home.schema';
import type { MouseEvent } from 'react';
import { useMe } from '../../api/me.ts';
import { usePageRoute } from '../../shell/page-route.ts';
import { grouped, isDecimal, shorten } from '../../ui/decimal.ts';
import { dayOf, startOfDay } from '../../ui/zone.ts';

/** Where the rows behind a figure are; `{today}` is the beginning of the day in the report zone. */
const leadsTo: Readonly<Record<string, string>> = {
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
  /** When the figure was read. */
  at: number;
}

/** One figure, which leads to its rows. */
export function Card({ text, value, at }: Props) {
  const { open } = usePageRoute();
  const { zone } = useMe();
  const path = leadsTo[text];
  const waiting = text.startsWith('待') && value !== '0' && isDecimal(value);
  const content = (
    <>
      <span className="home-label">
        {waiting && <span className="home-dot" />}
        {text}
      </span>
      <Figure value={value} />
    </>
  );
  if (!path) return <li className="home-card">{content}</li>;
  const filled = path.replace('{today}', String(startOfDay(dayOf(at, zone), zone)));
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(filled);
  };
  return (
    <li className="home-card">
      <a href={filled} onClick={onClick}>
        {content}
      </a>
    </li>
  );
}

/** The digits before the point stand out; all digits are on hover. */
function Figure({ value }: { value: string }) {
  if (!isDecimal(value)) return <strong className="home-value">{value || '--'}</strong>;
  const [whole, fraction] = shorten(value, 2).text.split('.');
  return (
    <strong className="home-value" title={grouped(value)}>
      {whole}
      {fraction && <small>.{fraction}</small>}
    </strong>
  );
}
