import './kyc.css';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { KYC_LEVEL, KYC, type KycAction, kyc } from '@hengtai/contract/risk/kyc/calls';
import { kycActions } from '@hengtai/contract/risk/kyc/facts';
import type { KycRevealed, KycRow } from '@hengtai/contract/risk/kyc/schema';
import { useState } from 'react';
import { useList } from '../../../lists/list.ts';
import { useCan } from '../../../api/me.ts';
import { NOTE_KEY } from '../../../lists/review-keys.ts';
import { type DrawerRequest, type ReviewBulk, ReviewPage } from '../../../lists/ReviewPage.tsx';
import { usePageRoute } from '../../../navigation/page-route.ts';
import { dialogOnDemand, onDemand } from '../../../ui/page/on-demand.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { KycDialog } from './KycDialog.tsx';
import { RevealDialog } from './RevealDialog.tsx';
import { kycColumns } from './columns.tsx';
import { NO_ABILITY, actionLabels, disabledReasonOf } from './actions.ts';

const KycDrawer = onDemand(async () => (await import('./KycDrawer.tsx')).KycDrawer);

const FindDialog = dialogOnDemand(async () => (await import('./FindDialog.tsx')).FindDialog);

const consequence = '逐条执行，平台逐条收到通知；状态已变化的不受影响并列出原因。';
const BULK: Readonly<Record<KycAction, ReviewBulk<KycRow>>> = {
  pass: { call: kyc.passMany, reasons: ['已逐条核对', '证件与信息一致'], consequence },
  reject: { call: kyc.rejectMany, consequence },
};
const KEYS = [
  NOTE_KEY,
  { keys: ['V'], what: '查看完整姓名与证件号码（详情打开时）' },
  { keys: ['+', '-'], what: '放大、缩小照片' },
  { keys: ['[', ']'], what: '向左、向右旋转照片' },
];

/** 用户认证: submissions, the review drawer with the document images, and the queue. */
export function KycPage() {
  const hasAbility = useCan(ABILITY.identity);
  const list = useList(kyc.list, { seconds: 15 });
  const { search } = usePageRoute();
  // The address at which the search was opened: it closes when one of its records is opened.
  const [findingAt, setFindingAt] = useState<URLSearchParams>();
  return (
    <>
      <ReviewPage
        emptyHint="用户提交实名资料后会出现在这里，等待审核。"
        noneWaiting="没有待审核的认证"
        list={list}
        columns={kycColumns}
        queueKey="authReview"
        waiting={KYC.waiting}
        hasAbility={hasAbility}
        noAbility={NO_ABILITY}
        words={actionLabels}
        bulk={BULK}
        bulkDetails={(rows) => [
          { label: '高级认证', value: `${rows.filter(({ level }) => level === KYC_LEVEL.advanced).length} 条` },
        ]}
        disabledReasonOf={disabledReasonOf}
        moreKeys={KEYS}
        renderDrawer={(drawerRequest) => <Submission {...drawerRequest} />}
        renderDialog={(request) => <KycDialog {...request} />}
        tools={
          <GreyedAction
            look="button"
            disabledReason={hasAbility ? undefined : NO_ABILITY}
            onClick={() => setFindingAt(search)}
          >
            {kycActions.find.summary}
          </GreyedAction>
        }
      />
      {findingAt === search && <FindDialog onClose={() => setFindingAt(undefined)} />}
    </>
  );
}

/** The review drawer with the data that was revealed for a reason. */
function Submission(drawerRequest: DrawerRequest<KycRow, KycAction>) {
  const [revealing, setRevealing] = useState<KycRow>();
  const [revealed, setRevealed] = useState<KycRevealed>();
  // Revealed data belongs to one record. After another record was opened it must be requested again.
  if (revealed && revealed.id !== drawerRequest.id) setRevealed(undefined);
  return (
    <>
      <KycDrawer {...drawerRequest} revealed={revealed} onReveal={setRevealing} />
      {revealing && (
        <RevealDialog
          row={revealing}
          onClose={() => setRevealing(undefined)}
          onDone={(data) => {
            setRevealing(undefined);
            setRevealed(data);
          }}
        />
      )}
    </>
  );
}
