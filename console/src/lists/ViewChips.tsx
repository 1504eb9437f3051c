import './view-chips.css';
import { PlusOutlined, TeamOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import { useEffect, useRef, useState } from 'react';
import type { View, ViewedList, Views } from './views.ts';
import type { ColumnChoice, PlacedColumn } from '../ui/table/columns.ts';
import { scrollSideways, useHiddenSides } from '../ui/table/hidden-sides.ts';
import { dialogOnDemand, onDemand } from '../ui/page/on-demand.tsx';

const ViewDialog = dialogOnDemand(async () => (await import('./ViewDialog.tsx')).ViewDialog);
const ViewMenu = onDemand(async () => (await import('./ViewMenu.tsx')).ViewMenu);

interface Props {
  list: ViewedList;
  views: Views;
  /** The current columns. */
  columns: { choice: ColumnChoice; placed: readonly Pick<PlacedColumn<never>, 'key' | 'title'>[] };
}

type DialogState = { kind: 'new' } | { kind: 'rename'; view: View };

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
                <ViewMenu
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
