import './detail-item.css';
import type { ComponentProps, ReactNode } from 'react';
import { Money } from './Money.tsx';
import { Time } from './Time.tsx';

interface Item {
  label: string;
  wide?: boolean;
}

/** One label and value in a details list (`<dl>`). */
export function DetailItem({ label, wide, children }: Item & { children: ReactNode }) {
  return (
    <div className={wide ? 'ht-value-details-wide' : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** An amount with all its digits. */
export const AmountItem = ({ label, wide = false, ...money }: Item & ComponentProps<typeof Money>) => (
  <DetailItem label={label} wide={wide}>
    <Money {...money} />
  </DetailItem>
);

export const TimeItem = ({ label, wide = false, value }: Item & { value: number | null }) => (
  <DetailItem label={label} wide={wide}>
    <Time value={value} />
  </DetailItem>
);
