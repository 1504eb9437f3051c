import { findUnknownVariables } from '../programs/env-names.ts';
import { readEnv } from '../programs/env.ts';
import { supervise } from './supervise.ts';

try {
  const env = readEnv(process.env);
  for (const warning of findUnknownVariables(process.env)) console.warn(warning);
  await supervise(env);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
