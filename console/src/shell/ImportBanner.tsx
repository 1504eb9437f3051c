import { installation } from '@hengtai/contract/installation';
import type { InstallationState } from '@hengtai/contract/installation.schema';
import { useQueryClient } from '@tanstack/react-query';
import { queryKeyOf, useRead } from '../api/hooks.ts';
import { dayOf, useZone } from '../ui/zone.ts';

const NOTHING = {};
const MOVING_MS = 2_000;
/** An installation that is not live may begin to take in a history at any time. */
const WAITING_MS = 15_000;

/** While a platform moves in, lists and figures are not complete: how far it has come. */
export function ImportBanner() {
  const known = useQueryClient().getQueryData<InstallationState>(queryKeyOf(installation.state, NOTHING));
  const every = known?.live === 1 ? false : known?.importing ? MOVING_MS : WAITING_MS;
  const { data } = useRead(installation.state, NOTHING, { every });
  const zone = useZone();
  if (!data?.importing) return null;
  const { share, reached } = data.importing;
  const { month, day } = dayOf(reached, zone);
  // Said once and not at every step, to those who listen.
  return (
    <p className="sh-banner sh-import" data-kind="info" aria-live="off">
      <span className="sh-import-done" style={{ inlineSize: `${share * 100}%` }} />
      正在导入历史数据 … {Math.floor(share * 100)}%（已到 {month}月{day}日）
    </p>
  );
}
