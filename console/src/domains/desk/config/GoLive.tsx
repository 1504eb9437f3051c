import { installation } from '@hengtai/contract/desk/installation/calls';
import { useState } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { useMe } from '../../../api/me.ts';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

const labels = { 0: '未上线', 1: '已上线' };
const tones = { 0: 'wait', 1: 'good' } as const;

interface Props {
  /** Renders only if the installation has this state: before 上线 at the top of the page, afterwards at the end. */
  live: 0 | 1;
}

/** 上线: takes the installation live. Only before that the platform can import history. */
export function GoLive({ live: place }: Props) {
  const me = useMe();
  const { data } = useRead(installation.state, {});
  const [isConfirming, setConfirming] = useState(false);
  if (data?.live !== place) return null;
  const { live, importing } = data;
  const disabledReason = live === 1 ? '已上线' : me.top ? undefined : '仅顶级管理员可上线';
  return (
    <Section title="上线">
      <div className="ht-config-live">
        <StateTag state={live} labels={labels} tones={tones} />
        <span className="ht-config-remark">
          {live === 1
            ? '平台只报告新发生的事件，历史数据不再接受导入。'
            : '上线前可以从交易平台导入历史数据；上线后不再接受历史数据，且不能撤回。'}
        </span>
        <GreyedAction look="button" danger disabledReason={disabledReason} onClick={() => setConfirming(true)}>
          上线
        </GreyedAction>
      </div>
      {isConfirming && (
        <LiveDialog account={me.admin} importing={importing !== null} onClose={() => setConfirming(false)} />
      )}
    </Section>
  );
}

interface DialogProps {
  account: string;
  importing: boolean;
  onClose: () => void;
}

/** Level 3: going live cannot be undone. */
function LiveDialog({ account, importing, onClose }: DialogProps) {
  return (
    <ActionDialog
      call={installation.live}
      input={{}}
      successText="已上线"
      title="上线"
      verb="确认上线"
      danger
      details={[
        { label: '当前状态', value: labels[0] },
        { label: '历史导入', value: importing ? '正在进行' : '未在进行' },
      ]}
      consequence={`上线后，交易平台的历史事件（用户、余额、充提记录等）一律拒收，不能撤回。${
        importing ? '历史数据仍在导入，现在上线会丢失尚未导入的部分。' : '请先确认历史数据已经完整导入。'
      }`}
      challenge={{ label: '请输入您的账号以确认', expect: account }}
      onClose={onClose}
    />
  );
}
