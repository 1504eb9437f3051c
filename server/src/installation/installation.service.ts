import { CODE } from '@hengtai/contract/envelope';
import { IMPORT_NEAR_MS, IMPORT_SILENT_MS, installation as calls } from '@hengtai/contract/installation';
import type { FirstSteps, Importing, InstallationState } from '@hengtai/contract/installation.schema';
import { refusals } from '@hengtai/contract/refusals';
import { countCheckersBelow } from '../approval/checker.store.ts';
import { findLockedAt } from '../approval/four-eyes.store.ts';
import { recordAudit } from '../audit/audit.store.ts';
import type { App, Caller, Ctx } from '../context.ts';
import { inTransaction } from '../db/connect.ts';
import { defineAction } from '../http/action.ts';
import { refuse } from '../refuse.ts';
import { writeDemoSignals } from '../signal/demo-signal.store.ts';
import { type Moving, goLive, movingOf, stepsOf } from './installation.store.ts';

/** Whether the installation is live, and how far the history of a platform that moves in has come. */
export async function installationState(ctx: Ctx): Promise<InstallationState> {
  const moving = await movingOf(ctx.db);
  const live = moving.live === 1 ? 1 : 0;
  return { live, importing: live === 1 ? null : importing(moving, ctx) };
}

/** What the admin of a new installation has done of the first steps: facts, never what was clicked. */
export async function installationSteps(ctx: Ctx): Promise<FirstSteps> {
  if (!ctx.operator.top) throw refuse(refusals.forbidden);
  const { live, ...done } = await stepsOf(ctx);
  const { others } = await countCheckersBelow(ctx);
  const lock = (await findLockedAt(ctx.db)) !== null;
  return { ...done, otp: ctx.codes.on, second: others > 0, lock, live: live === 1 };
}

/** 上线: from now on no history is taken any more. There is no way back, and saying it twice changes nothing. */
export const installationLive = defineAction<object, InstallationState>({
  name: 'installation.live',
  call: calls.live,
  authorize: (ctx) => {
    if (!ctx.operator.top) throw refuse(refusals.forbidden);
  },
  execute: async (ctx) => {
    const moved = await goLive(ctx.db);
    return { data: { live: 1, importing: null }, before: { live: moved ? 0 : 1 }, after: { live: 1 } };
  },
});

/**
 * The simulator's own way to say 上线, at the end of its past; no other platform's program may. A demo then has prices, and gets
 * signals that its customers can follow.
 */
export async function platformLive(app: App, origin: Pick<Caller, 'requestId' | 'ip' | 'userAgent'>): Promise<void> {
  if (!app.platform.simulated) throw refuse(refusals.forbidden);
  await inTransaction(app.system, async (db) => {
    if (!(await goLive(db))) return;
    const who = { ...origin, operator: null, sessionId: null, now: app.clock.now() };
    await recordAudit(db, who, {
      action: 'installation.live',
      result: CODE.ok,
      before: { live: 0 },
      after: { live: 1 },
      reason: '模拟平台的历史已经导入',
    });
    await writeDemoSignals(db, who);
  });
}

/**
 * Told in the order of time, the newest event says how far the history has come. Near the present it is complete; a platform
 * that has fallen silent is not moving in.
 */
function importing({ from, reached, heard, events }: Moving, ctx: Ctx): Importing | null {
  if (from === null || reached === null || heard === null) return null;
  if (ctx.now - heard > IMPORT_SILENT_MS || ctx.now - reached < IMPORT_NEAR_MS) return null;
  const share = Math.min(Math.max((reached - from) / Math.max(ctx.now - from, 1), 0), 1);
  // How much the whole house has is nothing for those who see a part of it.
  return { from, reached, events: ctx.scope.kind === 'all' ? events : null, share: Math.round(share * 1e4) / 1e4 };
}
