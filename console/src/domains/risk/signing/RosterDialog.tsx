import { signing } from '@hengtai/contract/risk/signing/calls';
import { THRESHOLD_MAX, THRESHOLD_MIN } from '@hengtai/contract/risk/signing/text';
import type { SigningMine, SigningState } from '@hengtai/contract/risk/signing/schema';
import { Checkbox, Radio } from 'antd';
import { useId, useState } from 'react';
import { settle } from '../../../api/display-error.ts';
import { newKey, useAction } from '../../../api/hooks.ts';
import { toast } from '../../../api/toast.ts';
import { SaveModal } from '../../../ui/dialog/SaveModal.tsx';
import type { DisplayError } from '../../../ui/value/display-error.ts';
import { KeyFingerprint } from './Fingerprint.tsx';
import { rosterProblem, rosterText } from './drafts.ts';

interface Props {
  state: SigningState;
  page: NonNullable<SigningMine['page']>;
  onClose: () => void;
}

/** Drafts a roster: the keys that may sign, and how many persons must. */
export function RosterDialog({ state: { roster, keys }, page, onClose }: Props) {
  // A first roster begins empty: after a reset, lost keys are among those that are listed.
  const [chosen, setChosen] = useState(() => keys.filter(({ inRoster }) => inRoster).map(({ key }) => key));
  const [threshold, setThreshold] = useState(roster?.threshold ?? THRESHOLD_MIN);
  const [error, setError] = useState<DisplayError>();
  const { submit, pending } = useAction(signing.propose);
  const id = useId();
  const chosenKeys = keys.filter(({ key }) => chosen.includes(key));
  const problem = rosterProblem(chosenKeys, threshold);

  async function propose() {
    const failure = await settle(async () => {
      const outcome = await submit({ text: rosterText(roster, page, chosenKeys, threshold) }, newKey());
      if (outcome.kind === 'done') toast.success('草案已提交，等待签名');
      onClose();
    });
    setError(failure);
  }

  return (
    <SaveModal
      title={roster ? '变更名册' : '建立名册'}
      width={720}
      verb="提交草案"
      busy={pending}
      dirty
      disabled={problem !== undefined}
      error={error}
      onSave={() => void propose()}
      onClose={onClose}
    >
      <p className="ht-signing-note">
        {roster
          ? '草案由现有名册中的足够人数签名后生效。移除遗失的密钥，列入补办的密钥。'
          : '只勾选本人在场、指纹与纸条一致的密钥；遗失的不要勾选。首版名册由列入的人签名，钱包管理员据纸上的名册指纹固定。'}
      </p>
      <Checkbox.Group
        className="ht-signing-choices"
        value={chosen}
        onChange={setChosen}
        options={keys.map(({ key, person, publicKey }) => ({
          value: key,
          label: (
            <>
              <b>{person}</b>
              <KeyFingerprint publicKey={publicKey} />
            </>
          ),
        }))}
      />
      <p id={id} className="ht-signing-label">
        每笔打款的签名人数
      </p>
      <Radio.Group
        aria-labelledby={id}
        value={threshold}
        options={[THRESHOLD_MIN, THRESHOLD_MAX].map((value) => ({
          value,
          label: `${value} 人`,
          // The wallet never accepts fewer.
          disabled: value < (roster?.threshold ?? THRESHOLD_MIN),
        }))}
        onChange={({ target }) => setThreshold(Number(target.value))}
      />
      {problem !== undefined && (
        <p className="ht-value-warn" role="status">
          {problem}
        </p>
      )}
    </SaveModal>
  );
}
