import '../../../../navigation/page-link.css';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { HOST_BANNER_DAYS } from '@hengtai/contract/desk/approval/calls';
import { can, useMe } from '../../../../api/me.ts';
import { formatTime, useZone } from '../../../../ui/value/zone.ts';
import { FOUR_EYES_PATH } from '@hengtai/contract/authority/target';
import { openPath } from '../../../../navigation/open-path.ts';
import { Banner } from '../../../../ui/page/Banner.tsx';

const DAY_MS = 86_400_000;

/** Warns that a host command bypassed four-eyes. */
export function FourEyesBanner() {
  const me = useMe();
  const { unlockedAt, appointedAt } = me.fourEyes;
  const unlocked = isRecent(unlockedAt, me.now);
  return (
    <>
      {unlocked && <HostBanner at={unlockedAt} what="已通过服务器命令解除四眼锁定" />}
      {isRecent(appointedAt, me.now) && <HostBanner at={appointedAt} what="已通过服务器命令指定一名复核员" />}
    </>
  );
}

/** Whether a host command was used in the last days. */
export const isRecent = (at: number | null, now: number): at is number =>
  at !== null && now - at < HOST_BANNER_DAYS * DAY_MS;

function HostBanner({ at, what }: { at: number; what: string }) {
  const zone = useZone();
  return (
    <Banner kind="warn">
      {what}（{formatTime(at, zone)}）。若不是约定的操作，请立即联系负责人。
      <DetailsLink />
    </Banner>
  );
}

/**
 * Link to the four-eyes panel, which requires the approval ability. Not a PageLink, because the banner is outside the
 * tabs.
 */
export function DetailsLink() {
  const me = useMe();
  if (!can(me, ABILITY.approval)) return null;
  return (
    <a
      className="ht-navigation-link"
      href={FOUR_EYES_PATH}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        openPath(FOUR_EYES_PATH);
      }}
    >
      查看
    </a>
  );
}
