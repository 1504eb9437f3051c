import type { HandlersOf } from '../resources.ts';
import { planHalt, planPermission, planPermit, planResume, planSave } from './plan.service.ts';
import { listPlans } from './plan.store.ts';

export const planRoutes: HandlersOf<'plan'> = {
  list: listPlans,
  save: planSave,
  halt: planHalt,
  resume: planResume,
  permission: planPermission,
  permit: planPermit,
};
