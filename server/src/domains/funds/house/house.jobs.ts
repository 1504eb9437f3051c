import { compareAmounts } from '@hengtai/contract/values/money';
import type { App } from '../../../app/context.ts';
import { underLease } from '../../../app/lease.store.ts';
import { raiseAlarm } from '../../house/alarm/alarm.store.ts';
import { fetchLowInsurances, findInsuranceBound } from './house.store.ts';

/** Raises an alarm for each coin whose insurance is below the bound, unless one is open. People close it. */
export async function watchInsurance(app: App): Promise<boolean> {
  await underLease(app, 'house-insurance', async (db) => {
    const bound = await findInsuranceBound(db);
    if (compareAmounts(bound, '0') === 0) return;
    for (const { marketId, rootId, balance, value } of await fetchLowInsurances(db, bound))
      await raiseAlarm(db, {
        kind: 'house.insuranceLow',
        refType: 'house',
        refId: marketId,
        agentId: rootId,
        detail: { amount: balance, value, bound },
        cause: `market ${marketId}`,
        now: app.clock.now(),
      });
  });
  return false;
}
