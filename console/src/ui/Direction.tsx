import './ui.css';

interface Props {
  /** 1 gains by a higher price, 2 by a lower one. */
  side: number;
  labels: Readonly<Record<number, string>>;
}

/** With an arrow, so that the colour is never all that says it. */
export function Direction({ side, labels }: Props) {
  return (
    <span className="ht-direction" data-side={side}>
      <span aria-hidden>{side === 1 ? '↑ ' : '↓ '}</span>
      {labels[side] ?? side}
    </span>
  );
}
