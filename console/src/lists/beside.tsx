import { targetText } from '@hengtai/contract/authority/target';
import { type ReactNode, Suspense, use, useRef, useState } from 'react';
import { BesideContext } from '../navigation/beside.ts';
import { PageLink } from '../navigation/PageLink.tsx';
import { pathOfTarget } from '../navigation/target-path.ts';
import { StateInHeadingContext } from '../records/CaseLayout.tsx';
import { PageDrawer } from '../ui/dialog/PageDrawer.tsx';
import { CasePageContext } from './CaseFrame.tsx';
import { idOf } from './open-id.ts';
import type { RecordCaseProps } from './RecordCase.tsx';
import { Skeleton } from './review-flow.tsx';

/** Renders the case of a record, by the type of the record. */
export type CasesByType = Readonly<Record<string, (record: RecordCaseProps) => ReactNode>>;

interface Beside {
  type: string;
  id: number;
  path: string;
  /** The case beside which it is open. */
  of: number;
}

/** The record beside the case `id`, until another case is open. */
export function useBeside(id: number | undefined, cases: CasesByType) {
  const [beside, setBeside] = useState<Beside>();
  const link = useRef<Element | null>(null);
  const shown = beside !== undefined && beside.of === id ? beside : undefined;

  function show(path: string): boolean {
    const recordId = idOf(new URLSearchParams(path.split('?')[1]).get('open'));
    const type = Object.keys(cases).find(
      (one) => recordId !== undefined && pathOfTarget({ targetType: one, targetId: recordId }) === path,
    );
    if (id === undefined || recordId === undefined || type === undefined) return false;
    if (!shown) link.current = document.activeElement;
    setBeside({ type, id: recordId, path, of: id });
    return true;
  }

  function close() {
    setBeside(undefined);
    if (link.current instanceof HTMLElement) link.current.focus({ preventScroll: true });
  }

  return {
    show,
    drawer: shown && (
      <BesideContext value={show}>
        <BesideDrawer {...shown} onClose={close}>
          {cases[shown.type]?.({ id: shown.id, customer: null })}
        </BesideDrawer>
      </BesideContext>
    ),
  };
}

/** Another record beside a case, to compare both. Nothing is decided in it, and no key decides while it has the focus. */
function BesideDrawer({
  type,
  id,
  path,
  children,
  onClose,
}: Pick<Beside, 'type' | 'id' | 'path'> & { children: ReactNode; onClose: () => void }) {
  return (
    <PageDrawer
      open
      isBeside
      width={use(CasePageContext) ? 'calc((100vw - 250px) / 2)' : '50vw'}
      title={<h2 className="ht-lists-review-head">{targetText({ targetType: type, targetId: id })}</h2>}
      extra={
        <BesideContext value={undefined}>
          <PageLink to={path}>在标签页打开</PageLink>
        </BesideContext>
      }
      onClose={onClose}
    >
      <StateInHeadingContext value={false}>
        <Suspense fallback={<Skeleton />}>{children}</Suspense>
      </StateInHeadingContext>
    </PageDrawer>
  );
}
