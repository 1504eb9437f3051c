import { CaretRightOutlined } from '@ant-design/icons';
import type { AgentRow } from '@hengtai/contract/agent.schema';
import { PageLink } from '../../shell/PageLink.tsx';
import { WaitingMark } from '../../shell/WaitingMark.tsx';
import type { Node } from './tree.ts';

interface Props {
  row: AgentRow;
  /** Where it stands in the tree; absent in the flat list. */
  node: Node | undefined;
  /** The operator itself. */
  own: boolean;
  onToggle: (id: number) => void;
}

const STEP = 20;

/** An account, in the tree indented and with what unfolds what is below it. */
export function AccountCell({ row, node, own, onToggle }: Props) {
  const account = (
    <span className="ag-account" title={row.account}>
      {row.account}
    </span>
  );
  const mark = (
    <>
      {own && <small className="ag-own">本人</small>}
      <WaitingMark id={row.id} />
    </>
  );
  if (!node) {
    return (
      <span className="ag-cell">
        {account}
        {mark}
      </span>
    );
  }
  return (
    <span className="ag-cell" style={{ paddingInlineStart: node.level * STEP }}>
      {node.branches ? (
        <button
          type="button"
          className="ag-fold"
          aria-expanded={node.open}
          aria-label={`${row.account} 的下级`}
          aria-busy={node.loading}
          onDoubleClick={(event) => event.stopPropagation()}
          onClick={(event) => {
            event.stopPropagation();
            onToggle(row.id);
          }}
        >
          <CaretRightOutlined aria-hidden />
        </button>
      ) : (
        <i className="ag-leaf" />
      )}
      {account}
      {mark}
      {node.beyond > 0 && (
        <small className="ag-beyond">
          还有 {node.beyond.toLocaleString('en-US')} 个，
          <PageLink to={`/agent?parentAccount=${encodeURIComponent(row.account)}`}>查看全部</PageLink>
        </small>
      )}
    </span>
  );
}
