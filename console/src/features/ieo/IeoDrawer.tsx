import { type IeoAction, ieo, ieoStates } from '@hengtai/contract/ieo';
import type { IeoRow } from '@hengtai/contract/ieo.schema';
import { useRead } from '../../api/hooks.ts';
import { ReviewActions, ReviewDrawer } from '../../lists/ReviewDrawer.tsx';
import { StateTag } from '../../ui/StateTag.tsx';
import { useKeys } from '../../ui/keys.ts';
import { Details } from './Details.tsx';
import { ieoTones } from './columns.tsx';
import { actionLabels, disabledReasonOf } from './actions.ts';

interface Props {
  id: number | undefined;
  /** undefined on pages that do not decide. */
  onAct?: (action: IeoAction, row: IeoRow) => void;
  hasAbility?: boolean;
  /** Remaining rows of the queue including this one; undefined outside the queue. */
  left?: number | undefined;
  onClose: () => void;
}

/** Review drawer of one subscription. The keys A (pass) and R (reject) open the dialog. */
export function IeoDrawer({ id, hasAbility = false, left, onAct, onClose }: Props) {
  const reading = useRead(ieo.detail, { id: id ?? 0 }, { enabled: id !== undefined, staleTime: 5000 });
  const detail = reading.data?.row.id === id ? reading.data : undefined;
  const row = detail?.row;
  const act = (action: IeoAction) => {
    if (row && disabledReasonOf(action, row, hasAbility) === undefined) onAct?.(action, row);
  };
  useKeys({ a: () => act('pass'), r: () => act('reject') }, id !== undefined);

  return (
    <ReviewDrawer
      id={id}
      noun="认购"
      state={row && <StateTag state={row.state} labels={ieoStates} tones={ieoTones} />}
      left={left}
      actions={
        row &&
        (onAct ? (
          <ReviewActions
            words={actionLabels}
            disabledReasonOf={(action) => disabledReasonOf(action, row, hasAbility)}
            needsChecker={(action) => action === 'pass' && detail.approval.needed}
            hints={{ pass: 'A', reject: 'R' }}
            onAct={act}
          />
        ) : null)
      }
      query={reading}
      onClose={onClose}
    >
      {detail && <Details detail={detail} />}
    </ReviewDrawer>
  );
}
