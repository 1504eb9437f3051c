import './hash.css';
import './value.css';
import { ExportOutlined } from '@ant-design/icons';
import { CopyButton } from './CopyButton.tsx';

interface Props {
  value: string;
  /** What it is, for accessible names: 地址, 交易哈希. */
  label: string;
  /** URL template of a block explorer; {tx} is replaced by the hash. */
  explorer?: string;
  /** Six characters at each end instead of eight. */
  short?: boolean;
  /** Shows all characters, wrapped. */
  full?: boolean;
}

/** `TQn9Y2kh…f4hx8kLp`: keeps the ends, which people compare. */
export const shortenMiddle = (value: string, end = 8): string =>
  value.length <= 2 * end + 1 ? value : `${value.slice(0, end)}…${value.slice(-end)}`;

/** Explorer link of a hash; undefined unless the result is an http(s) URL. */
export function explorerLink(template: string | undefined, value: string): string | undefined {
  if (!template?.includes('{tx}')) return undefined;
  const link = template.replaceAll('{tx}', encodeURIComponent(value));
  return /^https?:\/\//i.test(link) ? link : undefined;
}

/** An address or hash: shortened in the middle, monospace, with copy button and explorer link. */
export function Hash({ value, label, explorer, short = false, full = false }: Props) {
  if (!value) return <span className="ht-value-faint">--</span>;
  const link = explorerLink(explorer, value);
  return (
    <span className={full ? 'ht-value-hash ht-value-hash-full' : 'ht-value-hash'}>
      <span className="ht-value-hash-text" title={value}>
        {full ? value : shortenMiddle(value, short ? 6 : 8)}
      </span>
      <CopyButton text={value} label={label} />
      {link && (
        <a
          className="ht-value-copy"
          href={link}
          target="_blank"
          rel="noreferrer noopener"
          title={`在区块浏览器中查看${label}`}
          aria-label={`在区块浏览器中查看${label}`}
          onClick={(event) => event.stopPropagation()}
        >
          <ExportOutlined aria-hidden />
        </a>
      )}
    </span>
  );
}
