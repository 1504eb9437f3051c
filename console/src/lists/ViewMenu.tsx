import { MoreOutlined } from '@ant-design/icons';
import type { ViewSave } from '@hengtai/contract/desk/view/schema';
import { Dropdown, type MenuProps } from 'antd';
import { settle } from '../api/display-error.ts';
import { newKey } from '../api/hooks.ts';
import { toast } from '../api/toast.ts';
import { preferences } from '../ui/browser/preferences.ts';
import { usePopup } from '../ui/browser/page-visibility.ts';
import { ask } from '../ui/dialog/question.ts';
import { viewColumnsKey } from '../ui/table/use-columns.ts';
import { columnsOf } from './view-state.ts';
import { type View, type ViewedList, type Views, useViewActions } from './views.ts';
import type { ColumnChoice } from '../ui/table/columns.ts';

interface Props {
  list: ViewedList;
  views: Views;
  /** The current columns. */
  columns: { choice: ColumnChoice };
  view: View;
  saved: NonNullable<View['saved']>;
  onRename: () => void;
}

/** What the owner of a saved view can do with it. */
export function ViewMenu({ view, saved, list, views, columns: current, onRename }: Props) {
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
