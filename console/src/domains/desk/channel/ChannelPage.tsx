import './channel.css';
import { useEffect } from 'react';
import { showExports } from '../../../lists/export-jobs.ts';
import { usePageRoute } from '../../../navigation/page-route.ts';
import { PageHeading } from '../../../ui/page/PageHeading.tsx';
import { ScheduleCard } from './ScheduleCard.tsx';
import { ChannelCard } from './ChannelCard.tsx';

/** 通知渠道与定时导出: where the operator's own notifications are sent, and exports that repeat. */
export function ChannelPage() {
  const { search, setSearch } = usePageRoute();
  // A message about an export links here, because the exports are in a panel of the header.
  const linksToExports = search.get('exports') !== null;
  useEffect(() => {
    if (!linksToExports) return;
    showExports();
    setSearch(new URLSearchParams(), { replace: true });
  }, [linksToExports, setSearch]);
  return (
    <div className="ht-channel-page">
      <PageHeading title="通知渠道与定时导出" note="仅对本人生效；账号停用后不再发送" />
      <ChannelCard />
      <ScheduleCard />
    </div>
  );
}
