import { ABILITY } from '@hengtai/contract/authority/ability';
import { Button } from 'antd';
import { useState } from 'react';
import { BANNER_KEY } from '../../../../api/handover.ts';
import { can, useMe } from '../../../../api/me.ts';
import { DetailsLink, isRecent } from './FourEyesBanner.tsx';
import { Banner } from '../../../../ui/page/Banner.tsx';

/** Says that four-eyes are not locked and one person can switch them off. At the foot, since it is no alarm. */
export function UnlockedBanner() {
  const me = useMe();
  const { admin, fourEyes, now } = me;
  const [isHidden, setIsHidden] = useState(() => sessionStorage.getItem(BANNER_KEY) === admin);
  const isConcerned = can(me, ABILITY.approval) || can(me, ABILITY.platform);
  if (isHidden || fourEyes.locked || isRecent(fourEyes.unlockedAt, now) || !isConcerned) return null;
  return (
    <Banner kind="info">
      四眼未锁定：一个人仍可关闭复核策略。
      <DetailsLink />
      <Button
        type="text"
        size="small"
        onClick={() => {
          sessionStorage.setItem(BANNER_KEY, admin);
          setIsHidden(true);
        }}
      >
        暂不提示
      </Button>
    </Banner>
  );
}
