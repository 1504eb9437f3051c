import { followStates } from '@hengtai/contract/trading/follow/facts';
import { ledgerEntryStates } from '@hengtai/contract/funds/ledger-entry/facts';
import { demoLabels, futureSides } from '@hengtai/contract/trading/future/calls';
import { futureStates, FUTURE } from '@hengtai/contract/trading/future/facts';
import { ieoStates } from '@hengtai/contract/trading/ieo/facts';
import { transferStates } from '@hengtai/contract/funds/internal-transfer/facts';
import { binaryContractResults, binaryContractSides } from '@hengtai/contract/trading/binary-contract/calls';
import { binaryContractStates, BINARY_CONTRACT } from '@hengtai/contract/trading/binary-contract/facts';
import { type Platform, bucketLabels, entryLabels, platformLabels } from '@hengtai/contract/values/money';
import { rechargeStates } from '@hengtai/contract/funds/recharge/facts';
import { type SpotSide, spotSides } from '@hengtai/contract/trading/spot/calls';
import { type OrderType, orderTypes, spotStates } from '@hengtai/contract/trading/spot/facts';
import type { UserDetail } from '@hengtai/contract/people/user/schema';
import { withdrawStates } from '@hengtai/contract/funds/withdraw/facts';
import { userAccount } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { ProfitAmount } from '../../../records/order-parts.tsx';
import { Section, latestText } from '../../../ui/page/Section.tsx';
import { StateTag, type Tone } from '../../../ui/value/StateTag.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import {
  binaryContractTones,
  followTones,
  futureTones,
  ieoTones,
  ledgerEntryTones,
  rechargeTones,
  spotTones,
  transferTones,
  withdrawTones,
} from '../../../records/state-tones.ts';

type Tones = Readonly<Record<number, Tone>>;

const labelOf = (labels: Readonly<Record<string | number, string>>, key: string | number) => labels[key] ?? String(key);
const platformOf = (platform: number) => platformLabels[platform as Platform] ?? String(platform);
const number = { title: '编号', cell: ({ id }: { id: number }) => id };
const time = { title: '时间', cell: ({ createdAt }: { createdAt: number }) => <Time value={createdAt} /> };
const amountOf = <F extends string>(title: string, field: F) => ({
  title,
  right: true as const,
  cell: (row: Readonly<Record<F, string | null>>) => <Money value={row[field]} />,
});
const stateOf = (labels: Readonly<Record<number, string>>, tones: Tones) => ({
  title: '状态',
  cell: ({ state }: { state: number }) => <StateTag state={state} labels={labels} tones={tones} />,
});
const coin = { title: '币种', nowrap: true as const, cell: ({ marketName }: { marketName: string }) => marketName };

const rechargeColumns: readonly MiniColumn<UserDetail['recharges'][number]>[] = [
  number,
  time,
  coin,
  amountOf('数量', 'amount'),
  { title: '网络', cell: ({ network }) => network || '--' },
  { title: '交易哈希', cell: (r) => <Hash value={r.txHash} label="交易哈希" explorer={r.explorer} /> },
  stateOf(rechargeStates, rechargeTones),
];

const withdrawColumns: readonly MiniColumn<UserDetail['withdraws'][number]>[] = [
  number,
  time,
  coin,
  amountOf('数量', 'amount'),
  { title: '网络', cell: ({ network }) => network },
  { title: '地址', cell: ({ address }) => <Hash value={address} label="地址" /> },
  stateOf(withdrawStates, withdrawTones),
];

const ieoColumns: readonly MiniColumn<UserDetail['ieos'][number]>[] = [
  number,
  time,
  coin,
  amountOf('数量', 'amount'),
  amountOf('认购价(USDT)', 'price'),
  amountOf('支付(USDT)', 'pay'),
  stateOf(ieoStates, ieoTones),
];

const ledgerEntryColumns: readonly MiniColumn<UserDetail['funds'][number]>[] = [
  number,
  time,
  { title: '类型', cell: ({ type }) => labelOf(entryLabels, type) },
  coin,
  { title: '账户', cell: ({ platform, bucket }) => `${platformOf(platform)} · ${labelOf(bucketLabels, bucket)}` },
  { title: '变动', right: true, cell: ({ amount }) => <Money value={amount} showPlus /> },
  amountOf('变动后', 'balance'),
  {
    title: '核对',
    cell: ({ state }) => <StateTag state={state} labels={ledgerEntryStates} tones={ledgerEntryTones} />,
  },
];

const transferColumns = (userId: number): readonly MiniColumn<UserDetail['transfers'][number]>[] => [
  number,
  time,
  coin,
  { title: '方向', cell: (t) => directionOf(t, userId) },
  { title: '对方', cell: (t) => <Counterparty {...t} me={userId} /> },
  amountOf('数量', 'amount'),
  { title: '账户', cell: (t) => `${platformOf(t.platform)} → ${platformOf(t.toPlatform)}` },
  stateOf(transferStates, transferTones),
];

const spotColumns: readonly MiniColumn<UserDetail['trades'][number]>[] = [
  number,
  time,
  { title: '市场', cell: ({ marketName }) => marketName },
  { title: '委托', cell: ({ side, type }) => `${orderTypes[type as OrderType]}${spotSides[side as SpotSide]}` },
  amountOf('委托价', 'price'),
  { title: '数量', right: true, cell: ({ amount, funds }) => <OrderSize amount={amount} funds={funds} /> },
  amountOf('已成交', 'filled'),
  stateOf(spotStates, spotTones),
];

