import './banners.css';
import { installation } from '@hengtai/contract/desk/installation/calls';
import type { InstallationState } from '@hengtai/contract/desk/installation/schema';
import { useQueryClient } from '@tanstack/react-query';
import { queryKeyOf, useRead } from '../api/hooks.ts';
import { Banner } from '../ui/page/Banner.tsx';
import { dayOf, useZone } from '../ui/value/zone.ts';

const RUNNING_POLL_MS = 2_000;
/** An import may start at any time until the installation is live. */
const IDLE_POLL_MS = 15_000;

/** Progress of a history import, during which lists and figures are incomplete. */
export function ImportBanner() {
  const cached = useQueryClient().getQueryData<InstallationState>(queryKeyOf(installation.state, {}));
  const refetchMs = cached?.live === 1 ? false : cached?.importing ? RUNNING_POLL_MS : IDLE_POLL_MS;
  const { data } = useRead(installation.state, {}, { refetchMs });
  const zone = useZone();
  if (!data?.importing) return null;
  const { share, reached } = data.importing;
  const { month, day } = dayOf(reached, zone);
  return (
    <Banner kind="info" isSilent>
      <span className="ht-app-import-done" style={{ inlineSize: `${share * 100}%` }} />
      正在导入历史数据 … {Math.floor(share * 100)}%（已到 {month}月{day}日）
    </Banner>
  );
}
