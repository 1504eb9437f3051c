import type { Module } from '../../module.ts';
import { priceProtectionHalts } from './halt.service.ts';
import { guardBands } from './price-protection-guard.steps.ts';
import { resumeOverdue } from './price-protection.jobs.ts';
import {
  priceProtectionHalt,
  priceProtectionPermission,
  priceProtectionPermit,
  priceProtectionResume,
  priceProtectionSave,
} from './price-protection.service.ts';
import { listPriceProtections } from './price-protection.store.ts';
import { priceProtectionWaiting } from './price-protection-waiting.store.ts';

export const priceProtectionModule = {
  routes: {
    list: listPriceProtections,
    save: priceProtectionSave,
    halts: priceProtectionHalts,
    halt: priceProtectionHalt,
    resume: priceProtectionResume,
    permission: priceProtectionPermission,
    permit: priceProtectionPermit,
  },
  jobs: [{ name: 'resume-markets', everyMs: 1_000, run: resumeOverdue }],
  guardTicks: guardBands,
  waiting: priceProtectionWaiting,
} satisfies Module<'plan'>;
