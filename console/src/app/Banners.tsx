import { session } from '@hengtai/contract/house/session/calls';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { useEffect, useSyncExternalStore } from 'react';
import { send } from '../api/client.ts';
import { readNetwork, subscribeNetwork } from '../api/network.ts';
import { Banner } from '../ui/page/Banner.tsx';
import { formatClock, useZone } from '../ui/value/zone.ts';
import { FourEyesBanner } from '../domains/desk/approval/exported/FourEyesBanner.tsx';
import { useOutdated, watchVersion } from './version.ts';

const PROBE_MS = 5000;

/** Banners that warn about the whole window: a host command, a lost connection, a newer version. */
export function Banners() {
  const network = useSyncExternalStore(subscribeNetwork, readNetwork);
  const outdated = useOutdated();
  const zone = useZone();
  useEffect(() => watchVersion(), []);
  useProbe(network.isDown);
  return (
    <div role="status">
      <FourEyesBanner />
      {network.isDown && (
        <Banner kind="warn">
          网络连接中断，正在自动重连。页面显示的是 {formatClock(network.lastAnswerAt, zone)}{' '}
          的数据，未完成的操作不会自动重发。
        </Banner>
      )}
      {outdated && (
        <Banner kind="info">
          新版本已发布，刷新后生效；已打开的标签页和筛选条件会保留。
          <Button size="small" onClick={() => window.location.reload()}>
            立即刷新
          </Button>
        </Banner>
      )}
    </div>
  );
}

/** While the server is unreachable, probes it and then refetches failed or stale queries. */
function useProbe(isDown: boolean) {
  const client = useQueryClient();
  useEffect(() => {
    if (!isDown) return undefined;
    const probe = async () => {
      try {
        await send(session.me, {});
        await client.invalidateQueries({ predicate: ({ state }) => state.status === 'error' || state.isInvalidated });
      } catch {
        // Still unreachable; the next probe follows.
      }
    };
    const timer = setInterval(() => void probe(), PROBE_MS);
    return () => clearInterval(timer);
  }, [isDown, client]);
}
