import { Input, Radio } from 'antd';

/** What an operator found out about a payout. */
export interface Outcome {
  /** Undefined until it is chosen. */
  paid?: boolean;
  txHash: string;
}

export const RESOLVE_REASONS = ['区块浏览器已核实', '钱包方已确认'] as const;

/** The message about the first missing field; undefined if the outcome is complete. */
export function findMissingText({ paid, txHash }: Outcome): string | undefined {
  if (paid === undefined) return '请选择打款结果';
  return paid && txHash.trim() === '' ? '请输入交易哈希' : undefined;
}

/** The fields of the call that resolves payouts. */
export const toInput = ({ paid, txHash }: Outcome) => ({
  paid: paid === true,
  ...(paid && txHash.trim() !== '' && { txHash: txHash.trim() }),
});

/** Asks whether the wallet paid, and in which transaction. */
export function PayoutOutcome({ value, onChange }: { value: Outcome; onChange: (outcome: Outcome) => void }) {
  return (
    <div className="ht-withdraw-resolve">
      <Radio.Group
        aria-label="打款结果"
        value={value.paid}
        onChange={(event) => onChange({ ...value, paid: event.target.value === true })}
        options={[
          { value: true, label: '已打款' },
          { value: false, label: '未打款' },
        ]}
      />
      {value.paid && (
        <Input
          aria-label="交易哈希"
          placeholder="请输入交易哈希"
          value={value.txHash}
          maxLength={256}
          onChange={(event) => onChange({ ...value, txHash: event.target.value })}
        />
      )}
    </div>
  );
}
