import { SIGNING_KEYS_MAX, signing } from '@hengtai/contract/risk/signing/calls';
import type { SigningMine } from '@hengtai/contract/risk/signing/schema';
import { useState } from 'react';
import { settle } from '../../../api/display-error.ts';
import { newKey, useAction } from '../../../api/hooks.ts';
import { askSigningKey } from '../../../api/signing-window.ts';
import { toast } from '../../../api/toast.ts';
import { ErrorMessage } from '../../../ui/dialog/ErrorMessage.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import type { DisplayError } from '../../../ui/value/display-error.ts';
import { KeyTable } from './KeyTable.tsx';

/** 我的签名密钥: made on the signing page. */
export function OwnKeys({ mine: { keys, page, person } }: { mine: SigningMine }) {
  const { submit, pending } = useAction(signing.enrol);
  const [isAsking, setIsAsking] = useState(false);
  const [error, setError] = useState<DisplayError>();

  async function enrol() {
    if (!page) return;
    setIsAsking(true);
    const failure = await settle(async () => {
      const made = await askSigningKey(page, { person, relyingParty: page.relyingParty });
      const outcome = await submit(made, newKey());
      if (outcome.kind === 'done') toast.success('签名密钥已登记，由名册变更列入后生效');
    });
    setError(failure);
    setIsAsking(false);
  }

  return (
    <Section
      title="我的签名密钥"
      aside="只用于签名打款，与登录用的通行密钥无关；建议两个，其中一个放在别处"
      more={
        <GreyedAction look="button" disabledReason={disabledReason()} onClick={() => void enrol()}>
          创建签名密钥
        </GreyedAction>
      }
    >
      {error && <ErrorMessage error={error} />}
      {keys.length === 0 ? (
        <p className="ht-page-empty">还没有签名密钥。创建时请抄写密钥指纹，签署名册的人据此核对。</p>
      ) : (
        <KeyTable label="我的签名密钥" keys={keys} />
      )}
    </Section>
  );

  function disabledReason(): string | undefined {
    if (page === null) return '签名页没有可用的地址';
    if (isAsking || pending) return '正在等待签名窗口';
    return keys.length >= SIGNING_KEYS_MAX ? `最多 ${SIGNING_KEYS_MAX} 个` : undefined;
  }
}
