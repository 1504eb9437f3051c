import { readEnv } from '../env.ts';
import { supervise } from './supervise.ts';

try {
  await supervise(readEnv(process.env));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
