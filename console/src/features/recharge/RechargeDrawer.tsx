import './recharge.css';
import { recharge, rechargeSources } from '@hengtai/contract/recharge';
import { rechargeStates } from '@hengtai/contract/recharge.facts';
import type { RechargeRow } from '@hengtai/contract/recharge.schema';
import { useState } from 'react';
import { agentDetail, userDetail } from '../../navigation/account-cells.tsx';
import { toDisplayError } from '../../api/display-error.ts';
import { useRead } from '../../api/hooks.ts';
import { Hash } from '../../ui/Hash.tsx';
import { Money } from '../../ui/Money.tsx';
import { PageDrawer } from '../../ui/PageDrawer.tsx';
import { Section } from '../../ui/Section.tsx';
import { StateTag } from '../../ui/StateTag.tsx';
import { Time } from '../../ui/Time.tsx';
import { ErrorState } from '../../ui/list-states.tsx';
import { rechargeTones } from './columns.tsx';

interface Props {
  id: number | undefined;
  onClose: () => void;
}

/** One recharge, with the voucher of the user for a bank transfer. */
export function RechargeDrawer({ id, onClose }: Props) {
  const enabled = id !== undefined;
  const query = useRead(recharge.list, { id: id ?? 0 }, { enabled });
  const row = query.data?.list.find((one) => one.id === id);
  return (
    <PageDrawer open={enabled} width={560} title={`充值 #${id ?? ''}`} onClose={onClose}>
      {query.error && !query.data ? (
        <ErrorState error={toDisplayError(query.error)} onRetry={() => void query.refetch()} />
      ) : row ? (
        <>
          <Details row={row} />
          {row.source === 2 && <Voucher id={row.id} />}
        </>
      ) : query.data ? (
        <p>记录不存在</p>
      ) : (
        <span className="ht-skeleton-line" />
      )}
    </PageDrawer>
  );
}

function Details({ row }: { row: RechargeRow }) {
  return (
    <dl className="ht-details rc-facts">
      <div>
        <dt>状态</dt>
        <dd>
          <StateTag state={row.state} labels={rechargeStates} tones={rechargeTones} />
        </dd>
      </div>
      <div>
        <dt>数量</dt>
        <dd>
          <Money value={row.amount} unit={row.marketName} digits={18} />
        </dd>
      </div>
      <div>
        <dt>用户</dt>
        <dd>
          {userDetail(row.account, row.userId)}（{row.userId}）
        </dd>
      </div>
      <div>
        <dt>代理</dt>
        <dd>{agentDetail(row.agent)}</dd>
      </div>
      <div>
        <dt>来源</dt>
        <dd>{rechargeSources[row.source === 2 ? 2 : 1]}</dd>
      </div>
      <div>
        <dt>{row.source === 2 ? '银行' : '网络'}</dt>
        <dd>{row.network}</dd>
      </div>
      <div>
        <dt>时间</dt>
        <dd>
          <Time value={row.createdAt} />
        </dd>
      </div>
      <div>
        <dt>入账</dt>
        <dd>
          <Time value={row.creditedAt} />
        </dd>
      </div>
      {row.source !== 2 && (
        <>
          <div>
            <dt>确认数</dt>
            <dd>{row.confirmations}</dd>
          </div>
          <div>
            <dt>哈希</dt>
            <dd>
              <Hash value={row.txHash} what="交易哈希" explorer={row.explorer} />
            </dd>
          </div>
        </>
      )}
      <div className="ht-details-wide">
        <dt>{row.source === 2 ? '付款账户' : '地址'}</dt>
        <dd>{row.address}</dd>
      </div>
      {row.remark !== '' && (
        <div className="ht-details-wide">
          <dt>备注</dt>
          <dd>{row.remark}</dd>
        </div>
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
        <span className="ht-skeleton-line" />
      ) : isBroken ? (
        <p>凭证图片无法显示</p>
      ) : url.startsWith('data:image/') ? (
        <img className="rc-voucher" src={url} alt="用户上传的转账凭证" onError={() => setBroken(true)} />
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
