import './signing.css';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { SIGNING_REQUIRED, signing } from '@hengtai/contract/risk/signing/calls';
import type { SigningMine } from '@hengtai/contract/risk/signing/schema';
import { useRead } from '../../../api/hooks.ts';
import { useCan } from '../../../api/me.ts';
import { PageError } from '../../../navigation/PageError.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { DetailItem } from '../../../ui/value/DetailItem.tsx';
import { PageHeading } from '../../../ui/page/PageHeading.tsx';
import { PageSkeleton } from '../../../ui/page/PageSkeleton.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { OwnKeys } from './OwnKeys.tsx';
import { SigningAdmin } from './SigningAdmin.tsx';

/** 签名打款: state of the signed mode, own keys, and for approvers the roster and the mandates. */
export function SigningPage() {
  // The roster concerns the whole house.
  const isHouse = useCan(ABILITY.headquarters);
  const canApprove = useCan(ABILITY.approval) && isHouse;
  const { data, error, refetch } = useRead(signing.mine, {});
  if (!data)
    return error ? <PageError error={error} onRetry={() => void refetch()} /> : <PageSkeleton shape="settings" />;
  return (
    <div className="ht-signing-page">
      <PageHeading title="签名打款" note="每笔打款带有多人签名，钱包自行核验，服务器无权单独下令打款" />
      <Mode mine={data} />
      <OwnKeys mine={data} />
      {canApprove && <SigningAdmin mine={data} />}
    </div>
  );
}

const MODES = { 0: '未开启', 1: '已开启' } as const;
const TONES = { 0: 'idle', 1: 'good' } as const;

function Mode({ mine: { required, roster, page } }: { mine: SigningMine }) {
  const canSet = useCan(ABILITY.platform);
  return (
    <Section
      title="状态"
      aside={<StateTag state={required ? 1 : 0} labels={MODES} tones={TONES} />}
      more={canSet && <PageLink to={`/config?edit=${SIGNING_REQUIRED}`}>修改设置</PageLink>}
    >
      <dl className="ht-value-details">
        <DetailItem label="名册">{roster === null ? '尚未建立' : `第 ${roster} 版`}</DetailItem>
        <DetailItem label="签名页" wide>
          {page === null ? (
            <span className="ht-value-warn">没有可用的地址：请由主机管理员设置 SIGNING_URL 或 PUBLIC_URL</span>
          ) : (
            <code>{page.url}</code>
          )}
        </DetailItem>
      </dl>
      {page !== null && !page.isApart && (
        <p className="ht-signing-note">
          签名页由本服务器提供：能篡改服务器的人也能篡改签名时显示的内容。要防住这一点，请把签名页部署在另一台主机上。
        </p>
      )}
    </Section>
  );
}
