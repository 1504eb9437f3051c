/** Placeholder while a page loads, with the heading at its final position. */
export function PageSkeleton() {
  return (
    <div className="sh-skeleton" aria-busy="true" aria-label="加载中">
      <i style={{ width: 120, height: 28 }} />
      <i style={{ height: 32 }} />
      <i style={{ height: 320 }} />
    </div>
  );
}
