import './recharge.css';
import { RECHARGE_SOURCE, recharge, rechargeSources } from '@hengtai/contract/funds/recharge/calls';
import { rechargeStates } from '@hengtai/contract/funds/recharge/facts';
import type { RechargeRow } from '@hengtai/contract/funds/recharge/schema';
import { useState } from 'react';
import { agentDetail } from '../../../navigation/account-cells.tsx';
import { toDisplayError } from '../../../api/display-error.ts';
import { useRead } from '../../../api/hooks.ts';
import { AmountItem, DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';
import { Hash } from '../../../ui/value/Hash.tsx';
import { DetailDrawer } from '../../../lists/DetailDrawer.tsx';
import { RecordTeamwork } from '../../../lists/RecordTeamwork.tsx';
import { UserItem } from '../../../lists/request-parts.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { ErrorState } from '../../../ui/table/list-states.tsx';
import { rechargeTones } from '../../../records/state-tones.ts';

interface Props {
  id: number | undefined;
  onClose: () => void;
}

/** One recharge, with the voucher of the user for a bank transfer. */
export function RechargeDrawer({ id, onClose }: Props) {
  const query = useRead(recharge.list, id === undefined ? undefined : { id });
  return (
    <DetailDrawer open={id !== undefined} width={560} title={`充值 #${id ?? ''}`} onClose={onClose} query={query}>
      {({ list: [row] }) =>
        row ? (
          <>
            <Details row={row} />
            <RecordTeamwork type="recharge" id={row.id} />
            {row.source === RECHARGE_SOURCE.voucher && <Voucher id={row.id} />}
          </>
        ) : (
          <p>记录不存在</p>
        )
      }
    </DetailDrawer>
  );
}

function Details({ row }: { row: RechargeRow }) {
  const isVoucher = row.source === RECHARGE_SOURCE.voucher;
  return (
    <dl className="ht-value-details ht-recharge-facts">
      <DetailItem label="状态">
        <StateTag state={row.state} labels={rechargeStates} tones={rechargeTones} />
      </DetailItem>
      <AmountItem label="数量" value={row.amount} unit={row.marketName} />
      <UserItem userId={row.userId} account={row.account} />
      <DetailItem label="代理">{agentDetail(row.agent)}</DetailItem>
      <DetailItem label="来源">
        {rechargeSources[isVoucher ? RECHARGE_SOURCE.voucher : RECHARGE_SOURCE.chain]}
      </DetailItem>
      <DetailItem label={isVoucher ? '银行' : '网络'}>{row.network}</DetailItem>
      <TimeItem label="时间" value={row.createdAt} />
      <TimeItem label="入账" value={row.creditedAt} />
      {!isVoucher && (
        <>
          <DetailItem label="确认数">{row.confirmations}</DetailItem>
          <DetailItem label="哈希">
            <Hash value={row.txHash} label="交易哈希" explorer={row.explorer} />
          </DetailItem>
        </>
      )}
      <DetailItem wide label={isVoucher ? '付款账户' : '地址'}>
        {row.address}
      </DetailItem>
      {row.remark !== '' && (
        <DetailItem wide label="备注">
          {row.remark}
        </DetailItem>
      )}
    </dl>
  );
}

/** Loads the voucher through the session, so that no public URL exists. An image on another host is only linked. */
function Voucher({ id }: { id: number }) {
  const { data, error, refetch } = useRead(recharge.url, { id });
  const [isBroken, setBroken] = useState(false);
  const url = data?.url ?? '';
  return (
    <Section title="充值凭证">
      {error && !data ? (
        <ErrorState error={toDisplayError(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <span className="ht-page-skeleton-line" />
      ) : isBroken ? (
        <p>凭证图片无法显示</p>
      ) : url.startsWith('data:image/') ? (
        <img className="ht-recharge-voucher" src={url} alt="用户上传的转账凭证" onError={() => setBroken(true)} />
      ) : /^https?:\/\//.test(url) ? (
        <a href={url} target="_blank" rel="noreferrer noopener">
          在新窗口查看凭证
        </a>
      ) : (
        <p>没有可以查看的凭证</p>
      )}
    </Section>
  );
}
