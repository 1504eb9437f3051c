import { CaretRightOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import { agentCell } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { WaitingMark } from '../../../actions/WaitingMark.tsx';
import type { TreeNode } from './tree.ts';
import { toDisplayError } from '../../../api/display-error.ts';
import { loadErrorTitle } from '../../../ui/value/display-error.ts';

interface Props {
  row: AgentRow;
  /** Position in the tree; undefined in the flat list. */
  node: TreeNode | undefined;
  /** True for the row of the signed-in operator. */
  isSelf: boolean;
  onToggle: (id: number) => void;
}

/** Deeper levels are indented no further, since the account needs the room; the level has a column. */
const INDENTED_LEVELS = 5;

/** The account of an agent. In the tree it is indented by its level and has a button that expands its children. */
export function AccountCell({ row, node, isSelf, onToggle }: Props) {
  const account = <span className="ht-agent-account">{agentCell(row.account)}</span>;
  const marks = (
    <>
      {isSelf && <small className="ht-agent-own">本人</small>}
      <WaitingMark id={row.id} />
    </>
  );
  if (!node) {
    return (
      <span className="ht-agent-cell">
        {account}
        {marks}
      </span>
    );
  }
  return (
    <span className="ht-agent-cell" data-level={Math.min(node.level, INDENTED_LEVELS)}>
      {node.hasChildren ? (
        <button
          type="button"
          className="ht-agent-fold"
          aria-expanded={node.isOpen}
          aria-label={`${row.account} 的下级`}
          title={node.isOpen ? '收起下级' : '展开下级'}
          aria-busy={node.isLoading}
          onDoubleClick={(event) => event.stopPropagation()}
          onClick={(event) => {
            event.stopPropagation();
            onToggle(row.id);
          }}
        >
          <CaretRightOutlined aria-hidden />
        </button>
      ) : (
        <i className="ht-agent-leaf" />
      )}
      {account}
      {marks}
      {node.failed && (
        <small className="ht-agent-beyond" role="alert">
          {loadErrorTitle(toDisplayError(node.failed.error))}
          <Button type="link" size="small" onClick={() => void node.failed?.refetch()}>
            重试
          </Button>
        </small>
      )}
      {node.hiddenChildren > 0 && (
        <small className="ht-agent-beyond">
          还有 {node.hiddenChildren.toLocaleString('en-US')} 个，
          <PageLink to={`/agent?parentAccount=${encodeURIComponent(row.account)}`}>查看全部</PageLink>
        </small>
      )}
    </span>
  );
}
