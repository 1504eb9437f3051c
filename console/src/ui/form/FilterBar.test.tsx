// @vitest-environment happy-dom
import { ledgerEntry } from '@hengtai/contract/funds/ledger-entry/calls';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { FilterBar } from './FilterBar.tsx';

afterEach(cleanup);

const onQuery = vi.fn<(values: { filters: object }) => void>();

function open(filters: Readonly<Record<string, string | number>>) {
  onQuery.mockReset();
  const spec = ledgerEntry.record.list;
  return render(
    <FilterBar spec={spec} filters={filters} from={undefined} to={undefined} onQuery={onQuery} onReset={vi.fn()} />,
  );
}
const chosen = (container: Element, field: string): (string | null)[] =>
  [...container.querySelectorAll(`[data-field="${field}"] .ant-select-selection-item`)].map(
    ({ textContent }) => textContent,
  );
const remove = (container: Element, field: string) =>
  fireEvent.click(
    container.querySelector(`[data-field="${field}"] .ant-select-selection-item-remove`) ?? document.body,
  );
const query = () => {
  fireEvent.submit(screen.getByRole('search'));
  return onQuery.mock.lastCall?.[0].filters;
};

test('a filter with several values shows them, and writes one of them in the short form', () => {
  const { container } = open({ types: '8,1,7', states: '1,2', operator: 'admin' });
  expect(chosen(container, 'types')).toEqual(['人工扣减', '充值', '人工增加']);
  expect(chosen(container, 'states')).toEqual(['已核对', '存疑']);
  expect(query()).toEqual({ types: '8,1,7', states: '1,2', operator: 'admin' });
  remove(container, 'types');
  expect(query()).toMatchObject({ types: '1,7' });
  remove(container, 'types');
  expect(query()).toEqual({ type: '7', states: '1,2', operator: 'admin' });
  remove(container, 'types');
  expect(query()).toEqual({ states: '1,2', operator: 'admin' });
});

test('one value of an address is shown as the only chosen one; both forms mean what they have in common', () => {
  expect(chosen(open({ type: 27 }).container, 'types')).toEqual(['权益调整']);
  expect(query()).toEqual({ type: '27' });
  cleanup();
  expect(chosen(open({ type: 1, types: '1,7' }).container, 'types')).toEqual(['充值']);
});
