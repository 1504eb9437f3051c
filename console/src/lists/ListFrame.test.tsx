// @vitest-environment happy-dom
import { withdraw } from '@hengtai/contract/funds/withdraw/calls';
import type { Me } from '@hengtai/contract/house/session/schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type * as Antd from 'antd';
import { Children, type ReactNode, isValidElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useList } from './list.ts';
import { MeContext } from '../api/me.ts';
import { queryClient } from '../api/query-client.ts';
import { GreyedAction } from '../ui/dialog/GreyedAction.tsx';
import { colOf } from '../ui/table/columns.ts';
import { ListFrame } from './ListFrame.tsx';
import { TabContext } from '../navigation/page-route.ts';
import type { Tab } from '../navigation/tabs.ts';

// Rows render in time slices, which take long on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

type Row = { id: number; account: string; amount: string };

/** Cells and buttons rendered since the last `takeRendered`: `account 3`, or `button`. */
let rendered: string[] = [];
/** Ids of rows whose cells the kit rendered again. */
let rerenderedRows: number[] = [];
const takeRendered = () => {
  const names = rendered.toSorted();
  rendered = [];
  return names;
};

vi.mock('antd', async (load) => {
  const antd = await load<typeof Antd>();
  const Button = (props: React.ComponentProps<typeof antd.Button>) => {
    const [content] = Children.toArray(props.children);
    const [words] = isValidElement<{ children?: ReactNode }>(content) ? Children.toArray(content.props.children) : [];
    if (typeof words === 'string' && words.startsWith('看')) rendered.push('button');
    return <antd.Button {...props} />;
  };
  // The kit calls this before rendering a cell again.
  const shouldCellUpdate = ({ id }: { id: number }) => {
    rerenderedRows.push(id);
    return true;
  };
  const Table = ({ columns, ...props }: React.ComponentProps<typeof antd.Table<{ id: number }>>) => (
    <antd.Table {...props} columns={columns?.map((column) => ({ ...column, shouldCellUpdate })) ?? []} />
  );
  return { ...antd, Button, Table };
});

let answer: { list: Row[]; total: number };
const rows = (...ids: number[]): Row[] => ids.map((id) => ({ id, account: `user-${id}`, amount: `${id}.5` }));
const respond = (data: unknown) => new Response(JSON.stringify({ code: 200, msg: '', data }));

beforeEach(() => {
  rendered = [];
  answer = { list: rows(3, 2, 1), total: 3 };
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.includes(withdraw.list.path)) return respond(answer);
    return respond(url.includes('view/counts') ? { built: [], saved: [] } : []);
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

const col = colOf<Row>();
const columns = [
  col('account', {
    title: '账号',
    width: 100,
    render: (value) => {
      rendered.push(`account ${value}`);
      return value;
    },
  }),
  col('amount', {
    title: '数量',
    width: 100,
    render: (value, row) => {
      rendered.push(`amount ${row.id}`);
      return value;
    },
  }),
];

function Page({ onOpen, version }: { onOpen: (row: Row, version: number) => void; version: number }) {
  const list = useList(withdraw.list);
  return (
    <ListFrame
      title="提现"
      list={list as never}
      columns={columns}
      bulk={() => '批量'}
      actions={{
        width: 80,
        render: (row: Row) => (
          <GreyedAction look="button" onClick={() => onOpen(row, version)}>{`看${row.id}`}</GreyedAction>
        ),
      }}
    />
  );
}

const tab = { key: '/withdraw', search: '', params: {}, gen: 0, pinned: false, title: '提现' } as unknown as Tab;
const me = { id: 1, account: 'admin', top: true, abilities: [] } as unknown as Me;
const onOpen = vi.fn();
const pageOf = (version: number) => (
  <QueryClientProvider client={queryClient}>
    <MeContext value={me}>
      <TabContext value={tab}>
        <Page onOpen={onOpen} version={version} />
      </TabContext>
    </MeContext>
  </QueryClientProvider>
);

/** Runs a silent refresh and waits for its total, which is different each time. */
async function refresh(list: Row[]) {
  answer = { list, total: answer.total + 1 };
  await act(() => queryClient.refetchQueries({ queryKey: [withdraw.list.path] }));
  await screen.findByText(`共 ${answer.total} 条`);
}

async function renderPage() {
  const page = render(pageOf(0));
  await screen.findByText('user-1');
  expect(takeRendered().filter((name) => name !== 'button')).toEqual([
    'account user-1',
    'account user-2',
    'account user-3',
    'amount 1',
    'amount 2',
    'amount 3',
  ]);
  return page;
}

test('a silent refresh renders only cells whose values changed', async () => {
  await renderPage();
  await refresh(rows(3, 2, 1));
  expect(takeRendered()).toEqual([]);

  await refresh(rows(3, 2, 1).map((row) => (row.id === 2 ? { ...row, amount: '7' } : row)));
  await screen.findByText('7');
  // The account did not change; the amount renderer depends on the whole row.
  expect(takeRendered()).toEqual(['amount 2']);
});

test('an added or removed row does not render the others', async () => {
  await renderPage();
  await refresh(rows(3, 1));
  await waitFor(() => expect(screen.queryByText('user-2')).toBeNull());
  expect(takeRendered()).toEqual([]);

  await refresh(rows(3, 1, 0));
  await screen.findByText('user-0');
  expect(takeRendered()).toEqual(['account user-0', 'amount 0', 'button']);
});

test('selecting a row and re-rendering the page render no row', async () => {
  const page = await renderPage();
  fireEvent.click(screen.getByLabelText('选择 2'));
  await screen.findByText('已选 1 条');
  page.rerender(pageOf(1));
  expect(takeRendered()).toEqual([]);
});

test('scrolling a long list renders only rows that become visible', async () => {
  answer = { list: rows(...Array.from({ length: 150 }, (_, i) => 150 - i)), total: 150 };
  const { container } = render(pageOf(0));
  await screen.findByText('user-150');
  const holder = container.querySelector('.ant-table-tbody-virtual-holder');
  if (!holder) throw new Error('the table is not virtual');
  const scroll = (top: number) => {
    holder.scrollTop = top;
    fireEvent.scroll(holder);
  };
  // The first scrolls initialize the fixed columns.
  [40, 80].forEach(scroll);
  rerenderedRows = [];
  [120, 160, 4_000].forEach(scroll);
  await screen.findByText('user-44');
  expect(rerenderedRows).toEqual([]);
  expect(screen.queryByText('user-150')).toBeNull();

  const box = screen.getByLabelText('选择 44');
  fireEvent.click(box);
  await screen.findByText('已选 1 条');
  expect(box).toHaveProperty('checked', true);
});

test('a click calls the latest handler with the latest row', async () => {
  const page = await renderPage();
  page.rerender(pageOf(5));
  await refresh(rows(3, 2, 1).map((row) => (row.id === 2 ? { ...row, amount: '9' } : row)));
  await screen.findByText('9');
  fireEvent.click(screen.getByText('看2'));
  expect(onOpen).toHaveBeenCalledWith({ id: 2, account: 'user-2', amount: '9' }, 5);
});
