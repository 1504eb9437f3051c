import { CODE } from '@hengtai/contract/wire/envelope';
import { IMPORT_NEAR_MS, IMPORT_SILENT_MS, installation as calls } from '@hengtai/contract/desk/installation/calls';
import type { FirstSteps, Importing, InstallationState } from '@hengtai/contract/desk/installation/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { countCheckersBelow } from '../../../authority/checker.store.ts';
import { findLockedAt } from '../../../actions/four-eyes.store.ts';
import { recordAudit } from '../../../actions/audit.store.ts';
import type { App, Caller, Ctx } from '../../../app/context.ts';
import { inTransaction } from '../../../database/connect.ts';
import { defineAction } from '../../../actions/action.ts';
import { refuse } from '../../../app/refuse.ts';
import { writeDemoAnnouncements } from '../announce/demo-announce.store.ts';
import { writeDemoSignals } from '../../trading/signal/demo-signal.store.ts';
import { goLive, findFirstSteps } from './installation.store.ts';
import { type ImportProgress, fetchImportProgress } from '../../../gateway/import-progress.store.ts';

/** Whether the installation is live, and the progress of the import of a platform's history. */
export async function installationState(ctx: Ctx): Promise<InstallationState> {
  const progress = await fetchImportProgress(ctx.db);
  const live = progress.live === 1 ? 1 : 0;
  return { live, importing: live === 1 ? null : importProgress(progress, ctx) };
}

/**
 * Which first steps of a new installation are done, derived from the data and not from clicks.
 *
 * @throws Refused 403 for operators other than the top-level admin
 */
export async function installationSteps(ctx: Ctx): Promise<FirstSteps> {
  if (!ctx.operator.top) throw refuse(refusals.forbidden);
  const { live, ...done } = await findFirstSteps(ctx);
  const { others } = await countCheckersBelow(ctx);
  const lock = (await findLockedAt(ctx.db)) !== null;
  return { ...done, otp: ctx.factors.hasFactor, second: others > 0, lock, live: live === 1 };
}

/** 上线 (go live): history events are rejected from now on. Irreversible and idempotent. */
export const installationLive = defineAction<object, InstallationState>({
  call: calls.live,
  authorize: (ctx) => {
    if (!ctx.operator.top) throw refuse(refusals.forbidden);
  },
  execute: async (ctx) => {
    const isLive = await goLive(ctx.db);
    return { data: { live: 1, importing: null }, before: { live: isLive ? 0 : 1 }, after: { live: 1 } };
  },
});

/**
 * Goes live when the simulator has sent its history, and adds demo signals, which need the prices of that history,
 * and demo announcements.
 *
 * @throws Refused 403 for a platform that is not simulated
 */
export async function platformLive(app: App, origin: Pick<Caller, 'requestId' | 'ip' | 'userAgent'>): Promise<void> {
  if (!app.platform.simulated) throw refuse(refusals.forbidden);
  await inTransaction(app.system, async (db) => {
    if (!(await goLive(db))) return;
    const caller = { ...origin, operator: null, sessionId: null, now: app.clock.now() };
    await recordAudit(db, caller, {
      action: 'installation.live',
      result: CODE.ok,
      before: { live: 0 },
      after: { live: 1 },
      reason: '模拟平台的历史已经导入',
    });
    await writeDemoSignals(db, caller);
    await writeDemoAnnouncements(db, caller);
  });
}

/**
 * The progress of the import: events arrive in order of time, so the newest one shows how far it is. null if the newest
 * is near the present (complete) or the platform has sent nothing for a while.
 */
function importProgress({ from, reached, heard, events }: ImportProgress, ctx: Ctx): Importing | null {
  if (from === null || reached === null || heard === null) return null;
  if (ctx.now - heard > IMPORT_SILENT_MS || ctx.now - reached < IMPORT_NEAR_MS) return null;
  const share = Math.min(Math.max((reached - from) / Math.max(ctx.now - from, 1), 0), 1);
  // The total number of events is shown only with full scope.
  return { from, reached, events: ctx.scope.kind === 'all' ? events : null, share: Math.round(share * 1e4) / 1e4 };
}
