import { CloseOutlined } from '@ant-design/icons';

/** The cross of a drawer or dialog, with its word and its key. */
export const CloseIcon = ({ hasKey = true }: { hasKey?: boolean }) => (
  <span title={hasKey ? '关闭（Esc）' : '关闭'}>
    <CloseOutlined aria-hidden />
  </span>
);
