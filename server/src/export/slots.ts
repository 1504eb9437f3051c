import { EXPORTS_PER_PROCESS, EXPORTS_PER_OPERATOR } from '@hengtai/contract/export';
import { refusals } from '@hengtai/contract/refusals';
import { refuse } from '../refuse.ts';

/** Who is exporting in this process. An export holds a connection and a snapshot for as long as it is sent. */
export interface Slots {
  /** Takes a place, and gives what leaves it. @throws Refused 429 when there is none */
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
