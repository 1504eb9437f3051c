/** The shape of a page before it is there, with the heading where it will be. */
export function PageSkeleton() {
  return (
    <div className="sh-skeleton" aria-busy="true" aria-label="加载中">
      <i style={{ width: 120, height: 28 }} />
      <i style={{ height: 32 }} />
      <i style={{ height: 320 }} />
    </div>
  );
}
