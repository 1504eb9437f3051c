import './agent.css';
import { ABILITY } from '@hengtai/contract/ability';
import { agent } from '@hengtai/contract/agent';
import type { AgentRow } from '@hengtai/contract/agent.schema';
import { Segmented } from 'antd';
import { Suspense, lazy, useCallback, useMemo, useState } from 'react';
import { useList } from '../../api/list.ts';
import { useMe } from '../../api/me.ts';
import { ListFrame } from '../../shell/ListFrame.tsx';
import { WaitingMarks } from '../../shell/WaitingMark.tsx';
import { usePageRoute } from '../../shell/page-route.ts';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import type { RowKeys } from '../../ui/row-cursor.ts';
import { AccountCell } from './AccountCell.tsx';
import { RowActions } from './RowActions.tsx';
import { agentColumns } from './columns.tsx';
import { useTurn } from './actions.ts';
import { PARTS, usePlace } from './use-place.ts';
import { useTree } from './use-tree.ts';
import type { AgentAction } from './words.ts';

const AddAgentDialog = lazy(async () => ({ default: (await import('./AddAgentDialog.tsx')).AddAgentDialog }));
const AgentDialog = lazy(async () => ({ default: (await import('./AgentDialog.tsx')).AgentDialog }));
const AgentDrawer = lazy(async () => ({ default: (await import('./AgentDrawer.tsx')).AgentDrawer }));

const TREE_SHORTCUTS = [
  { keys: ['→'], what: '展开下级' },
  { keys: ['←'], what: '收起，或回到上级' },
];
const SHORTCUTS = [
  { keys: [`1…${PARTS.length}`], what: '切换详情的各部分（详情打开时）' },
  { keys: ['Ctrl', 'Enter'], what: '确认（对话框中）' },
];
const FORMS = [
  { value: 'tree', label: '树形' },
  { value: 'list', label: '列表' },
];

const FILTERED = [...agent.list.list.filters.map(({ field }) => field), 'from', 'to'];

/** Where the tree begins: below the top-level admin for who sees the whole, else at the operator itself. */
function useRoot() {
  const { id, admin, top, abilities } = useMe();
  const whole = top || abilities.includes(ABILITY.headquarters);
  return useMemo(
    () => ({
      first: whole ? undefined : id,
      fixed: { ...(whole ? { depth: 1 } : { account: admin }), sort: 'account' },
    }),
    [whole, id, admin],
  );
}

/** 代理管理: the tree of agents, or a flat list of those that a filter finds, and everything about one of them. */
export function AgentPage() {
  const me = useMe();
  const { first, fixed } = useRoot();
  const place = usePlace(first);
  const { expanded, setExpanded, openId } = place;
  const { search } = usePageRoute();
  const filtered = FILTERED.some((field) => search.has(field));
  const tree = !place.flat && !filtered;
  const { branch } = place;
  const top = useMemo(() => (branch === undefined ? fixed : { id: branch, sort: 'account' }), [branch, fixed]);
  const list = useList(agent.list, { defaults: tree ? top : undefined });
  const { rows, nodes } = useTree(list, expanded, tree);
  const [adding, setAdding] = useState<{ parent?: string }>();
  const [dialog, setDialog] = useState<{ action: AgentAction; row: AgentRow }>();
  const turn = useTurn();

  const toggle = useCallback(
    (id: number) => setExpanded(expanded.includes(id) ? expanded.filter((one) => one !== id) : [...expanded, id]),
    [expanded, setExpanded],
  );
  const columns = useMemo(
    () =>
      agentColumns((row) => (
        <AccountCell row={row} node={tree ? nodes.get(row.id) : undefined} own={row.id === me.id} onToggle={toggle} />
      )),
    [nodes, tree, me.id, toggle],
  );
  const rowKeys: RowKeys<AgentRow> = {
    ArrowRight: ({ id }) => {
      const node = nodes.get(id);
      if (node?.branches && !node.open) toggle(id);
    },
    ArrowLeft: ({ id }, go) => {
      const node = nodes.get(id);
      if (node?.open) toggle(id);
      else if (node?.parent !== undefined) go(node.parent);
    },
  };

  return (
    <WaitingMarks targetType="agent" ids={[...rows.map(({ id }) => id), openId]}>
      <ListFrame
        title="代理管理"
        tools={
          <GreyedAction look="button" why={undefined} onClick={() => setAdding({})}>
            新增代理
          </GreyedAction>
        }
        list={tree ? { ...list, rows } : list}
        columns={columns}
        openId={openId}
        onOpen={(row) => place.open(row.id)}
        rowKeys={tree ? rowKeys : undefined}
        shortcuts={tree ? [...TREE_SHORTCUTS, ...SHORTCUTS] : SHORTCUTS}
        next="新增的代理会出现在这里。"
        actions={{
          width: 132,
          render: (row) => (
            <RowActions
              row={row}
              onOpen={() => place.open(row.id, 'profile')}
              onAbilities={() => place.open(row.id, 'ability')}
              onAction={(one) => setDialog({ action: one, row })}
            />
          ),
        }}
        aside={
          <span className="ag-form">
            <Segmented
              size="small"
              aria-label="显示方式"
              options={FORMS.map((one) => ({ ...one, disabled: filtered && one.value === 'tree' }))}
              value={tree ? 'tree' : 'list'}
              onChange={(value) => place.setFlat(value === 'list')}
            />
            <span className="ht-faint">
              {filtered
                ? '筛选结果以列表显示，重置后回到树形'
                : !tree
                  ? '全部代理，不分层级'
                  : branch === undefined
                    ? '逐级展开；按顶层代理分页'
                    : '只显示这一分支'}
            </span>
            {tree && branch !== undefined && (
              <button type="button" className="ht-link" onClick={place.showAll}>
                显示整棵树
              </button>
            )}
          </span>
        }
      >
        <Suspense fallback={null}>
          {openId !== undefined && (
            <AgentDrawer
              id={openId}
              part={place.part}
              onPart={place.setPart}
              onOpen={place.open}
              onAction={(one, row) => setDialog({ action: one, row })}
              onAdd={(parent) => setAdding({ parent })}
              turn={turn}
              onClose={place.close}
            />
          )}
        </Suspense>
        <Suspense fallback={null}>
          {adding && <AddAgentDialog {...adding} onClose={() => setAdding(undefined)} />}
          {dialog && (
            <AgentDialog
              {...dialog}
              onClose={() => setDialog(undefined)}
              onRemoved={(id) => id === openId && place.close()}
            />
          )}
        </Suspense>
      </ListFrame>
    </WaitingMarks>
  );
}
