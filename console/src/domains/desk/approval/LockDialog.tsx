import { approval } from '@hengtai/contract/desk/approval/calls';
import type { FourEyesState } from '@hengtai/contract/desk/approval/schema';
import { Checkbox } from 'antd';
import { useState } from 'react';
import { SUBMIT } from '../../../actions/approval-words.ts';
import { isOff, lockedPolicyWords } from './four-eyes-words.ts';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

interface Props {
  state: FourEyesState;
  onClose: () => void;
}

const REASONS = ['正式上线', '满足内控要求'] as const;

/** Requests the four-eyes lock. It switches on all policies except those that the checker signs as exceptions. */
export function LockDialog({ state, onClose }: Props) {
  const [exceptions, setExceptions] = useState<readonly string[]>([]);
  const disabledPolicies = state.policies.filter(isOff);

  return (
    <ActionDialog
      call={approval.lock}
      input={{ exceptions: [...exceptions] }}
      title="锁定四眼"
      verb={SUBMIT}
      width={680}
      danger
      dirty={exceptions.length > 0}
      details={[
        { label: '持有者', value: `${state.holders.length} 名关键权限持有者` },
        { label: '策略', value: `${state.policies.length} 项，其中 ${disabledPolicies.length} 项关闭` },
      ]}
      consequence="另一位复核员确认后立即锁定：任何人（包括您）都不能独自放宽保护，只能通过服务器命令解除。现有复核员在锁定后立即有效。"
      reason={{ chips: REASONS }}
      onClose={onClose}
    >
      {disabledPolicies.length > 0 && (
        <>
          <p className="ht-approval-part" id="ap-lock-off">
            以下策略现在关闭，锁定时将开启；勾选的保持关闭，由确认人逐项签署
          </p>
          <ul className="ht-approval-exceptions" aria-labelledby="ap-lock-off">
            {disabledPolicies.map((policy) => {
              const isException = exceptions.includes(policy.key);
              return (
                <li key={policy.key}>
                  <Checkbox
                    checked={isException}
                    onChange={() =>
                      setExceptions(
                        isException ? exceptions.filter((one) => one !== policy.key) : [...exceptions, policy.key],
                      )
                    }
                  >
                    {policy.name}
                  </Checkbox>
                  <span className={isException ? 'ht-value-warn' : 'ht-value-faint'}>
                    {isException ? '保持关闭（例外）' : `将开启：${lockedPolicyWords(policy)}`}
                  </span>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </ActionDialog>
  );
}
