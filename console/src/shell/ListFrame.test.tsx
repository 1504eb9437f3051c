// @vitest-environment happy-dom
import { withdraw } from '@hengtai/contract/withdraw';
import type { Me } from '@hengtai/contract/session.schema';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type * as Antd from 'antd';
import { App } from 'antd';
import { Children } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useList } from '../api/list.ts';
import { MeContext } from '../api/me.ts';
import { queryClient } from '../api/query-client.ts';
import { GreyedAction } from '../ui/GreyedAction.tsx';
import { colOf } from '../ui/columns.ts';
import { ListFrame } from './ListFrame.tsx';
import { TabContext } from './page-route.ts';
import type { Tab } from './tabs.ts';

// Rows are drawn in slices, which give way to whatever else the machine has to do.
configure({ asyncUtilTimeout: 60_000 });

type Row = { id: number; account: string; amount: string };

/** What was drawn since it was last looked at: `account 3`, or `button`. */
let drawn: string[] = [];
/** Rows of which the kit drew a cell once more. */
let again: number[] = [];
const since = () => {
  const seen = drawn.toSorted();
  drawn = [];
  return seen;
};

vi.mock('antd', async (load) => {
  const antd = await load<typeof Antd>();
  const Button = (props: React.ComponentProps<typeof antd.Button>) => {
    const [words] = Children.toArray(props.children);
    if (typeof words === 'string' && words.startsWith('看')) drawn.push('button');
    return <antd.Button {...props} />;
  };
  // The kit asks a column this whenever it draws one of its cells once more.
  const shouldCellUpdate = ({ id }: { id: number }) => {
    again.push(id);
    return true;
  };
  const Table = ({ columns, ...props }: React.ComponentProps<typeof antd.Table<{ id: number }>>) => (
    <antd.Table {...props} columns={columns?.map((column) => ({ ...column, shouldCellUpdate })) ?? []} />
  );
  return { ...antd, Button, Table };
});

let answer: { list: Row[]; total: number };
const rows = (...ids: number[]): Row[] => ids.map((id) => ({ id, account: `user-${id}`, amount: `${id}.5` }));
const said = (data: unknown) => new Response(JSON.stringify({ code: 200, msg: '', data }));

beforeEach(() => {
  drawn = [];
  answer = { list: rows(3, 2, 1), total: 3 };
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.includes(withdraw.list.path)) return said(answer);
    return said(url.includes('view/counts') ? { built: [], saved: [] } : []);
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
      drawn.push(`account ${value}`);
      return value;
    },
  }),
  col('amount', {
    title: '数量',
    width: 100,
    render: (value, row) => {
      drawn.push(`amount ${row.id}`);
      return value;
    },
  }),
];

function Page({ onOpen, turn }: { onOpen: (row: Row, turn: number) => void; turn: number }) {
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
          <GreyedAction why={undefined} onClick={() => onOpen(row, turn)}>
            {`看${row.id}`}
          </GreyedAction>
        ),
      }}
    />
  );
}

const tab = { key: '/withdraw', search: '', params: {}, gen: 0, pinned: false, title: '提现' } as unknown as Tab;
const me = { id: 1, account: 'admin', top: true, abilities: [] } as unknown as Me;
const opened = vi.fn();
const pageOf = (turn: number) => (
  <QueryClientProvider client={queryClient}>
    <MeContext value={me}>
      <TabContext value={tab}>
        <App>
          <Page onOpen={opened} turn={turn} />
        </App>
      </TabContext>
    </MeContext>
  </QueryClientProvider>
);

/** A silent refresh, until what it brought is on screen: each answer has a total of its own. */
async function readAgain(list: Row[]) {
  answer = { list, total: answer.total + 1 };
  await act(() => queryClient.refetchQueries({ queryKey: [withdraw.list.path] }));
  await screen.findByText(`共 ${answer.total} 条`);
}

async function shown() {
  const page = render(pageOf(0));
  await screen.findByText('user-1');
  expect(since().filter((one) => one !== 'button')).toEqual([
    'account user-1',
    'account user-2',
    'account user-3',
    'amount 1',
    'amount 2',
    'amount 3',
  ]);
  return page;
}

test('a silent refresh draws the cells whose values changed and nothing else', async () => {
  await shown();
  await readAgain(rows(3, 2, 1));
  expect(since()).toEqual([]);

  await readAgain(rows(3, 2, 1).map((row) => (row.id === 2 ? { ...row, amount: '7' } : row)));
  await screen.findByText('7');
  // The account of row 2 is what it was; the amount of a row may be drawn from all of the row.
  expect(since()).toEqual(['amount 2']);
});

test('a row that comes or goes leaves the others as they are', async () => {
  await shown();
  await readAgain(rows(3, 1));
  await waitFor(() => expect(screen.queryByText('user-2')).toBeNull());
  expect(since()).toEqual([]);

  await readAgain(rows(3, 1, 0));
  await screen.findByText('user-0');
  expect(since()).toEqual(['account user-0', 'amount 0', 'button']);
});

test('choosing a row draws no row again, and a page that is drawn again draws none either', async () => {
  const page = await shown();
  fireEvent.click(screen.getByLabelText('选择 2'));
  await screen.findByText('已选 1 条');
  page.rerender(pageOf(1));
  expect(since()).toEqual([]);
});

test('a long list that is scrolled draws the rows that come into sight and no other', async () => {
  answer = { list: rows(...Array.from({ length: 150 }, (_, i) => 150 - i)), total: 150 };
  const { container } = render(pageOf(0));
  await screen.findByText('user-150');
  const holder = container.querySelector('.ant-table-tbody-virtual-holder');
  if (!holder) throw new Error('the table is not virtual');
  const scroll = (top: number) => {
    holder.scrollTop = top;
    fireEvent.scroll(holder);
  };
  // With the first ones the fixed columns get to know how far the table goes.
  [40, 80].forEach(scroll);
  again = [];
  [120, 160, 4_000].forEach(scroll);
  await screen.findByText('user-44');
  expect(again).toEqual([]);
  expect(screen.queryByText('user-150')).toBeNull();

  const box = screen.getByLabelText('选择 44');
  fireEvent.click(box);
  await screen.findByText('已选 1 条');
  expect(box).toHaveProperty('checked', true);
});

test('what is clicked is done by the latest page to the latest row', async () => {
  const page = await shown();
  page.rerender(pageOf(5));
  await readAgain(rows(3, 2, 1).map((row) => (row.id === 2 ? { ...row, amount: '9' } : row)));
  await screen.findByText('9');
  fireEvent.click(screen.getByText('看2'));
  expect(opened).toHaveBeenCalledWith({ id: 2, account: 'user-2', amount: '9' }, 5);
});
