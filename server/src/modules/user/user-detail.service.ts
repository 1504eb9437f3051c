import type { IdInput } from '@hengtai/contract/schema';
import { ABILITY } from '@hengtai/contract/ability';
import type { UserDetail } from '@hengtai/contract/user.schema';
import { fetchUserAudit } from '../audit/audit-list.store.ts';
import { type Ctx, can } from '../../core/context.ts';
import { lastFollows } from '../follow/follow.store.ts';
import { lastLedgerEntries } from '../ledger-entry/ledger-entry.store.ts';
import { lastFutures } from '../future/future.store.ts';
import { lastIeos } from '../ieo/ieo.store.ts';
import { lastTransfers } from '../internal-transfer/internal-transfer.store.ts';
import { lastRecharges } from '../recharge/recharge.store.ts';
import { lastBinaryContracts } from '../binary-contract/binary-contract.store.ts';
import { lastSpotOrders } from '../spot/spot.store.ts';
import { findCredentials, findDeposits } from '../withdraw/withdraw-detail.store.ts';
import { lastWithdraws } from '../withdraw/withdraw.store.ts';
import { findTotals, lastDevices, lastLogins } from './user-detail.store.ts';
import { lastNotes } from './user-note.store.ts';
import { type OpenProbe, findOpenItems } from './user-open.store.ts';
import { mustFind, rowOf } from './user.rules.ts';
import { findAssets } from './user.store.ts';

const RECENT = 10;

/**
 * The detail of one user: balances, latest records, notes and audit rows.
 *
 * @throws Refused 404 for a user that is deleted or outside the operator's scope
 */
export const userDetail =
  (probes: readonly OpenProbe[]) =>
  async (ctx: Ctx, { id }: IdInput): Promise<UserDetail> => {
    const user = await mustFind(ctx, id);
    const auditsShown = can(ctx.operator, ABILITY.audit);
    const open = await findOpenItems(ctx.db, probes, id);
    return {
      row: rowOf(user),
      assets: await findAssets(ctx, id, undefined),
      totals: await findTotals(ctx, id),
      deposits: await findDeposits(ctx, id),
      recharges: await lastRecharges(ctx, id, RECENT),
      withdraws: await lastWithdraws(ctx, id, RECENT),
      ieos: await lastIeos(ctx, id, RECENT),
      funds: await lastLedgerEntries(ctx, id, RECENT),
      transfers: await lastTransfers(ctx, id, RECENT),
      trades: await lastSpotOrders(ctx, id, RECENT),
      contracts: await lastBinaryContracts(ctx, id, RECENT),
      futures: await lastFutures(ctx, id, RECENT),
      follows: await lastFollows(ctx, id, RECENT),
      logins: await lastLogins(ctx, id, RECENT),
      devices: await lastDevices(ctx, id, RECENT),
      credentials: await findCredentials(ctx, id),
      notes: await lastNotes(ctx, id, RECENT),
      audits: auditsShown ? await fetchUserAudit(ctx, id, RECENT) : [],
      auditsShown,
      deletable: open.length === 0,
      open,
    };
  };
