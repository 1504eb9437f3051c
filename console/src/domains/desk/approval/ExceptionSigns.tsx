import { approval } from '@hengtai/contract/desk/approval/calls';
import { Checkbox } from 'antd';
import { useRead } from '../../../api/hooks.ts';

interface Props {
  exceptions: readonly string[];
  signed: readonly string[];
  onChange: (signed: readonly string[]) => void;
}

/** A checkbox for each policy that stays off under the lock; the checker signs each one. */
export function ExceptionSigns({ exceptions, signed, onChange }: Props) {
  const { data } = useRead(approval.fourEyes, {});
  const titleOf = (key: string): string => {
    const policy = data?.policies.find((one) => one.key === key);
    return policy ? policy.name : key;
  };
  return (
    <>
      <p className="ht-approval-part" id="ap-sign">
        逐项签署保持关闭的策略
      </p>
      <ul className="ht-approval-exceptions" aria-labelledby="ap-sign">
        {exceptions.map((key) => (
          <li key={key}>
            <Checkbox
              checked={signed.includes(key)}
              onChange={({ target }) =>
                onChange(target.checked ? [...signed, key] : signed.filter((one) => one !== key))
              }
            >
              我同意「{titleOf(key)}」保持关闭，一个人即可完成
            </Checkbox>
          </li>
        ))}
      </ul>
    </>
  );
}
