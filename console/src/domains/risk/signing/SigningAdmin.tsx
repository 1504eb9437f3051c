import { signing } from '@hengtai/contract/risk/signing/calls';
import { PROPOSAL } from '@hengtai/contract/risk/signing/facts';
import { parseHeldRoster } from '@hengtai/contract/risk/signing/text';
import type { SigningMine, SigningState } from '@hengtai/contract/risk/signing/schema';
import { useState } from 'react';
import { saveFile } from '../../../api/file-answer.ts';
import { useRead } from '../../../api/hooks.ts';
import { toDisplayError } from '../../../api/display-error.ts';
import { DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { ErrorState } from '../../../ui/table/list-states.tsx';
import { Fingerprint } from './Fingerprint.tsx';
import { KeyTable } from './KeyTable.tsx';
import { MandateDialog } from './MandateDialog.tsx';
import { ProposalTable } from './ProposalTable.tsx';
import { RosterDialog } from './RosterDialog.tsx';

const REFETCH_MS = 15_000;

/** What approvers see: the roster in force, drafts to sign, and mandates. */
export function SigningAdmin({ mine }: { mine: SigningMine }) {
  const { data, error, refetch } = useRead(signing.state, {}, { refetchMs: REFETCH_MS });
  const [dialog, setDialog] = useState<'roster' | 'mandate'>();
  if (!data) {
    if (error) return <ErrorState error={toDisplayError(error)} onRetry={() => void refetch()} />;
    return <span className="ht-page-skeleton-line" role="status" aria-label="加载中" />;
  }
  const { roster, proposals, platforms } = data;
  const table = { mine, roster, platforms };
  const drafts = proposals.filter(({ state }) => state === PROPOSAL.open);
  const mandates = proposals.filter(({ kind, state }) => kind === 'mandate' && state !== PROPOSAL.open);
  return (
    <>
      <Section
        title="名册"
        aside="钱包只认名册中的密钥；变更须由现有名册中的足够人数签名"
        more={
          <GreyedAction
            look="button"
            disabledReason={mine.page === null ? '签名页没有可用的地址' : undefined}
            onClick={() => setDialog('roster')}
          >
            {roster ? '变更名册' : '建立名册'}
          </GreyedAction>
        }
      >
        {roster ? (
          <RosterInForce roster={roster} />
        ) : (
          <p className="ht-page-empty">尚未建立。至少两位签名人创建密钥之后，即可建立首版名册。</p>
        )}
        {data.keys.length > 0 && <KeyTable label="已登记的签名密钥" keys={data.keys} />}
      </Section>
      <Section title="待签名的草案" aside="签名前请与草案的提交人核对">
        {drafts.length === 0 ? (
          <p className="ht-page-empty">没有待签名的名册变更或授权。</p>
        ) : (
          <ProposalTable label="待签名的草案" {...table} proposals={drafts} />
        )}
      </Section>
      <Section
        title="自动打款授权"
        aside="额度由钱包自行累计；名册更换后全部失效"
        more={
          <GreyedAction
            look="button"
            disabledReason={roster ? undefined : '请先建立名册'}
            onClick={() => setDialog('mandate')}
          >
            新增授权
          </GreyedAction>
        }
      >
        {mandates.length === 0 ? (
          <p className="ht-page-empty">没有授权：每笔打款都由人签名。</p>
        ) : (
          <ProposalTable label="自动打款授权" {...table} proposals={mandates} />
        )}
      </Section>
      {dialog === 'roster' && mine.page && (
        <RosterDialog state={data} page={mine.page} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'mandate' && roster && (
        <MandateDialog roster={roster} platforms={platforms} onClose={() => setDialog(undefined)} />
      )}
    </>
  );
}

function RosterInForce({ roster }: { roster: NonNullable<SigningState['roster']> }) {
  const { version, threshold, digest, text, at } = roster;
  const { origins } = parseHeldRoster(text);
  return (
    <>
      <p className="ht-signing-large-code">
        <span className="ht-value-faint">名册指纹</span>
        <Fingerprint digest={digest} what="名册指纹" />
        <GreyedAction onClick={() => saveFile({ name: `roster-${version}.json`, blob: new Blob([text]) })}>
          下载名册文件
        </GreyedAction>
      </p>
      <dl className="ht-value-details">
        <DetailItem label="版本">第 {version} 版</DetailItem>
        <DetailItem label="签名人数">每笔 {threshold} 人</DetailItem>
        <TimeItem label="生效时间" value={at} />
        <DetailItem label="签名页地址" wide>
          {origins.join('、')}
        </DetailItem>
      </dl>
    </>
  );
}
