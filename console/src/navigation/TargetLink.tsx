import { targetText } from '@hengtai/contract/authority/target';
import { PageLink } from './PageLink.tsx';
import { type Target, pathOfTarget } from './target-path.ts';

/** The target of an action, as link if it has a page. */
export function TargetLink({ target }: { target: Target }) {
  const text = targetText(target);
  const path = pathOfTarget(target);
  if (text === '') return '--';
  return path ? <PageLink to={path}>{text}</PageLink> : text;
}
