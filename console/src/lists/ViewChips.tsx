import './view-chips.css';
import { MoreOutlined, PlusOutlined, TeamOutlined } from '@ant-design/icons';
import type { ViewSave } from '@hengtai/contract/desk/view/schema';
import { Button, Dropdown, type MenuProps, Tooltip } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { settle } from '../api/display-error.ts';
import { newKey } from '../api/hooks.ts';
import { toast } from '../api/toast.ts';
import { columnsOf } from './view-state.ts';
import { type View, type ViewedList, type Views, useViewActions } from './views.ts';
import type { ColumnChoice, PlacedColumn } from '../ui/table/columns.ts';
import { preferences } from '../ui/browser/preferences.ts';
import { ask } from '../ui/dialog/question.ts';
import { usePopup } from '../ui/browser/page-visibility.ts';
import { viewColumnsKey } from '../ui/table/use-columns.ts';
import { scrollSideways, useHiddenSides } from '../ui/table/hidden-sides.ts';
import { dialogOnDemand } from '../ui/page/on-demand.tsx';

const ViewDialog = dialogOnDemand(async () => (await import('./ViewDialog.tsx')).ViewDialog);

interface Props {
  list: ViewedList;
  views: Views;
  /** The current columns. */
  columns: { choice: ColumnChoice; placed: readonly Pick<PlacedColumn<never>, 'key' | 'title'>[] };
}

type DialogState = { kind: 'new' } | { kind: 'rename'; view: View };
type Saved = NonNullable<View['saved']>;

/** Saved views of a list as chips with their row counts. */
export function ViewChips({ list, views, columns }: Props) {
  const [dialog, setDialog] = useState<DialogState>();
  const { active, open } = views;
  const strip = useRef<HTMLDivElement>(null);
  const more = useHiddenSides(strip);
  useEffect(() => {
    if (!active) return;
    strip.current?.querySelector('[data-active=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [active]);
  return (
    <div className="ht-lists-views" role="group" aria-label="视图">
      <div ref={strip} className="ht-lists-view-chips ht-table-fading" data-more={more} onWheel={scrollSideways}>
        <span className="ht-lists-view" data-active={views.query === ''}>
          <button
            type="button"
            className="ht-lists-view-open"
            aria-pressed={views.query === ''}
            onClick={() => open(undefined)}
          >
            全部
          </button>
        </span>
        {views.views.map((view) => (
          <Chip
            key={view.key}
            view={view}
            active={view === active}
            onOpen={() => open(view)}
            menu={
              view.saved?.mine === 1 && (
                <ChipMenu
                  view={view}
                  saved={view.saved}
                  list={list}
                  views={views}
                  columns={columns}
                  onRename={() => setDialog({ kind: 'rename', view })}
                />
              )
            }
          />
        ))}
      </div>
      <Button
        type="text"
        size="small"
        className="ht-lists-view-save"
        icon={<PlusOutlined aria-hidden />}
        aria-label="保存为视图"
        title="保存为视图"
        onClick={() => setDialog({ kind: 'new' })}
      />
      {dialog && (
        <ViewDialog
          list={list}
          query={views.storedQuery}
          choice={columns.choice}
          titles={new Map(columns.placed.map(({ key, title }) => [key, title]))}
          {...(dialog.kind === 'rename' && dialog.view.saved && { saved: dialog.view.saved })}
          onClose={() => setDialog(undefined)}
          onDone={(row) => {
            setDialog(undefined);
            views.choose(`saved-${row.id}`);
            views.recount();
          }}
        />
      )}
    </div>
  );
}

interface ChipProps {
  view: View;
  active: boolean;
  onOpen: () => void;
  menu: React.ReactNode;
}

function Chip({ view, active, onOpen, menu }: ChipProps) {
  const { name, count, broken, saved } = view;
  const countText = count === undefined ? '' : count === null ? '--' : count.toLocaleString('en-US');
  const hint = broken
    ? `筛选条件已失效，无法统计${saved?.mine === 1 ? '，请更新或删除此视图' : ''}`
    : saved?.mine === 0 && `由${saved.by ?? '上级'}共享`;
  return (
    <Tooltip title={hint || undefined}>
      <span className="ht-lists-view" data-active={active} data-broken={broken} data-menu={Boolean(menu)}>
        <button
          type="button"
          className="ht-lists-view-open"
          aria-pressed={active}
          aria-disabled={broken}
          onClick={onOpen}
        >
          {saved?.shared === 1 && <TeamOutlined aria-label="共享" />}
          {name}
          <b>{countText}</b>
        </button>
        {menu}
      </span>
    </Tooltip>
  );
}

interface ChipMenuProps extends Props {
  view: View;
  saved: Saved;
  onRename: () => void;
}

function ChipMenu({ view, saved, list, views, columns: current, onRename }: ChipMenuProps) {
  const [open, setOpen] = usePopup();
  const { save, del } = useViewActions();
  const isUnchanged = views.query === view.query && saved.columns === null;

  async function change(next: Partial<ViewSave>, message: string) {
    const { id, name, query, shared, columns } = saved;
    const input = { id, list: list.name, name, query, shared, ...(columns && { columns }), ...next };
    const error = await settle(() => save.submit(input, newKey()));
    if (error) return toast.error(error.msg);
    views.recount();
    toast.success(message);
  }

  async function update() {
    await change(
      { query: views.storedQuery, ...(saved.columns && { columns: columnsOf(current.choice) }) },
      '视图已更新为当前筛选',
    );
    preferences.write(viewColumnsKey(saved.id), null);
    views.choose(view.key);
  }

  async function remove() {
    const error = await settle(() => del.submit({ id: saved.id }, newKey()));
    if (error) return toast.error(error.msg);
    preferences.write(viewColumnsKey(saved.id), null);
    views.recount();
    toast.success('视图已删除');
  }

  const askToDelete = () =>
    ask({
      title: `删除视图「${saved.name}」？`,
      content: saved.shared === 1 ? '下级操作员也将看不到它。记录本身不受影响。' : '记录本身不受影响。',
      verb: '删除视图',
      back: '取消',
      onConfirm: () => void remove(),
    });

  const actions: Record<string, () => void> = {
    update: () => void update(),
    rename: onRename,
    share: () =>
      void change({ shared: saved.shared === 1 ? 0 : 1 }, saved.shared === 1 ? '已取消共享' : '已共享给下级操作员'),
    delete: askToDelete,
  };
  const items: MenuProps['items'] = [
    { key: 'update', label: '更新为当前', disabled: isUnchanged },
    { key: 'rename', label: '重命名' },
    { key: 'share', label: saved.shared === 1 ? '取消共享' : '共享' },
    { type: 'divider' },
    { key: 'delete', label: '删除', danger: true },
  ];
  return (
    <Dropdown
      open={open}
      onOpenChange={setOpen}
      trigger={['click']}
      menu={{ items, onClick: ({ key }) => actions[key]?.() }}
    >
      <button
        type="button"
        className="ht-lists-view-more"
        aria-label={`视图「${saved.name}」的操作`}
        title={`视图「${saved.name}」的操作`}
        aria-haspopup="menu"
      >
        <MoreOutlined aria-hidden />
      </button>
    </Dropdown>
  );
}
