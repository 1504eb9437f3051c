import './agent.css';
import { agent } from '@hengtai/contract/people/agent/calls';
import { filtersOf } from '@hengtai/contract/wire/list';
import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import { Segmented } from 'antd';
import { useCallback, useMemo, useState } from 'react';
import { useList } from '../../../lists/list.ts';
import { useHasFullScope, useMe } from '../../../api/me.ts';
import { DetailDrawer } from '../../../lists/DetailDrawer.tsx';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { usePageRoute } from '../../../navigation/page-route.ts';
import { dialogOnDemand, onDemand } from '../../../ui/page/on-demand.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import type { RowKeys } from '../../../ui/table/row-cursor.ts';
import { AccountCell } from './AccountCell.tsx';
import { RowActions } from './RowActions.tsx';
import { agentColumns } from './columns.tsx';
import { useSwitchAbility } from './actions.ts';
import { PARTS, useAgentRoute } from './use-agent-route.ts';
import { useTree } from './use-tree.ts';
import type { AgentAction } from './words.ts';

const AddAgentDialog = dialogOnDemand(async () => (await import('./AddAgentDialog.tsx')).AddAgentDialog);
const AgentDialog = dialogOnDemand(async () => (await import('./AgentDialog.tsx')).AgentDialog);
const AgentDrawer = onDemand(async () => (await import('./AgentDrawer.tsx')).AgentDrawer);

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

const FILTER_FIELDS = [...filtersOf(agent.list.list).map(({ field }) => field), 'from', 'to'];

/** Root of the tree: the agents below the admin for operators with full scope, otherwise the operator itself. */
function useTreeRoot() {
  const { id, admin } = useMe();
  const hasFullScope = useHasFullScope();
  return useMemo(
    () => ({
      firstExpanded: hasFullScope ? undefined : id,
      fixed: { ...(hasFullScope ? { depth: 1 } : { account: admin }), sort: 'account' },
    }),
    [hasFullScope, id, admin],
  );
}

/** 代理管理: the agents as a tree, or as a flat list while a filter is set, with a drawer for one agent. */
export function AgentPage() {
  const me = useMe();
  const { firstExpanded, fixed } = useTreeRoot();
  const route = useAgentRoute(firstExpanded);
  const { expanded, setExpanded, openId } = route;
  const { search } = usePageRoute();
  const isFiltered = FILTER_FIELDS.some((field) => search.has(field));
  const isTree = !route.isFlat && !isFiltered;
  const { branch } = route;
  const top = useMemo(() => (branch === undefined ? fixed : { id: branch, sort: 'account' }), [branch, fixed]);
  const list = useList(agent.list, { defaults: isTree ? top : undefined });
  const { rows, nodes } = useTree(list, expanded, isTree);
  const [adding, setAdding] = useState<{ parent?: string }>();
  const [dialog, setDialog] = useState<{ action: AgentAction; row: AgentRow }>();
  const switchAbility = useSwitchAbility();

  const toggle = useCallback(
    (id: number) => setExpanded(expanded.includes(id) ? expanded.filter((one) => one !== id) : [...expanded, id]),
    [expanded, setExpanded],
  );
  const columns = useMemo(
    () =>
      agentColumns((row) => (
        <AccountCell
          row={row}
          node={isTree ? nodes.get(row.id) : undefined}
          isSelf={row.id === me.id}
          onToggle={toggle}
        />
      )),
    [nodes, isTree, me.id, toggle],
  );
  const rowKeys: RowKeys<AgentRow> = {
    ArrowRight: ({ id }) => {
      const node = nodes.get(id);
      if (node?.hasChildren && !node.isOpen) toggle(id);
    },
    ArrowLeft: ({ id }, go) => {
      const node = nodes.get(id);
      if (node?.isOpen) toggle(id);
      else if (node?.parent !== undefined) go(node.parent);
    },
  };

  return (
    <ListFrame
      targetType="agent"
      tools={
        <GreyedAction look="button" onClick={() => setAdding({})}>
          新增代理
        </GreyedAction>
      }
      list={isTree ? { ...list, rows } : list}
      columns={columns}
      openId={openId}
      onOpen={(row) => route.open(row.id)}
      rowKeys={isTree ? rowKeys : undefined}
      shortcuts={isTree ? [...TREE_SHORTCUTS, ...SHORTCUTS] : SHORTCUTS}
      emptyHint="代理管理自己的用户和下级代理，只看得到自己的团队。点右上角「新增代理」建立第一个。"
      actions={{
        width: 132,
        render: (row) => (
          <RowActions
            row={row}
            onOpen={() => route.open(row.id, 'profile')}
            onAbilities={() => route.open(row.id, 'ability')}
            onAction={(one) => setDialog({ action: one, row })}
          />
        ),
      }}
      aside={
        <span className="ht-agent-form">
          <Segmented
            size="small"
            aria-label="显示方式"
            options={FORMS.map((one) => ({ ...one, disabled: isFiltered && one.value === 'tree' }))}
            value={isTree ? 'tree' : 'list'}
            onChange={(value) => route.setFlat(value === 'list')}
          />
          <span className="ht-value-faint">
            {isFiltered
              ? '筛选结果以列表显示，重置后回到树形'
              : !isTree
                ? '全部代理，不分层级'
                : branch === undefined
                  ? '逐级展开；按顶层代理分页'
                  : '只显示这一分支'}
          </span>
          {isTree && branch !== undefined && (
            <button type="button" className="ht-navigation-link" onClick={route.showAll}>
              显示整棵树
            </button>
          )}
        </span>
      }
    >
      {route.pendingAgent && (
        <DetailDrawer
          open
          width="clamp(760px, 58vw, 1080px)"
          title={`代理 ${route.pendingAgent.who}`}
          query={route.pendingAgent.query}
          onClose={route.close}
        >
          {() => null}
        </DetailDrawer>
      )}
      {openId !== undefined && (
        <AgentDrawer
          id={openId}
          part={route.part}
          onPart={route.setPart}
          onOpen={route.open}
          onAction={(one, row) => setDialog({ action: one, row })}
          onAdd={(parent) => setAdding({ parent })}
          switchAbility={switchAbility}
          onClose={route.close}
        />
      )}
      {adding && <AddAgentDialog {...adding} onClose={() => setAdding(undefined)} />}
      {dialog && (
        <AgentDialog
          {...dialog}
          onClose={() => setDialog(undefined)}
          onRemoved={(id) => id === openId && route.close()}
        />
      )}
    </ListFrame>
  );
}
