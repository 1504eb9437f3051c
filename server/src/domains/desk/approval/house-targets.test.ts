import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { provideServer } from '../../../../test/server.ts';
import { HOUSE_TARGETS } from '../../../actions/approval.store.ts';

const server = provideServer({ jobs: false });

test('row-level security lets every approver see the same house-wide requests as the application', async () => {
  const policies = await server.query(sql<{ condition: string }>`
    select qual as condition from pg_policies
    where tablename = 'approval' and policyname in ('house_requests', 'house_requests_update')`);
  const targets = policies.map(({ condition }) =>
    [...(/target_type = ANY \(ARRAY\[([^\]]*)\]/.exec(condition)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(
      ([, target]) => target,
    ),
  );
  expect(targets).toEqual([HOUSE_TARGETS, HOUSE_TARGETS]);
});
