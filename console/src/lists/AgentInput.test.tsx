// @vitest-environment happy-dom
import { agent } from '@hengtai/contract/people/agent/calls';
import { withdraw } from '@hengtai/contract/funds/withdraw/calls';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { FilterBar } from '../ui/form/FilterBar.tsx';
import { AgentInput } from './AgentInput.tsx';

// Rendering takes long on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

const AGENTS = ['Hangzhou', 'Suzhou', 'Guangzhou.2'];
let asked: (string | null)[] = [];

beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', async (address: string) => {
    const url = new URL(address, 'http://console');
    if (!url.pathname.endsWith(agent.list.path)) throw new Error(`unexpected call ${address}`);
    const text = url.searchParams.get('account');
    asked.push(text);
    const list = AGENTS.filter((account) => account.toLowerCase().includes(text ?? '')).map((account) => ({ account }));
    return new Response(JSON.stringify({ code: 200, msg: '', data: { list, total: list.length } }));
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

function renderFilters() {
  const onQuery = vi.fn();
  render(
    <QueryClientProvider client={queryClient}>
      <FilterBar
        spec={withdraw.list.list}
        filters={{}}
        from={undefined}
        to={undefined}
        Suggest={AgentInput}
        onQuery={onQuery}
        onReset={vi.fn()}
      />
    </QueryClientProvider>,
  );
  return { onQuery, input: screen.getByLabelText('所属代理') };
}

const type = (input: HTMLElement, value: string) => {
  fireEvent.mouseDown(input);
  fireEvent.focus(input);
  fireEvent.change(input, { target: { value } });
};

test('a part of an account offers the agents that match, and the chosen one filters at once', async () => {
  const { onQuery, input } = renderFilters();
  type(input, 'zhou');
  await screen.findByText('Guangzhou.2');
  expect(asked).toEqual(['zhou']);
  fireEvent.click(screen.getByText('Suzhou'));
  expect(onQuery).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ filters: { agent: 'Suzhou' } }));
});

test('Enter filters by the part itself', async () => {
  const { onQuery, input } = renderFilters();
  type(input, 'gzhou');
  await screen.findByText('Hangzhou');
  fireEvent.keyDown(input, { key: 'Enter' });
  fireEvent.submit(input);
  expect(onQuery).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ filters: { agent: 'gzhou' } }));
});
