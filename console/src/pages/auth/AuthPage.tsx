import './auth.css';
import { ABILITY } from '@hengtai/contract/ability';
import { AUTH, type AuthAction, auth } from '@hengtai/contract/auth';
import type { AuthRevealed, AuthRow } from '@hengtai/contract/auth.schema';
import { useState } from 'react';
import { useList } from '../../api/list.ts';
import { useCan } from '../../api/me.ts';
import { type Opened, ReviewPage } from '../../shell/ReviewPage.tsx';
import { AuthDialog } from './AuthDialog.tsx';
import { AuthDrawer } from './AuthDrawer.tsx';
import { BulkDialog } from './BulkDialog.tsx';
import { RevealDialog } from './RevealDialog.tsx';
import { authColumns } from './columns.tsx';
import { NO_ABILITY, actionNames, actionLabels, whyNot } from './actions.ts';

const KEYS = [
  { keys: ['V'], what: '查看完整姓名与证件号码（详情打开时）' },
  { keys: ['+', '-'], what: '放大、缩小照片' },
  { keys: ['[', ']'], what: '向左、向右旋转照片' },
];

/** 用户认证: the list, one submission with its photographs, and the queue. */
export function AuthPage() {
  const able = useCan(ABILITY.identity);
  const list = useList(auth.list, { seconds: 15 });
  return (
    <ReviewPage
      title="用户认证"
      next="用户提交实名资料后会出现在这里。"
      list={list}
      columns={authColumns}
      waiting={AUTH.waiting}
      able={able}
      noAbility={NO_ABILITY}
      words={actionLabels}
      bulkActions={actionNames}
      whyNot={whyNot}
      moreKeys={KEYS}
      renderDrawer={(opened) => <Submission {...opened} />}
      renderDialog={(asked) => <AuthDialog {...asked} />}
      renderBulkDialog={(asked) => <BulkDialog {...asked} />}
    />
  );
}

/** One submission, and what of it was shown for a reason. */
function Submission(opened: Opened<AuthRow, AuthAction>) {
  const [asking, setAsking] = useState<AuthRow>();
  const [revealed, setRevealed] = useState<AuthRevealed>();
  // What was shown for a reason is shown with that record only: after leaving, it must be requested again.
  if (revealed && revealed.id !== opened.id) setRevealed(undefined);
  return (
    <>
      <AuthDrawer {...opened} revealed={revealed} onReveal={setAsking} />
      {asking && (
        <RevealDialog
          row={asking}
          onClose={() => setAsking(undefined)}
          onDone={(shown) => {
            setAsking(undefined);
            setRevealed(shown);
          }}
        />
      )}
    </>
  );
}
