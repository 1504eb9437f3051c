import { followStates } from '@hengtai/contract/follow';
import { ledgerEntryStates } from '@hengtai/contract/ledger-entry';
import { demoLabels, futureSides, futureStates } from '@hengtai/contract/future';
import { ieoStates } from '@hengtai/contract/ieo';
import { transferStates } from '@hengtai/contract/internal-transfer';
import { binaryContractResults, binaryContractSides, binaryContractStates } from '@hengtai/contract/binary-contract';
import { type Platform, bucketLabels, entryLabels, platformLabels } from '@hengtai/contract/money';
import { rechargeStates } from '@hengtai/contract/recharge';
import { type OrderType, type SpotSide, orderTypes, spotSides, spotStates } from '@hengtai/contract/spot';
import type { UserDetail } from '@hengtai/contract/user.schema';
import { withdrawStates } from '@hengtai/contract/withdraw';
import { PageLink } from '../../shell/PageLink.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { type MiniColumn, MiniTable } from '../../ui/MiniTable.tsx';
import { Money } from '../../ui/Money.tsx';
import { Gain } from '../../ui/order-parts.tsx';
import { Section, latest } from '../../ui/Section.tsx';
import { StateTag, type Tone } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';

type Tones = Readonly<Record<number, Tone>>;
const rechargeTones: Tones = { 0: 'wait', 1: 'good', 2: 'idle', 3: 'warn', 4: 'bad' };
const withdrawTones: Tones = { 0: 'wait', 1: 'wait', 2: 'run', 3: 'run', 4: 'good', 7: 'bad', 8: 'warn' };
const ieoTones: Tones = { 0: 'wait', 1: 'good', 2: 'idle', 3: 'idle' };
const ledgerEntryTones: Tones = { 0: 'idle', 1: 'good', 2: 'warn' };
const transferTones: Tones = { 1: 'good', 2: 'bad' };
const binaryContractTones: Tones = { 0: 'run', 1: 'good', 2: 'idle' };
const futureTones: Tones = { 0: 'wait', 1: 'run', 2: 'good', 3: 'idle', 4: 'bad', 5: 'warn', 6: 'warn' };
const followTones: Tones = { 1: 'run', 2: 'idle', 3: 'warn' };
const spotTones: Tones = { 0: 'wait', 1: 'run', 2: 'good', 3: 'idle', 4: 'warn' };

const labelIn = (labels: Readonly<Record<string | number, string>>, key: string | number) => labels[key] ?? String(key);
const platformOf = (platform: number) => platformLabels[platform as Platform] ?? String(platform);
const number = { title: '编号', cell: ({ id }: { id: number }) => id };
const time = { title: '时间', cell: ({ createdAt }: { createdAt: number }) => <Time value={createdAt} /> };
const coin = { title: '币种', cell: ({ marketName }: { marketName: string }) => marketName };

const rechargeColumns: readonly MiniColumn<UserDetail['recharges'][number]>[] = [
  number,
  time,
  coin,
  { title: '数量', right: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: '网络', cell: ({ network }) => network || '--' },
  { title: '交易哈希', cell: (r) => <Hash value={r.txHash} what="交易哈希" explorer={r.explorer} /> },
  { title: '状态', cell: ({ state }) => <StateTag state={state} labels={rechargeStates} tones={rechargeTones} /> },
];

const withdrawColumns: readonly MiniColumn<UserDetail['withdraws'][number]>[] = [
  number,
  time,
  coin,
  { title: '数量', right: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: '网络', cell: ({ network }) => network },
  { title: '地址', cell: ({ address }) => <Hash value={address} what="地址" /> },
  { title: '状态', cell: ({ state }) => <StateTag state={state} labels={withdrawStates} tones={withdrawTones} /> },
];

const ieoColumns: readonly MiniColumn<UserDetail['ieos'][number]>[] = [
  number,
  time,
  coin,
  { title: '数量', right: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: '认购价(USDT)', right: true, cell: ({ price }) => <Money value={price} /> },
  { title: '支付(USDT)', right: true, cell: ({ pay }) => <Money value={pay} /> },
  { title: '状态', cell: ({ state }) => <StateTag state={state} labels={ieoStates} tones={ieoTones} /> },
];

