// @vitest-environment happy-dom
import { withdraw } from '@hengtai/contract/funds/withdraw/calls';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setNavigate } from '../navigation/open-path.ts';
import { TabContext } from '../navigation/page-route.ts';
import { setPages } from '../navigation/page-table.ts';
import { useTabs } from '../navigation/tabs.ts';
import { pages } from '../app/pages.ts';
import { TableFoot } from '../ui/table/TableFoot.tsx';
import { preferences } from '../ui/browser/preferences.ts';
import { useListAddress } from './use-list-address.ts';

const visit = (path: string) => {
  const { pathname, search } = new URL(path, 'http://console');
  useTabs.getState().visit({ pathname, search });
};

function List() {
  const { state, go, autoSize } = useListAddress(withdraw.list.list);
  return (
    <TableFoot
      rows={[]}
      fields={undefined}
      counted={undefined}
      grouped={undefined}
      page={state.page}
      size={state.size}
      autoSize={autoSize}
      total={300}
      onPage={(page, size) => go({ page, size })}
    />
  );
}

function ActiveList() {
  const tab = useTabs(({ tabs, active }) => tabs.find(({ key }) => key === active));
  return (
    tab && (
      <TabContext value={tab}>
        <List />
      </TabContext>
    )
  );
}

beforeEach(() => {
  setPages(pages);
  setNavigate(visit);
});
afterEach(() => {
  cleanup();
  preferences.close();
  localStorage.clear();
});

/** The query of a list that is opened for the first time. */
function openList(query = ''): string {
  cleanup();
  useTabs.setState({ tabs: [], active: null, mounted: [], closed: [], guarded: {} });
  visit(`/withdraw${query}`);
  render(<ActiveList />);
  return search();
}
const search = () => useTabs.getState().tabs[0]?.search ?? '';
const sizeShown = () => document.querySelector('.ht-table-pages .ant-select')?.textContent;

async function choose(label: string) {
  fireEvent.mouseDown(screen.getByLabelText('每页条数'));
  fireEvent.click(await screen.findByTitle(label));
}

// In the second window as many rows fit as the default has.
test.each([
  [900, 11],
  [808, 10],
])('a window of %i px opens lists with ten rows, or with %i once 自动 was chosen', async (innerHeight, fits) => {
  window.innerHeight = innerHeight;
  expect([openList(), sizeShown()]).toEqual(['?size=10', '10 条/页']);
  await choose('50 条/页');
  expect(search()).toBe('?size=50');
  expect(openList()).toBe('?size=10');

  await choose(`自动 ${fits} 条/页`);
  expect([search(), sizeShown()]).toEqual([`?size=${fits}`, `自动 ${fits} 条/页`]);
  expect([openList(), sizeShown()]).toEqual([`?size=${fits}`, `自动 ${fits} 条/页`]);
  // Another size is that of its tab.
  await choose('20 条/页');
  expect([search(), sizeShown()]).toEqual(['?size=20', '20 条/页']);
  expect(openList()).toBe(`?size=${fits}`);
  expect(openList('?size=100')).toBe('?size=100');

  await choose('10 条/页');
  expect([openList(), sizeShown()]).toEqual(['?size=10', '10 条/页']);
});
