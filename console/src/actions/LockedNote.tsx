import './notes.css';
import { type MutatingCall, callGuards } from '@hengtai/contract/authority/guards';
import type { ReactNode } from 'react';
import { useFourEyesLocked } from '../api/me.ts';

/** Note in a dialog while four-eyes are locked; renders nothing otherwise. */
export function LockedNote({ children }: { children: ReactNode }) {
  if (!useFourEyesLocked()) return null;
  return (
    <p className="ht-actions-note-warn" role="note">
      四眼已锁定：{children}
    </p>
  );
}

/** Explains which inputs of a call need a second person, if only the server knows whether the current one does. */
export function GuardNote({ call }: { call: MutatingCall }) {
  const { loosening, tightening } = callGuards[call];
  return (
    <LockedNote>
      {loosening}，提交后由另一位复核员确认才执行{tightening !== '' && `；${tightening}立即执行`}。
    </LockedNote>
  );
}