const ledgerEntryColumns: readonly MiniColumn<UserDetail['funds'][number]>[] = [
  number,
  time,
  { title: '类型', cell: ({ type }) => labelIn(entryLabels, type) },
  coin,
  { title: '账户', cell: ({ platform, bucket }) => `${platformOf(platform)} · ${labelIn(bucketLabels, bucket)}` },
  { title: '变动', right: true, cell: ({ amount }) => <Money value={amount} sign /> },
  { title: '变动后', right: true, cell: ({ balance }) => <Money value={balance} /> },
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
  { title: '对方', cell: (t) => <Other {...t} me={userId} /> },
  { title: '数量', right: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: '账户', cell: (t) => `${platformOf(t.platform)} → ${platformOf(t.toPlatform)}` },
  { title: '状态', cell: ({ state }) => <StateTag state={state} labels={transferStates} tones={transferTones} /> },
];

const spotColumns: readonly MiniColumn<UserDetail['trades'][number]>[] = [
  number,
  time,
  { title: '市场', cell: ({ marketName }) => marketName },
  { title: '委托', cell: ({ side, type }) => `${orderTypes[type as OrderType]}${spotSides[side as SpotSide]}` },
  { title: '委托价', right: true, cell: ({ price }) => <Money value={price} /> },
  { title: '数量', right: true, cell: ({ amount, funds }) => <Asked amount={amount} funds={funds} /> },
  { title: '已成交', right: true, cell: ({ filled }) => <Money value={filled} /> },
  { title: '状态', cell: ({ state }) => <StateTag state={state} labels={spotStates} tones={spotTones} /> },
];

const binaryContractColumns: readonly MiniColumn<UserDetail['contracts'][number]>[] = [
  number,
  time,
  { title: '市场', cell: ({ marketName }) => marketName },
  { title: '方向', cell: ({ side, seconds }) => `${labelIn(binaryContractSides, side)} ${seconds} 秒` },
  { title: '下单(USDT)', right: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: '结果', cell: ({ type, state }) => (state === 1 ? labelIn(binaryContractResults, type) : '--') },
  { title: '盈亏(USDT)', right: true, cell: ({ profit }) => <Money value={profit} sign /> },
  {
    title: '状态',
    cell: ({ state }) => <StateTag state={state} labels={binaryContractStates} tones={binaryContractTones} />,
  },
];

const futureColumns: readonly MiniColumn<UserDetail['futures'][number]>[] = [
  number,
  time,
  {
    title: '合约',
    cell: (o) => `${o.marketName} ${labelIn(futureSides, o.side)} ${o.leverage}×`,
  },
  { title: '账户', cell: ({ demo }) => labelIn(demoLabels, demo) },
  { title: '数量', right: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: '开仓价', right: true, cell: ({ openPrice }) => <Money value={openPrice} digits={8} rough /> },
  { title: '盈亏(USDT)', right: true, cell: (o) => <Gain value={gainOf(o)} /> },
  { title: '状态', cell: ({ state }) => <StateTag state={state} labels={futureStates} tones={futureTones} /> },
];

const followColumns: readonly MiniColumn<UserDetail['follows'][number]>[] = [
  number,
  time,
  { title: '信号', cell: ({ signalTitle }) => <Clip text={signalTitle} /> },
  { title: '合约', cell: ({ marketName, side }) => `${marketName} ${labelIn(futureSides, side)}` },
  { title: '本金(USDT)', right: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: '盈亏(USDT)', right: true, cell: ({ profit }) => <Gain value={profit} /> },
  { title: '状态', cell: ({ state }) => <StateTag state={state} labels={followStates} tones={followTones} /> },
];

/** Of what is open what it would bring now, of what has ended what it brought. */
const gainOf = ({ state, unrealized, realized }: UserDetail['futures'][number]): string | null =>
  state === 1 || state === 6 ? unrealized : realized;

const Clip = ({ text }: { text: string }) => (
  <span className="us-clip" title={text}>
    {text || '--'}
  </span>
);

/** A purchase at the market names what is to be spent. */
const Asked = ({ amount, funds }: { amount: string | null; funds: string | null }) =>
  amount === null ? <Money value={funds} unit="USDT" /> : <Money value={amount} />;

