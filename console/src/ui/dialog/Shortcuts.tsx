import './key.css';
import { DetailItem } from '../value/DetailItem.tsx';
import { PageModal } from './PageModal.tsx';
import { type Shortcut, pageShortcuts } from '../table/page-shortcuts.ts';

export type { Shortcut } from '../table/page-shortcuts.ts';

const EVERYWHERE: readonly Shortcut[] = [
  { keys: ['Ctrl', 'K'], what: '查找页面、用户、记录或操作' },
  { keys: ['←', '→'], what: '在标签页之间移动焦点' },
  { keys: ['Alt', 'Shift', '→'], what: '移动当前标签页' },
  { keys: ['Delete'], what: '关闭焦点所在的标签页' },
  { keys: ['?'], what: '显示快捷键' },
];

interface Props {
  onClose: () => void;
}

/** Dialog with the shortcuts of the visible page and those that work everywhere. */
export function Shortcuts({ onClose }: Props) {
  return (
    <PageModal title="快捷键" width={440} footer={null} mask={{ closable: true }} onCancel={onClose}>
      <dl className="ht-dialog-shortcuts">
        {[...pageShortcuts(), ...EVERYWHERE].map(({ keys, what }) => (
          <DetailItem key={what} label={what}>
            {keys.map((key) => (
              <kbd key={key} className="ht-dialog-key">
                {key}
              </kbd>
            ))}
          </DetailItem>
        ))}
      </dl>
    </PageModal>
  );
}
