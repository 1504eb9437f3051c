// @module-tag soak
import { ASSET } from '@hengtai/contract/funds/asset/calls';
import { type AssetAction } from '@hengtai/contract/funds/asset/facts';
import type { AssetPreview } from '@hengtai/contract/funds/asset/schema';
import { systemAccountLabels } from '@hengtai/contract/values/money';
import type { LedgerLine, WithdrawDetail, WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findUser, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { formatUnits, parseUnits } from '../../../../test/ledger-model.ts';
import { setPolicy } from '../../../../test/inspect.ts';
import { apply, call, fetchData, login, provideServer } from '../../../../test/server.ts';
import { checkBook } from '../../../books/ledger/check.ts';
import { sized } from '../../../../../testing/level.ts';

const server = provideServer({ jobs: false });
let admin: string;

beforeAll(async () => {
  admin = await login(server);
});
beforeEach(async () => {
  for (const policy of ['asset.active', 'asset.frozen', 'withdraw.pass', 'withdraw.refund'] as const)
    await setPolicy(server, policy, 0);
});

const PATHS: Readonly<Record<AssetAction, string>> = {
  1: 'active/add',
  2: 'active/sub',
  3: 'frozen/add',
  4: 'frozen/sub',
};

interface AccountKey {
  userId: number;
  marketId: number;
  platform: 1 | 2 | 3 | 4;
}

const previewOf = async (key: AccountKey, action: AssetAction, amount?: string) =>
  await fetchData<AssetPreview>(server, admin, 'asset/preview', {
    ...key,
    action,
    ...(amount === undefined ? {} : { amount }),
  });

/** Entries after an id, in the form of a preview: only entries of users have balances. */
async function postedAfter(id: number): Promise<LedgerLine[]> {
  const rows = await server.query(sql<Omit<LedgerLine, 'before'> & { house: string; before: string }>`
    select coalesce(u.account, a.owner) as owner, a.owner as house, e.platform, e.bucket, m.market_name as "marketName",
      e.type, e.amount, e.balance - e.amount as before, e.balance
    from entry e join account a on a.id = e.account_id join market m on m.id = e.market_id
    left join users u on u.id = e.user_id where e.id > ${id} order by e.id`);
  const labels: Readonly<Record<string, string>> = systemAccountLabels;
  return rows.map(({ house, ...line }) =>
    house === 'user' ? line : { ...line, owner: labels[house] ?? '', before: null, balance: null },
  );
}

async function lastEntry(): Promise<number> {
  const [row] = await server.query(sql<{ id: number }>`select coalesce(max(id), 0) as id from entry`);
  return row?.id ?? 0;
}

type Step =
  | { kind: 'adjust'; action: AssetAction; platform: 1 | 2; marketId: 1 | 2; amount: bigint }
  | { kind: 'withdraw'; amount: bigint; fee: bigint; decision: 'pass' | 'reject' | 'refund' };

/** From one unit of the last decimal to millions, also whole numbers. */
const amount = fc.oneof(
  fc.bigInt(1n, 9n),
  fc.bigInt(1n, 2_000_000n * 10n ** 18n),
  fc.bigInt(1n, 500n).map((whole) => whole * 10n ** 18n),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('adjust' as const),
      action: fc.constantFrom<AssetAction>(1, 2, 3, 4),
      platform: fc.constantFrom<1 | 2>(1, 2),
      marketId: fc.constantFrom<1 | 2>(1, 2),
      amount,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('withdraw' as const),
      amount: fc.bigInt(10n ** 18n, 10n ** 19n),
      fee: fc.oneof(fc.constant(0n), fc.bigInt(1n, 10n ** 18n - 1n)),
      decision: fc.constantFrom<'pass' | 'reject' | 'refund'>('pass', 'reject', 'refund'),
    }),
  },
);

class Run {
  readonly userId: number;
  readonly account: string;
  readonly counts = { posted: 0, refused: 0 };

  constructor(userId: number, account: string) {
    this.userId = userId;
    this.account = account;
  }

  async apply(next: Step): Promise<void> {
    if (next.kind === 'adjust') await this.adjust(next);
    else await this.withdraw(next);
  }

  private async adjust({ action, platform, marketId, amount: size }: Step & { kind: 'adjust' }): Promise<void> {
    const key = { userId: this.userId, marketId, platform };
    const preview = await previewOf(key, action, formatUnits(size));
    const { available } = await previewOf(key, action);
    expect(available).toBe(preview.available);
    const lastId = await lastEntry();
    const input = { ...key, amount: formatUnits(size), state: 0, reason: '对账' };
    const answer = await call(server, 'POST', `asset/${PATHS[action]}`, input, { token: admin });
    const posted = await postedAfter(lastId);
    expect([preview.refusal, preview.lines]).toEqual([answer.code === 200 ? null : answer.msg, posted]);
    expect(answer.code).toBe(available === null || size <= parseUnits(available) ? 200 : 422);
    this.counts[answer.code === 200 ? 'posted' : 'refused'] += 1;
  }

