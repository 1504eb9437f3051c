const [WIDTH, HEIGHT, INSET] = [84, 26, 2];

/** The course of some days as a small line; the last point is today. The figures are in the title of the card. */
export function Sparkline({ values }: { values: readonly string[] }) {
  const numbers = values.map(Number);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const points = numbers.map((value, index) => {
    const x = INSET + (index / Math.max(numbers.length - 1, 1)) * (WIDTH - 2 * INSET);
    // Equal values are drawn at the bottom.
    const share = high === low ? 0 : (value - low) / (high - low);
    return [x, HEIGHT - INSET - share * (HEIGHT - 2 * INSET)] as const;
  });
  const [lastX, lastY] = points.at(-1) ?? [0, 0];
  return (
    <svg className="ht-home-spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
      <polyline points={points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')} />
      <circle cx={lastX} cy={lastY} r={INSET} />
    </svg>
  );
}
