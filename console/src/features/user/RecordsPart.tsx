import { followStates } from '@hengtai/contract/follow.facts';
import { ledgerEntryStates } from '@hengtai/contract/ledger-entry.facts';
import { demoLabels, futureSides } from '@hengtai/contract/future';
import { futureStates } from '@hengtai/contract/future.facts';
import { ieoStates } from '@hengtai/contract/ieo.facts';
import { transferStates } from '@hengtai/contract/internal-transfer.facts';
import { binaryContractResults, binaryContractSides } from '@hengtai/contract/binary-contract';
import { binaryContractStates } from '@hengtai/contract/binary-contract.facts';
import { type Platform, bucketLabels, entryLabels, platformLabels } from '@hengtai/contract/money';
import { rechargeStates } from '@hengtai/contract/recharge.facts';
import { type OrderType, type SpotSide, orderTypes, spotSides } from '@hengtai/contract/spot';
import { spotStates } from '@hengtai/contract/spot.facts';
import type { UserDetail } from '@hengtai/contract/user.schema';
import { withdrawStates } from '@hengtai/contract/withdraw.facts';
import { userAccount } from '../../navigation/account-cells.tsx';
import { PageLink } from '../../navigation/PageLink.tsx';
import { Hash } from '../../ui/Hash.tsx';
import { type MiniColumn, MiniTable } from '../../ui/MiniTable.tsx';
import { Money } from '../../ui/Money.tsx';
import { ProfitAmount } from '../../ui/order-parts.tsx';
import { Section, latestText } from '../../ui/Section.tsx';
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

const labelOf = (labels: Readonly<Record<string | number, string>>, key: string | number) => labels[key] ?? String(key);
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
  { title: '类型', cell: ({ type }) => labelOf(entryLabels, type) },
  coin,
  { title: '账户', cell: ({ platform, bucket }) => `${platformOf(platform)} · ${labelOf(bucketLabels, bucket)}` },
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
  { title: '对方', cell: (t) => <Counterparty {...t} me={userId} /> },
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
  { title: '数量', right: true, cell: ({ amount, funds }) => <OrderSize amount={amount} funds={funds} /> },
  { title: '已成交', right: true, cell: ({ filled }) => <Money value={filled} /> },
  { title: '状态', cell: ({ state }) => <StateTag state={state} labels={spotStates} tones={spotTones} /> },
];

const binaryContractColumns: readonly MiniColumn<UserDetail['contracts'][number]>[] = [
  number,
  time,
  { title: '市场', cell: ({ marketName }) => marketName },
  { title: '方向', cell: ({ side, seconds }) => `${labelOf(binaryContractSides, side)} ${seconds} 秒` },
  { title: '下单(USDT)', right: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: '结果', cell: ({ type, state }) => (state === 1 ? labelOf(binaryContractResults, type) : '--') },
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
    cell: (o) => `${o.marketName} ${labelOf(futureSides, o.side)} ${o.leverage}×`,
  },
  { title: '账户', cell: ({ demo }) => labelOf(demoLabels, demo) },
  { title: '数量', right: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: '开仓价', right: true, cell: ({ openPrice }) => <Money value={openPrice} digits={8} rough /> },
  { title: '盈亏(USDT)', right: true, cell: (o) => <ProfitAmount value={profitOf(o)} /> },
  { title: '状态', cell: ({ state }) => <StateTag state={state} labels={futureStates} tones={futureTones} /> },
];

const followColumns: readonly MiniColumn<UserDetail['follows'][number]>[] = [
  number,
  time,
  { title: '信号', cell: ({ signalTitle }) => <Clip text={signalTitle} /> },
  { title: '合约', cell: ({ marketName, side }) => `${marketName} ${labelOf(futureSides, side)}` },
  { title: '本金(USDT)', right: true, cell: ({ amount }) => <Money value={amount} /> },
  { title: '盈亏(USDT)', right: true, cell: ({ profit }) => <ProfitAmount value={profit} /> },
  { title: '状态', cell: ({ state }) => <StateTag state={state} labels={followStates} tones={followTones} /> },
];

