/** Placeholder while settings load. */
export function SettingsSkeleton({ lines = 6 }: { lines?: number }) {
  return (
    <div className="ht-config-skeleton" aria-busy="true" role="status" aria-label="加载中">
      {Array.from({ length: lines }, (_, line) => (
        <i key={line} className="ht-page-skeleton-line" />
      ))}
    </div>
  );
}
