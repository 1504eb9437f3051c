import './form-part.css';
import { type ReactNode, useId } from 'react';
import { useToday } from '../value/today.ts';
import { formatClock, startOfDay, useZone } from '../value/zone.ts';

/** A section of a long form, with a heading. */
export const FormPart = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className="ht-form-part">
    <legend>{title}</legend>
    {children}
  </fieldset>
);

/** Fields in two columns; one of the class `ht-form-wide` takes both. */
export const FormGrid = ({ children }: { children: ReactNode }) => <div className="ht-form-grid">{children}</div>;

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** Receives the id that the label refers to. */
  children: (id: string) => ReactNode;
}

/** A field without a form: label above, hint below in full width. */
export function FormField({ label, hint, children }: FieldProps) {
  const id = useId();
  return (
    <div className="ht-form-field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {hint !== undefined && hint !== '' && <span className="ht-form-hint">{hint}</span>}
    </div>
  );
}

interface GroupProps {
  label: string;
  /** Takes both columns. */
  isWide?: boolean;
  /** Receives the id of the label, for `aria-labelledby`. */
  children: (labelId: string) => ReactNode;
}

/** A choice between visible options: no single control that a label could refer to. */
export function FormGroup({ label, isWide = false, children }: GroupProps) {
  const id = useId();
  return (
    <div className={isWide ? 'ht-form-field ht-form-wide' : 'ht-form-field'}>
      <span id={id}>{label}</span>
      {children(id)}
    </div>
  );
}

/** The time of day at which budgets and limits of UTC days are renewed, such as `08:00`, in the operator's zone. */
export const useRenewal = (): string => formatClock(startOfDay(useToday('UTC'), 'UTC'), useZone()).slice(0, 5);
