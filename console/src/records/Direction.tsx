import './direction.css';
interface Props {
  /** 1: long (gains when the price rises), 2: short. */
  side: number;
  labels: Readonly<Record<number, string>>;
}

/** Direction of an order, with an arrow because colour alone is not enough. */
export function Direction({ side, labels }: Props) {
  return (
    <span className="ht-records-direction" data-side={side}>
      <span aria-hidden>{side === 1 ? '↑ ' : '↓ '}</span>
      {labels[side] ?? side}
    </span>
  );
}
