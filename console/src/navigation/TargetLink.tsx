import { targetText } from '@hengtai/contract/target';
import { FOUR_EYES_PATH } from './four-eyes-path.ts';
import { PageLink } from './PageLink.tsx';

interface Target {
  targetType: string | null;
  targetId: number | null;
}

/** Page address of a target by type; types without a page per record lead to their list. */
const targetPaths: Readonly<Record<string, (id: number) => string>> = {
  withdraw: (id) => `/withdraw?open=${id}`,
  recharge: (id) => `/recharge?open=${id}&id=${id}`,
  user: (id) => `/user?open=${id}`,
  agent: (id) => `/agent?open=${id}`,
  ieo: (id) => `/ieo/review?open=${id}`,
  auth: (id) => `/auth?open=${id}`,
  session: (id) => `/session?id=${id}`,
  signal: (id) => `/signal?open=${id}`,
  future: (id) => `/future/open?open=${id}`,
  follow: (id) => `/follow?open=${id}`,
  trade: (id) => `/trade/order?open=${id}`,
  second: (id) => `/second/close?open=${id}`,
  secondConfig: () => '/second/config',
  installation: () => FOUR_EYES_PATH,
  approval: (id) => `/approval?open=${id}`,
  fund: () => '/fund/record',
  entry: (id) => `/fund/record?id=${id}`,
  alarm: (id) => `/alarm?open=${id}`,
  command: (id) => `/command?open=${id}`,
  // A market that is not created yet has id 0.
  market: (id) => (id === 0 ? '/market' : `/market?open=${id}`),
  plan: () => '/plan',
  service: (id) => `/service?open=${id}`,
  config: (id) => `/config?open=${id}`,
  announce: (id) => `/announce?open=${id}&id=${id}`,
};

/** Address of the page of a target; undefined if it has none. */
export function pathOfTarget({ targetType, targetId }: Target): string | undefined {
  if (targetType === null || targetId === null || !Object.hasOwn(targetPaths, targetType)) return undefined;
  return targetPaths[targetType]?.(targetId);
}

/** The target of an action, as link if it has a page. */
export function TargetLink({ target }: { target: Target }) {
  const text = targetText(target);
  const path = pathOfTarget(target);
  if (text === '') return '--';
  return path ? <PageLink to={path}>{text}</PageLink> : text;
}
