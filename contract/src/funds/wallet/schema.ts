import { walletItemSchemas } from './item-schema.ts';

export const walletSchemas = {
  ...walletItemSchemas,
};
