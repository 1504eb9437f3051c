import type { changesOf } from './form-values.ts';

/** The changed fields of a market with their old and new values. */
export function Changes({ changes }: { changes: ReturnType<typeof changesOf> }) {
  return (
    <ul className="ht-market-changes">
      {changes.map(({ field, label, from, to }) => (
        <li key={field}>
          <b>{label}</b>
          <span>
            <s>{from || '无'}</s> → {to || '无'}
          </span>
        </li>
      ))}
    </ul>
  );
}
