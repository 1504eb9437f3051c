import { type IeoAction, ieo } from '@hengtai/contract/trading/ieo/calls';
import { ieoStates, IEO } from '@hengtai/contract/trading/ieo/facts';
import type { IeoRow } from '@hengtai/contract/trading/ieo/schema';
import { ReviewDrawer } from '../../../lists/ReviewDrawer.tsx';
import type { ReviewFlow } from '../../../lists/review-flow.tsx';
import { recordCases } from '../../desk/approval/exported/record-cases.tsx';
import { Details } from './Details.tsx';
import { ieoTones } from '../../../records/state-tones.ts';
import { actionLabels, disabledReasonOf } from './actions.ts';

interface Props {
  id: number | undefined;
  /** undefined on pages that do not decide. */
  onAct?: (action: IeoAction, row: IeoRow) => void;
  hasAbility?: boolean;
  flow?: ReviewFlow;
  onClose: () => void;
}

/** Review drawer of one subscription. */
export function IeoDrawer({ id, hasAbility = false, flow, onAct, onClose }: Props) {
  return (
    <ReviewDrawer
      call={ieo.detail}
      id={id}
      noun="认购"
      type="ieo"
      states={ieoStates}
      tones={ieoTones}
      waiting={IEO.waiting}
      words={actionLabels}
      related={recordCases}
      disabledReasonOf={(action, { row }) => disabledReasonOf(action, row, hasAbility)}
      needsChecker={(action, { approval }) => action === 'pass' && approval.needed}
      flow={flow}
      onAct={onAct && ((action, { row }) => onAct(action, row))}
      onClose={onClose}
    >
      {(detail) => <Details detail={detail} />}
    </ReviewDrawer>
  );
}
