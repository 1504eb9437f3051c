/** Stands where something is being read. */
export function Bones({ lines = 6 }: { lines?: number }) {
  return (
    <div className="config-bones" aria-busy="true" role="status" aria-label="加载中">
      {Array.from({ length: lines }, (_, line) => (
        <i key={line} className="ht-bone" />
      ))}
    </div>
  );
}
