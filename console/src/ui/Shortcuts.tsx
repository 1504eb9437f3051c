import './ui.css';
import { PageModal } from './PageModal.tsx';

export interface Shortcut {
  keys: readonly string[];
  what: string;
}

const LIST: readonly Shortcut[] = [
  { keys: ['J', '↓'], what: '下一行' },
  { keys: ['K', '↑'], what: '上一行' },
  { keys: ['Enter'], what: '打开详情' },
  { keys: ['Esc'], what: '关闭详情或对话框' },
];
const SELECT: Shortcut = { keys: ['X'], what: '选择或取消选择当前行' };
const FIND: Shortcut = { keys: ['Ctrl', 'K'], what: '查找页面、用户、记录或操作' };
const HELP: Shortcut = { keys: ['?'], what: '显示快捷键' };

interface Props {
  open: boolean;
  isSelectable: boolean;
  more: readonly Shortcut[];
  onClose: () => void;
}

/** Dialog with the shortcuts of a list and its page. */
export function Shortcuts({ open, isSelectable, more, onClose }: Props) {
  if (!open) return null;
  const all = [...LIST, ...(isSelectable ? [SELECT] : []), ...more, FIND, HELP];
  return (
    <PageModal title="快捷键" width={440} footer={null} mask={{ closable: true }} onCancel={onClose}>
      <dl className="ht-shortcuts">
        {all.map(({ keys, what }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key} className="ht-kbd">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </PageModal>
  );
}