  /** Checks the preview of the withdrawal's detail; an adjustment runs between the request and the decision. */
  private async withdraw({ amount: size, fee, decision }: Step & { kind: 'withdraw' }): Promise<void> {
    const money = { amount: formatUnits(size), fee: formatUnits(fee) };
    const active = (await previewOf({ userId: this.userId, marketId: 1, platform: 1 }, ASSET.activeSub)).available;
    if (active === null || parseUnits(active) < size) return;
    const row = await makeWithdraw(server, admin, this.account, money);
    await this.adjust({ kind: 'adjust', action: ASSET.frozenSub, platform: 1, marketId: 1, amount: size });
    const { data } = await call<WithdrawDetail>(server, 'GET', 'withdraw/detail', { id: row.id }, { token: admin });
    const lastId = await lastEntry();
    await this.decide(row, decision);
    const lines = decision === 'pass' ? data.preview.pass : data.preview.reject;
    // A refund posts the same amounts as a rejection but with its own type.
    const expected = decision === 'refund' ? lines.map((line) => ({ ...line, type: 3 })) : lines;
    expect(await postedAfter(lastId)).toEqual(expected);
    this.counts.posted += 1;
  }

  private async decide(row: WithdrawRow, decision: 'pass' | 'reject' | 'refund'): Promise<void> {
    const operation = (path: string) =>
      call(server, 'POST', `withdraw/${path}`, { id: row.id, reason: '核对' }, { token: admin });
    if (decision === 'reject') return void (await operation('reject'));
    await operation('pass');
    if (decision === 'pass') await apply(server, { type: 'withdraw.paid', data: { no: row.no, txHash: '0x1' } });
    else {
      await apply(server, { type: 'withdraw.failed', data: { no: row.no } });
      await operation('refund');
    }
  }
}

test('the preview equals the posted entries in every decimal and refuses what the action refuses', async () => {
  const counts = { posted: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 18, size: 'max' }), async (steps) => {
      const account = await makeUser(server, { amount: '900.000000000000000007' });
      const run = new Run((await findUser(server, admin, account)).id, account);
      for (const next of steps) await run.apply(next);
      counts.posted += run.counts.posted;
      counts.refused += run.counts.refused;
      expect(await checkBook(server.owner)).toEqual([]);
    }),
    { numRuns: sized({ full: 8, long: 100 }) },
  );
  expect(counts.posted).toBeGreaterThan(20);
  expect(counts.refused).toBeGreaterThan(5);
});

describe('asset/preview', () => {
  const makeAccount = async (money = '100'): Promise<AccountKey> => {
    const account = await makeUser(server, { amount: money });
    return { userId: (await findUser(server, admin, account)).id, marketId: 1, platform: 1 };
  };

  test('without an amount returns only the available amount', async () => {
    const key = await makeAccount();
    await call(
      server,
      'POST',
      'asset/frozen/add',
      { ...key, amount: '30', state: 0, reason: '核查' },
      { token: admin },
    );
    const none = { lines: [], valuation: null, pricedAt: null, priceOld: false, needsApproval: false, refusal: null };
    expect(await previewOf(key, ASSET.activeAdd)).toEqual({ ...none, available: null });
    expect(await previewOf(key, ASSET.activeSub)).toEqual({ ...none, available: '70' });
    expect(await previewOf(key, ASSET.frozenAdd)).toEqual({ ...none, available: '70' });
    expect(await previewOf(key, ASSET.frozenSub)).toEqual({ ...none, available: '30' });
  });

  test('shows whether a checker is needed and refuses while an approval is open', async () => {
    await setPolicy(server, 'asset.active', 2, '1000');
    const key = await makeAccount('5000');
    expect(await previewOf(key, ASSET.activeSub, '1000')).toMatchObject({ needsApproval: false, valuation: '1000' });
    expect(await previewOf(key, ASSET.activeSub, '1000.01')).toMatchObject({ needsApproval: true, refusal: null });
    const input = { ...key, amount: '2000', state: 0, reason: '更正' };
    expect((await call(server, 'POST', 'asset/active/sub', input, { token: admin })).code).toBe(202);
    const again = await previewOf(key, ASSET.activeSub, '1000.01');
    expect(again).toMatchObject({ needsApproval: true, refusal: '该操作已有待复核的申请', lines: [] });
    expect(await previewOf(key, ASSET.activeSub, '10')).toMatchObject({ needsApproval: false, refusal: null });
    const other = await makeOperator(server, admin, { abilities: [2, 13] });
    const data = await fetchData<AssetPreview>(server, other.token, 'asset/preview', {
      ...key,
      action: 1,
      amount: '900',
    });
    expect(data).toMatchObject({ needsApproval: false, lines: [{ owner: '人工调账' }, { before: '5000' }] });
  });

  test('answers 422 for an unknown market', async () => {
    const key = await makeAccount();
    const answer = await call(server, 'GET', 'asset/preview', { ...key, marketId: 999, action: 1 }, { token: admin });
    expect(answer).toMatchObject({ code: 422, data: [{ field: 'marketId' }] });
  });
});