/** Unrealized profit of an open position, otherwise the realized profit. */
const profitOf = ({ state, unrealized, realized }: UserDetail['futures'][number]): string | null =>
  state === 1 || state === 6 ? unrealized : realized;

const Clip = ({ text }: { text: string }) => (
  <span className="us-clip" title={text}>
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
  if (userId === toUserId) return <span className="ht-faint">本人</span>;
  return userId === me ? userAccount(toAccount, toUserId) : userAccount(account, userId);
}

/** The latest records of each kind for this user, each with a link to the full list. */
export function RecordsPart({ detail }: { detail: UserDetail }) {
  const { row, recharges, withdraws, ieos, funds, transfers, trades, contracts, futures, follows } = detail;
  const userFilter = `userId=${row.id}`;
  const account = encodeURIComponent(row.account);
  return (
    <>
      <Section
        title="充值"
        aside={latestText(recharges.length, '笔')}
        more={<AllLink to={`/recharge?${userFilter}`} />}
      >
        <MiniTable label="充值" rows={recharges} keyOf={({ id }) => id} none="没有充值" columns={rechargeColumns} />
      </Section>
      <Section
        title="提现"
        aside={latestText(withdraws.length, '笔')}
        more={<AllLink to={`/withdraw?${userFilter}`} />}
      >
        <MiniTable label="提现" rows={withdraws} keyOf={({ id }) => id} none="没有提现" columns={withdrawColumns} />
      </Section>
      <Section
        title="代币认购"
        aside={latestText(ieos.length, '笔')}
        more={
          <>
            <AllLink to={`/ieo/review?${userFilter}`} what="待审核" />
            <AllLink to={`/ieo/history?${userFilter}`} what="历史" />
          </>
        }
      >
        <MiniTable label="代币认购" rows={ieos} keyOf={({ id }) => id} none="没有认购" columns={ieoColumns} />
      </Section>
      <Section
        title="资金记录"
        aside={latestText(funds.length, '条')}
        more={<AllLink to={`/fund/record?${userFilter}`} />}
      >
        <MiniTable
          label="资金记录"
          rows={funds}
          keyOf={({ id }) => id}
          none="没有资金变动"
          columns={ledgerEntryColumns}
        />
      </Section>
      <Section
        title="现货委托"
        aside={latestText(trades.length, '笔')}
        more={<AllLink to={`/trade/order?${userFilter}`} />}
      >
        <MiniTable label="现货委托" rows={trades} keyOf={({ id }) => id} none="没有现货委托" columns={spotColumns} />
      </Section>
      <Section
        title="合约"
        aside={latestText(futures.length, '笔')}
        more={
          <>
            <AllLink to={`/future/wait?${userFilter}`} what="委托" />
            <AllLink to={`/future/open?${userFilter}`} what="持仓" />
            <AllLink to={`/future/open_history?${userFilter}`} what="历史" />
          </>
        }
      >
        <MiniTable label="合约" rows={futures} keyOf={({ id }) => id} none="没有合约订单" columns={futureColumns} />
      </Section>
      <Section title="跟单" aside={latestText(follows.length, '笔')} more={<AllLink to={`/follow?${userFilter}`} />}>
        <MiniTable label="跟单" rows={follows} keyOf={({ id }) => id} none="没有跟单" columns={followColumns} />
      </Section>
      <Section
        title="秒合约"
        aside={latestText(contracts.length, '笔')}
        more={
          <>
            <AllLink to={`/second/open?${userFilter}`} what="进行中" />
            <AllLink to={`/second/close?${userFilter}`} what="历史" />
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
        aside={latestText(transfers.length, '笔')}
        more={
          <>
            <AllLink to={`/internalTransfer?${userFilter}`} what="转出" />
            <AllLink to={`/internalTransfer?toAccount=${account}`} what="转入" />
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

const AllLink = ({ to, what = '' }: { to: string; what?: string }) => <PageLink to={to}>查看全部{what}</PageLink>;
