import type { HandlersOf } from '../../resources.ts';
import {
  priceProtectionHalt,
  priceProtectionPermission,
  priceProtectionPermit,
  priceProtectionResume,
  priceProtectionSave,
} from './price-protection.service.ts';
import { listPriceProtections } from './price-protection.store.ts';

export const priceProtectionRoutes: HandlersOf<'plan'> = {
  list: listPriceProtections,
  save: priceProtectionSave,
  halt: priceProtectionHalt,
  resume: priceProtectionResume,
  permission: priceProtectionPermission,
  permit: priceProtectionPermit,
};
