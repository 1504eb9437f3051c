import type { AutoBudget, AutoCoin, AutoDecision } from '@hengtai/contract/risk/auto-payout/schema';
import type { WithdrawDetail } from '@hengtai/contract/funds/withdraw/schema';
import { type ApiResponse, type TestServer, call } from './server.ts';

/** A budget that passes everything a test requests. */
export const wideBudget: AutoBudget = {
  on: true,
  dayAmount: '1000000',
  dayCount: 1_000_000,
  userDayAmount: '1000000',
  largestUnverified: '1000000',
  largestBasic: '1000000',
  largestAdvanced: '1000000',
  firstByHand: false,
  reviewPercent: 0,
};

export const fetchCoin = async (server: TestServer, token: string, marketId = 1): Promise<AutoCoin | undefined> => {
  const { data } = await call<AutoCoin[]>(server, 'GET', 'withdraw/auto/list', {}, { token });
  return data.find((coin) => coin.marketId === marketId);
};

/** The input that changes the budget of a coin as it is now. */
export async function budgetInput(
  server: TestServer,
  token: string,
  budget: Partial<AutoBudget> = {},
  marketId = 1,
): Promise<object> {
  const coin = await fetchCoin(server, token, marketId);
  return { ...wideBudget, ...budget, marketId, ...(coin && { seen: coin.updatedAt }) };
}

export async function saveBudget(
  server: TestServer,
  token: string,
  budget: Partial<AutoBudget> = {},
  marketId = 1,
): Promise<ApiResponse<AutoCoin>> {
  const input = await budgetInput(server, token, budget, marketId);
  return call<AutoCoin>(server, 'POST', 'withdraw/auto/save', input, { token });
}

/** Starts a coin that was stopped, by default after a look at all its open causes. */
export async function startCoin(
  server: TestServer,
  token: string,
  marketId = 1,
  looked?: number[],
): Promise<ApiResponse<AutoCoin>> {
  const coin = await fetchCoin(server, token, marketId);
  const causes = looked ?? coin?.causes?.map(({ id }) => id) ?? [];
  const input = { marketId, seen: coin?.updatedAt ?? 0, causes, reason: '已处理' };
  return call<AutoCoin>(server, 'POST', 'withdraw/auto/start', input, { token });
}

export const fetchDecision = async (server: TestServer, token: string, id: number): Promise<AutoDecision | null> =>
  (await call<WithdrawDetail>(server, 'GET', 'withdraw/detail', { id }, { token })).data.auto;
