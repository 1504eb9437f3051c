import { installation } from '@hengtai/contract/installation';
import { useRead } from '../../api/hooks.ts';

const NOTHING = {};
const EVERY_MS = 60_000;
const IMPORTING_MS = 5_000;

/** How often the pictures of thirty days are read: their days fill up while a platform's history comes in. */
export function useChartPace(): number {
  // The banner above the pages asks; this only listens.
  const { data } = useRead(installation.state, NOTHING, { enabled: false });
  return data?.importing ? IMPORTING_MS : EVERY_MS;
}