type Transfer = UserDetail['transfers'][number];

function directionOf({ userId, toUserId }: Transfer, me: number): string {
  if (userId === toUserId) return '账户间';
  return userId === me ? '转出' : '转入';
}

function Other({ userId, account, toUserId, toAccount, me }: Transfer & { me: number }) {
  if (userId === toUserId) return <span className="ht-faint">本人</span>;
  const other = userId === me ? toAccount : account;
  return <Clip text={other} />;
}

/** The latest of everything that moved this user's money, each with the way to all of it. */
export function RecordsPart({ detail }: { detail: UserDetail }) {
  const { row, recharges, withdraws, ieos, funds, transfers, trades, contracts, futures, follows } = detail;
  const mine = `userId=${row.id}`;
  const account = encodeURIComponent(row.account);
  return (
    <>
      <Section title="充值" aside={latest(recharges.length, '笔')} more={<All to={`/recharge?${mine}`} />}>
        <MiniTable label="充值" rows={recharges} keyOf={({ id }) => id} none="没有充值" columns={rechargeColumns} />
      </Section>
      <Section title="提现" aside={latest(withdraws.length, '笔')} more={<All to={`/withdraw?${mine}`} />}>
        <MiniTable label="提现" rows={withdraws} keyOf={({ id }) => id} none="没有提现" columns={withdrawColumns} />
      </Section>
      <Section
        title="代币认购"
        aside={latest(ieos.length, '笔')}
        more={
          <>
            <All to={`/ieo/review?${mine}`} what="待审核" />
            <All to={`/ieo/history?${mine}`} what="历史" />
          </>
        }
      >
        <MiniTable label="代币认购" rows={ieos} keyOf={({ id }) => id} none="没有认购" columns={ieoColumns} />
      </Section>
      <Section title="资金记录" aside={latest(funds.length, '条')} more={<All to={`/fund/record?${mine}`} />}>
        <MiniTable
          label="资金记录"
          rows={funds}
          keyOf={({ id }) => id}
          none="没有资金变动"
          columns={ledgerEntryColumns}
        />
      </Section>
      <Section title="现货委托" aside={latest(trades.length, '笔')} more={<All to={`/trade/order?${mine}`} />}>
        <MiniTable label="现货委托" rows={trades} keyOf={({ id }) => id} none="没有现货委托" columns={spotColumns} />
      </Section>
      <Section
        title="合约"
        aside={latest(futures.length, '笔')}
        more={
          <>
            <All to={`/future/wait?${mine}`} what="委托" />
            <All to={`/future/open?${mine}`} what="持仓" />
            <All to={`/future/open_history?${mine}`} what="历史" />
          </>
        }
      >
        <MiniTable label="合约" rows={futures} keyOf={({ id }) => id} none="没有合约订单" columns={futureColumns} />
      </Section>
      <Section title="跟单" aside={latest(follows.length, '笔')} more={<All to={`/follow?${mine}`} />}>
        <MiniTable label="跟单" rows={follows} keyOf={({ id }) => id} none="没有跟单" columns={followColumns} />
      </Section>
      <Section
        title="秒合约"
        aside={latest(contracts.length, '笔')}
        more={
          <>
            <All to={`/second/open?${mine}`} what="进行中" />
            <All to={`/second/close?${mine}`} what="历史" />
          </>
        }
      >
        <MiniTable
          label="秒合约"
          rows={contracts}
          keyOf={({ id }) => id}
          none="没有秒合约"
          columns={binaryContractColumns}
        />
      </Section>
      <Section
        title="内部转账"
        aside={latest(transfers.length, '笔')}
        more={
          <>
            <All to={`/internalTransfer?${mine}`} what="转出" />
            <All to={`/internalTransfer?toAccount=${account}`} what="转入" />
          </>
        }
      >
        <MiniTable
          label="内部转账"
          rows={transfers}
          keyOf={({ id }) => id}
          none="没有内部转账"
          columns={transferColumns(row.id)}
        />
      </Section>
    </>
  );
}

const All = ({ to, what = '' }: { to: string; what?: string }) => <PageLink to={to}>查看全部{what}</PageLink>;