const binaryContractColumns: readonly MiniColumn<UserDetail['contracts'][number]>[] = [
  number,
  time,
  { title: '市场', cell: ({ marketName }) => marketName },
  { title: '方向', cell: ({ side, seconds }) => `${labelOf(binaryContractSides, side)} ${seconds} 秒` },
  amountOf('下单(USDT)', 'amount'),
  {
    title: '结果',
    cell: ({ type, state }) => (state === BINARY_CONTRACT.settled ? labelOf(binaryContractResults, type) : '--'),
  },
  { title: '盈亏(USDT)', right: true, cell: ({ profit }) => <Money value={profit} showPlus /> },
  stateOf(binaryContractStates, binaryContractTones),
];

const futureColumns: readonly MiniColumn<UserDetail['futures'][number]>[] = [
  number,
  time,
  {
    title: '合约',
    cell: (o) => `${o.marketName} ${labelOf(futureSides, o.side)} ${o.leverage}×`,
  },
  { title: '账户', cell: ({ demo }) => labelOf(demoLabels, demo) },
  amountOf('数量', 'amount'),
  { title: '开仓价', right: true, cell: ({ openPrice }) => <Money value={openPrice} digits={8} shortened /> },
  { title: '盈亏(USDT)', right: true, cell: (o) => <ProfitAmount value={profitOf(o)} /> },
  stateOf(futureStates, futureTones),
];

const followColumns: readonly MiniColumn<UserDetail['follows'][number]>[] = [
  number,
  time,
  { title: '信号', cell: ({ signalTitle }) => <Clip text={signalTitle} /> },
  { title: '合约', cell: ({ marketName, side }) => `${marketName} ${labelOf(futureSides, side)}` },
  amountOf('本金(USDT)', 'amount'),
  { title: '盈亏(USDT)', right: true, cell: ({ profit }) => <ProfitAmount value={profit} /> },
  stateOf(followStates, followTones),
];

/** Unrealized profit of an open position, otherwise the realized profit. */
const profitOf = ({ state, unrealized, realized }: UserDetail['futures'][number]): string | null =>
  state === FUTURE.open || state === FUTURE.closing ? unrealized : realized;

const Clip = ({ text }: { text: string }) => (
  <span className="ht-value-clip" title={text}>
    {text || '--'}
  </span>
);

/** A market purchase has no amount but the funds to spend. */
const OrderSize = ({ amount, funds }: { amount: string | null; funds: string | null }) =>
  amount === null ? <Money value={funds} unit="USDT" /> : <Money value={amount} />;

type Transfer = UserDetail['transfers'][number];

function directionOf({ userId, toUserId }: Transfer, me: number): string {
  if (userId === toUserId) return '账户间';
  return userId === me ? '转出' : '转入';
}

function Counterparty({ userId, account, toUserId, toAccount, me }: Transfer & { me: number }) {
  if (userId === toUserId) return <span className="ht-value-faint">本人</span>;
  return userId === me ? userAccount(toAccount, toUserId) : userAccount(account, userId);
}

/** The latest records of each kind for this user, each with a link to the full list. */
export function RecordsPart({ detail }: { detail: UserDetail }) {
  const { row } = detail;
  const of = (path: string) => `/${path}?userId=${row.id}`;
  const received = `/internalTransfer?toAccount=${encodeURIComponent(row.account)}`;
  const ieoLists = { 待审核: of('ieo/review'), 历史: of('ieo/history') };
  const futureLists = { 委托: of('future/wait'), 持仓: of('future/open'), 历史: of('future/open_history') };
  const binaryContractLists = { 进行中: of('second/open'), 历史: of('second/close') };
  const transferLists = { 转出: of('internalTransfer'), 转入: received };
  return (
    <>
      <Records title="充值" rows={detail.recharges} columns={rechargeColumns} lists={{ '': of('recharge') }} />
      <Records title="提现" rows={detail.withdraws} columns={withdrawColumns} lists={{ '': of('withdraw') }} />
      <Records title="代币认购" none="没有认购" rows={detail.ieos} columns={ieoColumns} lists={ieoLists} />
      <Records
        title="资金记录"
        unit="条"
        none="没有资金变动"
        rows={detail.funds}
        columns={ledgerEntryColumns}
        lists={{ '': of('fund/record') }}
      />
      <Records title="现货委托" rows={detail.trades} columns={spotColumns} lists={{ '': of('trade/order') }} />
      <Records title="合约" none="没有合约订单" rows={detail.futures} columns={futureColumns} lists={futureLists} />
      <Records title="跟单" rows={detail.follows} columns={followColumns} lists={{ '': of('follow') }} />
      <Records title="秒合约" rows={detail.contracts} columns={binaryContractColumns} lists={binaryContractLists} />
      <Records title="内部转账" rows={detail.transfers} columns={transferColumns(row.id)} lists={transferLists} />
    </>
  );
}

interface RecordsProps<R> {
  title: string;
  unit?: string;
  /** Text without records. */
  none?: string;
  rows: readonly R[];
  columns: readonly MiniColumn<R>[];
  /** Addresses of the full lists by what they show. */
  lists: Readonly<Record<string, string>>;
}

function Records<R extends { id: number }>({ title, unit = '笔', none, rows, columns, lists }: RecordsProps<R>) {
  const more = Object.entries(lists).map(([what, to]) => (
    <PageLink key={to} to={to}>
      查看全部{what}
    </PageLink>
  ));
  return (
    <Section title={title} aside={latestText(rows.length, unit)} more={<>{more}</>}>
      <MiniTable label={title} rows={rows} keyOf={({ id }) => id} empty={none ?? `没有${title}`} columns={columns} />
    </Section>
  );
}
