import type { IdInput } from '@hengtai/contract/wire/schema';
import { ABILITY } from '@hengtai/contract/authority/ability';
import type { UserDetail } from '@hengtai/contract/people/user/schema';
import { type Ctx, can } from '../../../app/context.ts';
import {
  type LastOfUser,
  findCredentials,
  findDeposits,
  findTotals,
  fetchLastDevices,
  fetchLastLogins,
} from './user-detail.store.ts';
import { lastNotes } from './user-note.store.ts';
import { type OpenProbe, findOpenItems } from './user-open.store.ts';
import { mustFind, rowOf } from './user.steps.ts';
import { findAssets } from './user.store.ts';

const RECENT = 10;

/**
 * The detail of one user: balances, latest records, notes and audit rows.
 *
 * @throws Refused 404 for a user that is deleted or outside the operator's scope
 */
export const userDetail =
  (probes: readonly OpenProbe[], lastOfUser: LastOfUser) =>
  async (ctx: Ctx, { id }: IdInput): Promise<UserDetail> => {
    const user = await mustFind(ctx, id);
    const last = <K extends keyof LastOfUser>(field: K) => lastOfUser[field](ctx, id, RECENT);
    const open = await findOpenItems(ctx.db, probes, id);
    return {
      row: rowOf(user),
      assets: await findAssets(ctx, id, undefined),
      totals: await findTotals(ctx, id),
      deposits: await findDeposits(ctx, id),
      recharges: await last('recharges'),
      withdraws: await last('withdraws'),
      ieos: await last('ieos'),
      funds: await last('funds'),
      transfers: await last('transfers'),
      trades: await last('trades'),
      contracts: await last('contracts'),
      futures: await last('futures'),
      follows: await last('follows'),
      logins: await fetchLastLogins(ctx, id, RECENT),
      devices: await fetchLastDevices(ctx, id, RECENT),
      credentials: await findCredentials(ctx, id),
      notes: await lastNotes(ctx, id, RECENT),
      audits: await last('audits'),
      auditsShown: can(ctx.operator, ABILITY.audit),
      deletable: open.length === 0,
      open,
    };
  };
