import { signing } from '@hengtai/contract/risk/signing/calls';
import type { SigningState } from '@hengtai/contract/risk/signing/schema';
import { Button, Input, Select } from 'antd';
import { useId, useState } from 'react';
import { settle } from '../../../api/display-error.ts';
import { newKey, useAction } from '../../../api/hooks.ts';
import { toast } from '../../../api/toast.ts';
import { AmountInput } from '../../../ui/form/AmountInput.tsx';
import { MomentField } from '../../../ui/form/MomentField.tsx';
import { SaveModal } from '../../../ui/dialog/SaveModal.tsx';
import type { DisplayError } from '../../../ui/value/display-error.ts';
import {
  type CoinFields,
  type MandateFields,
  NO_COIN,
  type RosterInForce,
  mandateProblem,
  mandateText,
} from './drafts.ts';

const COINS_MAX = 20;

interface Props {
  /** The mandate is valid under it only. */
  roster: RosterInForce;
  /** The default platform first. */
  platforms: SigningState['platforms'];
  onClose: () => void;
}

/** Drafts a mandate: what may be paid without a person. */
export function MandateDialog({ roster, platforms, onClose }: Props) {
  const [fields, setFields] = useState<MandateFields>({
    id: '',
    platform: platforms[0]?.id ?? 1,
    from: undefined,
    until: undefined,
    coins: [NO_COIN],
  });
  const [error, setError] = useState<DisplayError>();
  const { submit, pending } = useAction(signing.propose);
  const id = useId();
  const problem = mandateProblem(fields);
  const change = (part: Partial<MandateFields>) => setFields({ ...fields, ...part });
  const changeCoin = (at: number, part: Partial<CoinFields>) =>
    change({ coins: fields.coins.map((coin, index) => (index === at ? { ...coin, ...part } : coin)) });

  async function propose() {
    const failure = await settle(async () => {
      const outcome = await submit({ text: mandateText(fields, roster) }, newKey());
      if (outcome.kind === 'done') toast.success('草案已提交，等待签名');
      onClose();
    });
    setError(failure);
  }

  return (
    <SaveModal
      title="新增自动打款授权"
      width={760}
      verb="提交草案"
      busy={pending}
      dirty={fields.id !== ''}
      disabled={problem !== undefined}
      error={error}
      onSave={() => void propose()}
      onClose={onClose}
    >
      <div className="ht-dialog-form">
        <label htmlFor={`${id}id`}>授权编号</label>
        <Input
          id={`${id}id`}
          value={fields.id}
          maxLength={40}
          autoComplete="off"
          placeholder="auto-2026-12"
          onChange={({ target }) => change({ id: target.value.trim() })}
        />
        {platforms.length > 1 && (
          <>
            <label htmlFor={`${id}platform`}>交易平台</label>
            <Select
              id={`${id}platform`}
              value={fields.platform}
              // The signing page shows the number, because names are not part of what is signed.
              options={platforms.map(({ id: value, name }) => ({ value, label: `${name}（平台编号 ${value}）` }))}
              onChange={(platform) => change({ platform })}
            />
          </>
        )}
        <label htmlFor={`${id}from`}>生效时间</label>
        <MomentField id={`${id}from`} value={fields.from} onChange={(from) => change({ from })} />
        <label htmlFor={`${id}until`}>失效时间</label>
        <MomentField id={`${id}until`} value={fields.until} onChange={(until) => change({ until })} />
      </div>
      {fields.coins.map((coin, index) => (
        <CoinRow key={index} name={`第 ${index + 1} 个币种`} coin={coin} onChange={(part) => changeCoin(index, part)} />
      ))}
      {fields.coins.length < COINS_MAX && (
        <Button onClick={() => change({ coins: [...fields.coins, NO_COIN] })}>增加币种</Button>
      )}
      {problem !== undefined && <p className="ht-dialog-form-hint">{problem}</p>}
    </SaveModal>
  );
}

interface CoinProps {
  name: string;
  coin: CoinFields;
  onChange: (part: Partial<CoinFields>) => void;
}

function CoinRow({ name, coin, onChange }: CoinProps) {
  const { market, networks, largest, perDay } = coin;
  return (
    <fieldset className="ht-signing-coin" aria-label={name}>
      <Input
        aria-label="币种"
        placeholder="币种，如 USDT"
        value={market}
        maxLength={32}
        onChange={({ target }) => onChange({ market: target.value })}
      />
      <Input
        aria-label="网络"
        placeholder="网络，如 TRC20、ERC20"
        value={networks}
        onChange={({ target }) => onChange({ networks: target.value })}
      />
      <AmountInput label="单笔上限" value={largest} unit={market} onChange={(value) => onChange({ largest: value })} />
      <AmountInput label="每日上限" value={perDay} unit={market} onChange={(value) => onChange({ perDay: value })} />
    </fieldset>
  );
}
