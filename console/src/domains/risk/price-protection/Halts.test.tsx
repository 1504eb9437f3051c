// @vitest-environment happy-dom
import { priceProtection } from '@hengtai/contract/risk/price-protection/calls';
import type { Me } from '@hengtai/contract/house/session/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { MeContext } from '../../../api/me.ts';
import { queryClient } from '../../../api/query-client.ts';
import { TabContext } from '../../../navigation/page-route.ts';
import type { Tab } from '../../../navigation/tabs.ts';
import { Halts } from './Halts.tsx';
import type { PriceProtectionView } from './price-protection-row.ts';

// Scripts take long on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

const me = { id: 1, admin: 'admin', top: true, abilities: [] } as unknown as Me;
const tab = { key: '/plan', search: '', params: {} } as unknown as Tab;

afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const HOUR = 3_600_000;
const halt = { triggerPrice: null, minPrice: null, maxPrice: null, haltedBy: null, reason: '', resumedBy: null };

async function rowsFor(data: readonly object[]): Promise<string[]> {
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    requests.push(url);
    return new Response(JSON.stringify({ code: 200, msg: '成功', data }));
  });
  render(
    <QueryClientProvider client={queryClient}>
      <MeContext value={me}>
        <TabContext value={tab}>
          <Halts row={{ id: 30, marketType: 2 } as PriceProtectionView} />
        </TabContext>
      </MeContext>
    </QueryClientProvider>,
  );
  const table = await screen.findByRole('region', { name: '触发与暂停记录' });
  expect(requests).toEqual([expect.stringContaining(`${priceProtection.halts.path}?id=7&marketType=2`)]);
  return within(table)
    .getAllByRole('row')
    .slice(1)
    .map((line) => line.textContent);
}

test('each halt says what caused it and how it ended', async () => {
  const [lasting, byPrice, early] = await rowsFor([
    { ...halt, id: 3, triggeredAt: 3 * HOUR, haltedBy: 'bob', reason: '维护', resumeAt: 4 * HOUR, resumedAt: null },
    {
      ...halt,
      id: 2,
      triggeredAt: HOUR,
      triggerPrice: '201',
      minPrice: '90',
      maxPrice: '200',
      resumeAt: 2 * HOUR,
      resumedAt: 2 * HOUR + 1,
    },
    { ...halt, id: 1, triggeredAt: 0, resumeAt: HOUR, resumedAt: 1, resumedBy: 'eve' },
  ]);
  expect(lasting).toMatch(/手动暂停 .*bob.*维护.*暂停中，预计/);
  expect(byPrice).toMatch(/价格 201 离开 90 – 200.*到时恢复/);
  expect(early).toMatch(/提前恢复 .*eve/);
});
