// @vitest-environment happy-dom
import { CALL_TIMEOUT_MS } from '@hengtai/contract/wire/endpoint';
import { home } from '@hengtai/contract/desk/home/calls';
import { market } from '@hengtai/contract/trading/market/calls';
import { user } from '@hengtai/contract/people/user/calls';
import { withdraw } from '@hengtai/contract/funds/withdraw/calls';
import type { Me } from '@hengtai/contract/house/session/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ActionDialog } from '../actions/ActionDialog.tsx';
import { DetailDrawer } from '../lists/DetailDrawer.tsx';
import { ListFrame } from '../lists/ListFrame.tsx';
import { useList } from '../lists/list.ts';
import { TabContext } from '../navigation/page-route.ts';
import type { Tab } from '../navigation/tabs.ts';
import { MeContext } from './me.ts';
import { QueryPlace } from './QueryPlace.tsx';
import { useRead } from './hooks.ts';
import { queryClient } from './query-client.ts';

/** How the server answers a path from now on: by default never. */
let answers: Record<string, () => Promise<unknown>>;
let requests: string[];

const never = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
const respond = (data: unknown) => Promise.resolve(new Response(JSON.stringify({ code: 200, msg: '', data })));

beforeEach(() => {
  vi.useFakeTimers();
  // The browser's own is not replaced by the fake clock.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('', 'TimeoutError')), ms);
    return controller.signal;
  });
  answers = {};
  requests = [];
  vi.stubGlobal('fetch', (url: string, { signal }: { signal: AbortSignal }) => {
    const path = /admin\/([^?]*)/.exec(url)?.[1] ?? '';
    requests.push(path);
    return answers[path]?.() ?? never(signal);
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const me = { id: 1, admin: 'admin', top: true, abilities: [], fourEyes: { locked: false } } as unknown as Me;
const tab = { key: '/withdraw', search: '?size=10', params: {}, gen: 0, pinned: false, title: '' } as unknown as Tab;
const show = (children: ReactNode) =>
  render(
    <QueryClientProvider client={queryClient}>
      <MeContext value={me}>
        <TabContext value={tab}>{children}</TabContext>
      </MeContext>
    </QueryClientProvider>,
  );
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

const close = () => undefined;

function Card() {
  const query = useRead(market.filter, {});
  return (
    <section aria-label="card">
      {query.data ? (
        '已加载'
      ) : (
        <QueryPlace query={query} isSmall>
          骨架
        </QueryPlace>
      )}
    </section>
  );
}
function Drawer() {
  const query = useRead(withdraw.detail, { id: 1 });
  return (
    <DetailDrawer open title="drawer" width={400} query={query} onClose={close}>
      {() => '已加载'}
    </DetailDrawer>
  );
}
function Dialog() {
  const query = useRead(user.detail, { id: 1 });
  return (
    <ActionDialog
      call={user.del}
      input={{ id: 1 }}
      title="dialog"
      verb="删除"
      details={[]}
      query={query}
      onClose={close}
    />
  );
}
function List() {
  const list = useList(withdraw.list);
  return <ListFrame title="提现" list={list as never} columns={[]} />;
}
function Healthy() {
  const { data, refetch } = useRead(home.state, {});
  return <button onClick={() => void refetch()}>{`健康 ${JSON.stringify(data)}`}</button>;
}

test.each([
  ['card', market.filter.path, Card, () => screen.getByRole('region', { name: 'card' }), [{ id: 1, marketName: 'A' }]],
  ['drawer', withdraw.detail.path, Drawer, () => screen.getByRole('dialog'), { row: { id: 1 } }],
  ['dialog', user.detail.path, Dialog, () => screen.getByRole('dialog'), {}],
  ['list', withdraw.list.path, List, () => document.body, { list: [], total: 0 }],
])('a %s without an answer says so at its place, and loads when asked to', async (_, path, Part, place, data) => {
  answers[home.state.path] = () => respond(requests.length);
  show(
    <>
      <Healthy />
      <Part />
    </>,
  );
  const sent = () => requests.filter((one) => one === path).length;
  await pass(CALL_TIMEOUT_MS - 1);
  expect(screen.queryByText(/加载超时/)).toBeNull();
  await pass(1_000);
  expect(place().textContent).toContain('加载超时');
  // Asked once: to repeat it silently would be another minute of skeleton.
  expect(sent()).toBe(1);
  // Nothing else pretends to know anything.
  expect(screen.queryByText(/刷新失败|没有记录/)).toBeNull();
  const before = screen.getByText(/^健康 \d/).textContent;
  fireEvent.click(screen.getByText(/^健康 \d/));
  await pass(100);
  expect(screen.getByText(/^健康 \d/).textContent).not.toBe(before);

  answers[path] = () => respond(data);
  fireEvent.click(within(place()).getByText(/重 ?试/));
  await pass(1_000);
  expect(screen.queryByText(/加载超时/)).toBeNull();
  expect(sent()).toBe(2);
});

test('a load that fails otherwise is repeated twice, and then says so with the reason', async () => {
  answers[market.filter.path] = () => Promise.reject(new TypeError('offline'));
  show(<Card />);
  await pass(2_000);
  expect(screen.getByText('骨架')).toBeTruthy();
  await pass(2_000);
  expect(screen.getByRole('alert').textContent).toBe('加载失败：网络异常，未收到服务器的答复重试');
  expect(requests).toHaveLength(3);
});
