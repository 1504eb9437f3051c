import './gateway-key.css';
import { gatewayKey } from '@hengtai/contract/house/gateway-key/calls';
import type { GatewayKeyIssued, GatewayKeyList, GatewayKeyRow } from '@hengtai/contract/house/gateway-key/schema';
import { useState } from 'react';
import { toDisplayError } from '../../../api/display-error.ts';
import { useRead } from '../../../api/hooks.ts';
import { useMe } from '../../../api/me.ts';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { OneTimeSecret } from '../../../ui/dialog/OneTimeSecret.tsx';
import { PageHeading } from '../../../ui/page/PageHeading.tsx';
import { PageTable } from '../../../ui/table/PageTable.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { ErrorState } from '../../../ui/table/list-states.tsx';
import { GatewayKeyDialog } from './GatewayKeyDialog.tsx';
import { GatewayKeyLine } from './GatewayKeyLine.tsx';
import { PlatformSection } from './PlatformSection.tsx';

/** 网关密钥: the keys of the platform's programs. */
export function GatewayKeyPage() {
  const { top } = useMe();
  if (top) return <GatewayKeys />;
  return (
    <>
      <PageHeading title="网关密钥" />
      <p className="ht-table-message">仅顶级管理员可查看网关密钥。</p>
    </>
  );
}

function GatewayKeys() {
  const { data, error, refetch } = useRead(gatewayKey.list, {});
  const [dialog, setDialog] = useState<{ row?: GatewayKeyRow }>();
  const [issued, setIssued] = useState<GatewayKeyIssued>();
  return (
    <div className="ht-gateway-key-page">
      <PageHeading title="网关密钥" note="修改和吊销在几秒内对所有服务器生效；每次操作都记入审计日志">
        <GreyedAction look="button" primary onClick={() => setDialog({})}>
          新增密钥
        </GreyedAction>
      </PageHeading>
      <Section title="平台程序的密钥" aside="轮换：新增并签发第二个密钥，平台改用后吊销旧密钥">
        {error && !data ? (
          <ErrorState error={toDisplayError(error)} onRetry={() => void refetch()} />
        ) : data ? (
          <Keys data={data} onEdit={(row) => setDialog({ row })} onIssued={setIssued} />
        ) : (
          <span className="ht-page-skeleton-line" />
        )}
      </Section>
      {data && <PlatformSection platforms={data.platforms} />}
      {data && <Environment keys={data.environment} />}
      {dialog && data && (
        <GatewayKeyDialog platforms={data.platforms} {...dialog} onClose={() => setDialog(undefined)} />
      )}
      {issued?.secret !== undefined && (
        <OneTimeSecret
          title={`密钥 ${issued.key} 的签名密钥`}
          what="签名密钥"
          secret={issued.secret}
          note={`平台程序用 x-key ${issued.key} 和下面的签名密钥签名。关闭后无法再次查看；遗失时吊销此密钥，另行新增。`}
          onClose={() => setIssued(undefined)}
        />
      )}
    </div>
  );
}

interface KeysProps {
  data: GatewayKeyList;
  onEdit: (row: GatewayKeyRow) => void;
  onIssued: (issued: GatewayKeyIssued) => void;
}

function Keys({ data, onEdit, onIssued }: KeysProps) {
  if (data.keys.length === 0) {
    return <p className="ht-page-empty">没有密钥。可为撮合、钱包等程序各建一个，只给所需的权限和来源地址。</p>;
  }
  return (
    <PageTable label="网关密钥" titles={['名称', '权限', '来源地址', '有效期', '状态', '操作']}>
      {data.keys.map((row) => (
        <GatewayKeyLine
          key={row.id}
          row={row}
          platform={
            data.platforms.length > 1 ? data.platforms.find(({ id }) => id === row.platformId)?.name : undefined
          }
          onEdit={() => onEdit(row)}
          onIssued={onIssued}
        />
      ))}
    </PageTable>
  );
}

/** Keys outside the database, which only the host can change. */
function Environment({ keys }: { keys: GatewayKeyList['environment'] }) {
  return (
    <Section title="服务器配置的密钥" aside="拥有「上币」以外的全部权限，不限来源地址；由运维人员在服务器上更换">
      <PageTable label="服务器配置的密钥" titles={['密钥（x-key）', '最近使用']}>
        {keys.map(({ key, lastUsedAt }) => (
          <tr key={key}>
            <th scope="row">
              <code>{key}</code>
            </th>
            <td>{lastUsedAt === null ? '未使用' : <Time value={lastUsedAt} />}</td>
          </tr>
        ))}
      </PageTable>
    </Section>
  );
}
