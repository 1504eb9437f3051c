import { SNAPSHOT_MAX } from '@hengtai/contract/gateway/gateway';
import type { platformReads } from '@hengtai/contract/gateway/reads.schema';
import type { SnapshotQuery } from '@hengtai/contract/gateway/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { Static } from '@sinclair/typebox';
import type { App } from '../../../app/context.ts';
import { refuse } from '../../../app/refuse.ts';
import { CallRefused } from '../../../gateway/call-refused.ts';
import type { PlatformScope } from '../../../gateway/platform-scope.ts';
import {
  type BalanceKey,
  fetchSnapshotPage,
  findLastEntry,
  waitForWriters,
} from '../../../books/ledger/balance-snapshot.ts';

/** Writers give up a lock after two or three seconds, so a wait is longer only in an overload. */
const WAIT_MAX_MS = 4_000;

/** A page of the balances of all users of a platform as of one ledger entry, by default the last one. All pages of an entry agree. */
export async function readSnapshot(
  { system }: App,
  { fact, after, limit = SNAPSHOT_MAX }: Static<typeof SnapshotQuery>,
  { id: platformId }: PlatformScope,
): Promise<Static<typeof platformReads.snapshot>> {
  const last = await findLastEntry(system);
  if (fact !== undefined && fact > last) {
    const msg = `/fact: at most ${last}, the last entry`;
    throw new CallRefused('invalid', [{ field: 'fact', msg }], msg);
  }
  const entryId = fact ?? last;
  if (!(await waitForWriters(system, WAIT_MAX_MS))) throw refuse(refusals.unavailable);
  const lines = await fetchSnapshotPage(system, entryId, { platformId, after: parseCursor(after), limit });
  const end = lines.length < limit ? undefined : lines.at(-1);
  return {
    fact: entryId,
    balances: lines.flatMap(({ account, market, platform, active, frozen }) =>
      active === null && frozen === null
        ? []
        : [{ account, market, platform, active: active ?? '0', frozen: frozen ?? '0' }],
    ),
    next: end ? `${end.userId}-${end.marketId}-${end.platform}` : null,
  };
}

function parseCursor(after = '0-0-0'): BalanceKey {
  const [userId = 0, marketId = 0, platform = 0] = after.split('-').map(Number);
  return { userId, marketId, platform };
}
