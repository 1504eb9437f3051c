import './ui.css';
import { ExportOutlined } from '@ant-design/icons';
import { CopyButton } from './CopyButton.tsx';

interface Props {
  value: string;
  /** What it is, for names of buttons: 地址, 交易哈希. */
  what: string;
  /** URL template of a block explorer; {tx} stands for the hash. */
  explorer?: string;
  /** Show every character, wrapping. */
  full?: boolean;
}

const HEAD = 8;
const TAIL = 8;

/** `TQn9Y2kh…f4hx8kLp`: both ends, which people compare, stay readable. */
export const middle = (value: string): string =>
  value.length <= HEAD + TAIL + 1 ? value : `${value.slice(0, HEAD)}…${value.slice(-TAIL)}`;

/** The link of a hash in its explorer; only web addresses, whatever the template says. */
export function explorerLink(template: string | undefined, value: string): string | undefined {
  if (!template?.includes('{tx}')) return undefined;
  const link = template.replaceAll('{tx}', encodeURIComponent(value));
  return /^https?:\/\//i.test(link) ? link : undefined;
}

/** An address or a hash: shortened in the middle, monospace, with copy and, where known, a link to the explorer. */
export function Hash({ value, what, explorer, full = false }: Props) {
  if (!value) return <span className="ht-faint">--</span>;
  const link = explorerLink(explorer, value);
  return (
    <span className={full ? 'ht-hash ht-hash-full' : 'ht-hash'}>
      <span className="ht-hash-text" title={value}>
        {full ? value : middle(value)}
      </span>
      <CopyButton text={value} what={what} />
      {link && (
        <a
          className="ht-copy"
          href={link}
          target="_blank"
          rel="noreferrer noopener"
          title={`在区块浏览器中查看${what}`}
          aria-label={`在区块浏览器中查看${what}`}
          onClick={(event) => event.stopPropagation()}
        >
          <ExportOutlined aria-hidden />
        </a>
      )}
    </span>
  );
}
