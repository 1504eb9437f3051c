import type { App } from '../app/context.ts';
import { fetchReportZone } from '../books/lists/report-zone.ts';
import { findUnfitZones, offeredZones } from '../books/lists/zone-agreement.ts';

/** Compares the zones that can be chosen for reports with the database, and warns if they differ on the one in force. */
export async function checkZones(app: Pick<App, 'system' | 'clock' | 'log'>): Promise<void> {
  const now = app.clock.now();
  const zone = await fetchReportZone(app.system, now);
  const unfit = await findUnfitZones(app.system, [...new Set([zone, ...offeredZones()])], now);
  if (unfit.length > 0) app.log.info({ zones: unfit }, 'Node.js and the database differ on these time zones');
  if (unfit.includes(zone))
    app.log.warn({ zone }, 'Node.js and the database differ on the report zone: update both, or choose another zone');
}
