import { type AuthAction, auth, authStates } from '@hengtai/contract/auth';
import type { AuthRevealed, AuthRow } from '@hengtai/contract/auth.schema';
import { useRead } from '../../api/hooks.ts';
import { ReviewActions, ReviewDrawer } from '../../shell/ReviewDrawer.tsx';
import type { Opened } from '../../shell/ReviewPage.tsx';
import { StateTag } from '../../ui/StateTag.tsx';
import { useKeys } from '../../ui/keys.ts';
import { Details, History } from './Details.tsx';
import { DocumentImages } from './DocumentImages.tsx';
import { authTones } from './columns.tsx';
import { actionLabels, whyNot } from './actions.ts';

interface Props extends Opened<AuthRow, AuthAction> {
  revealed: AuthRevealed | undefined;
  onReveal: (row: AuthRow) => void;
}

/** One submission: the photographs beside what was written down. A passes, R rejects, V shows name and number for a reason. */
export function AuthDrawer({ id, able, left, revealed, onAct, onReveal, onClose }: Props) {
  const reading = useRead(auth.detail, { id: id ?? 0 }, { enabled: id !== undefined, staleTime: 5000 });
  const detail = reading.data?.row.id === id ? reading.data : undefined;
  const row = detail?.row;
  const act = (action: AuthAction) => {
    if (row && whyNot(action, row, able) === undefined) onAct(action, row);
  };
  const reveal = () => {
    if (row && able && !revealed) onReveal(row);
  };
  useKeys({ a: () => act('pass'), r: () => act('reject'), v: reveal }, id !== undefined);

  return (
    <ReviewDrawer
      id={id}
      noun="实名"
      state={row && <StateTag state={row.state} labels={authStates} tones={authTones} />}
      left={left}
      actions={
        row && (
          <ReviewActions
            words={actionLabels}
            whyNot={(action) => whyNot(action, row, able)}
            hints={{ pass: 'A', reject: 'R' }}
            onAct={act}
          />
        )
      }
      reading={reading}
      onClose={onClose}
    >
      {detail && (
        <div className="ht-review">
          <DocumentImages key={detail.row.id} row={detail.row} able={able} />
          <Details detail={detail} revealed={revealed} able={able} onReveal={reveal} />
          <History detail={detail} />
        </div>
      )}
    </ReviewDrawer>
  );
}
