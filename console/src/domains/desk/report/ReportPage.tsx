import '../../../ui/page/section.css';
import './report.css';
import { ABILITY, abilityLabels } from '@hengtai/contract/authority/ability';
import { useCan, useMe } from '../../../api/me.ts';
import { usePageRoute } from '../../../navigation/page-route.ts';
import { PageHeading } from '../../../ui/page/PageHeading.tsx';
import { TabStrip } from '../../../ui/page/TabStrip.tsx';
import { ZoneContext } from '../../../ui/value/zone.ts';
import { FundTab } from './FundTab.tsx';
import { LiabilityTab } from './LiabilityTab.tsx';
import { ReviewTab } from './ReviewTab.tsx';
import { WorkTab } from './WorkTab.tsx';

const TABS = [
  { key: 'fund', title: '每日资金' },
  { key: 'work', title: '操作员工作' },
  { key: 'review', title: '审核时效' },
  { key: 'liability', title: '负债证明' },
] as const;
type Key = (typeof TABS)[number]['key'];

/**
 * 报表: four reports as tabs. The tab and the filters of its report are stored in the address. Their days are those of the report
 * zone, also when they are picked.
 */
export function ReportPage() {
  const { search, setSearch } = usePageRoute();
  const hasAbility = useCan(ABILITY.audit);
  const { zone } = useMe();
  const current = TABS.find(({ key }) => key === search.get('tab'))?.key ?? 'fund';
  // The filters of one report do not apply to another, so a new tab starts without them.
  const selectTab = (key: Key) => setSearch(new URLSearchParams(key === 'fund' ? {} : { tab: key }));
  return (
    <div className="ht-report">
      <TabStrip label="报表" tabs={TABS} current={current} onChange={selectTab}>
        <ZoneContext value={zone}>
          {current === 'fund' && <FundTab />}
          {current === 'work' && (hasAbility ? <WorkTab /> : <NoPermission title="操作员工作报表" />)}
          {current === 'review' && (hasAbility ? <ReviewTab /> : <NoPermission title="审核时效报表" />)}
        </ZoneContext>
        {current === 'liability' && <LiabilityTab />}
      </TabStrip>
    </div>
  );
}

const NoPermission = ({ title }: { title: string }) => (
  <div className="ht-page">
    <PageHeading title={title} />
    <p className="ht-page-empty">
      没有「{abilityLabels[ABILITY.audit]}」权限，不能查看{title}。
    </p>
  </div>
);
