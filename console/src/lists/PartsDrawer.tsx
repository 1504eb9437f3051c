import './parts-drawer.css';
import type { ReactNode } from 'react';
import { toDisplayError } from '../api/display-error.ts';
import { WaitingMark } from '../actions/WaitingMark.tsx';
import { CopyButton } from '../ui/value/CopyButton.tsx';
import { PageDrawer, type PageDrawerProps } from '../ui/dialog/PageDrawer.tsx';
import { TabStrip } from '../ui/page/TabStrip.tsx';
import { useKeys } from '../ui/browser/keys.ts';
import { ErrorState } from '../ui/table/list-states.tsx';

interface Props<Part extends string> extends Pick<PageDrawerProps, 'open' | 'width' | 'title' | 'footer' | 'onClose'> {
  /** Accessible name of the parts. */
  label: string;
  names: Readonly<Record<Part, string>>;
  part: Part;
  onPart: (part: Part) => void;
  /** Set if nothing could be loaded. */
  error: unknown;
  onRetry: () => void;
  /** The part; undefined while the record is loading. */
  children: ReactNode;
}

const SKELETON_LINES = 12;

/** The drawer of one record in several parts. The number keys select one. */
export function PartsDrawer<Part extends string>(props: Props<Part>) {
  const { label, names, part, onPart, error, onRetry, children, ...drawer } = props;
  const parts = Object.keys(names) as Part[];
  useKeys(Object.fromEntries(parts.map((one, i) => [String(i + 1), () => onPart(one)])), drawer.open);
  return (
    <PageDrawer {...drawer}>
      {error ? (
        <ErrorState error={toDisplayError(error)} onRetry={onRetry} />
      ) : (
        <TabStrip
          label={label}
          current={part}
          onChange={onPart}
          tabs={parts.map((key) => ({ key, title: names[key] }))}
        >
          {children ?? <Skeleton />}
        </TabStrip>
      )}
    </PageDrawer>
  );
}

const Skeleton = () => (
  <div aria-busy role="status" aria-label="加载中">
    {Array.from({ length: SKELETON_LINES }, (_, i) => (
      <span key={i} className="ht-page-skeleton-line ht-lists-part-line" />
    ))}
  </div>
);

interface HeadProps {
  noun: string;
  id: number | undefined;
  /** Undefined while the record is loading. */
  row: { id: number; account: string; state: number } | undefined;
  renderState: (state: number) => ReactNode;
}

/** The heading of the drawer of a user or agent. */
export function AccountHead({ noun, id, row, renderState }: HeadProps) {
  if (!row) return `${noun} #${id ?? ''}`;
  return (
    <span className="ht-lists-record-head">
      <span className="ht-lists-record-head-account" title={row.account}>
        {row.account}
      </span>
      <CopyButton text={row.account} label="账号" />
      <small className="ht-value-faint">#{row.id}</small>
      {renderState(row.state)}
      <WaitingMark id={row.id} />
    </span>
  );
}
