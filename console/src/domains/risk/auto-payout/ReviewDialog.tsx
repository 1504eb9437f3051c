import { autoPayout } from '@hengtai/contract/risk/auto-payout/calls';
import { Radio } from 'antd';
import { useState } from 'react';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

interface Props {
  /** Of the withdrawal. */
  id: number;
  onClose: () => void;
}

/** Level 2: records whether the system decided rightly. Cannot be changed later. */
export function ReviewDialog({ id, onClose }: Props) {
  const [sound, setSound] = useState<boolean>();
  return (
    <ActionDialog
      call={autoPayout.review}
      input={{ id, sound: sound === true }}
      verb="复查"
      details={[]}
      consequence="结论与备注永久保留，不能更改；不影响已经下发的打款。"
      blocked={sound === undefined ? '请选择结论' : undefined}
      reason={{ label: '备注', required: sound === false }}
      successText={`已复查提现 #${id}`}
      onClose={onClose}
    >
      <Radio.Group
        aria-label="复查结论"
        value={sound}
        onChange={(event) => setSound(event.target.value === true)}
        options={[
          { value: true, label: '处理得当' },
          { value: false, label: '处理不当' },
        ]}
      />
    </ActionDialog>
  );
}
