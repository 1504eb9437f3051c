import { EXPORTS_PER_PROCESS, EXPORTS_PER_OPERATOR } from '@hengtai/contract/desk/export/calls';
import { refusals } from '@hengtai/contract/wire/refusals';
import { refuse } from '../../app/refuse.ts';

/** A limit of concurrent exports of this process, because each holds a connection and a snapshot while it is sent. */
export interface Slots {
  /** Takes a slot and returns the function that frees it. @throws Refused 429 if there is none */
  take: (operatorId: number) => () => void;
}

export function exportSlots(): Slots {
  const running: number[] = [];
  return {
    take: (operatorId) => {
      if (running.filter((id) => id === operatorId).length >= EXPORTS_PER_OPERATOR)
        throw refuse(refusals.ownExportBusy);
      if (running.length >= EXPORTS_PER_PROCESS) throw refuse(refusals.exportBusy);
      running.push(operatorId);
      return () => void running.splice(running.indexOf(operatorId), 1);
    },
  };
}
