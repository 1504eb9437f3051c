import { ABILITY } from '@hengtai/contract/authority/ability';
import { user } from '@hengtai/contract/people/user/calls';
import type { AssetRow, UserDetail, UserRow } from '@hengtai/contract/people/user/schema';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { useCan } from '../../../api/me.ts';
import { openPath } from '../../../navigation/open-path.ts';
import { AccountHead, PartsDrawer } from '../../../lists/PartsDrawer.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { AssetsPart } from './AssetsPart.tsx';
import { AuditPart } from './AuditPart.tsx';
import { LoginsPart } from './LoginsPart.tsx';
import { NotesPart } from './NotesPart.tsx';
import { ProfilePart } from './ProfilePart.tsx';
import { RecordsPart } from './RecordsPart.tsx';
import { stateTag } from './columns.tsx';
import type { ToggleSwitch } from './actions.ts';
import { type Part, partNames } from './use-user-route.ts';
import { NO_ABILITY, type UserAction, actionNames, dialogActions } from './words.ts';

export interface UserDrawerProps {
  id: number | undefined;
  part: Part;
  /** Past time of the displayed balances, unix milliseconds; undefined for now. */
  at: number | undefined;
  onPart: (part: Part) => void;
  onAt: (at: number | undefined) => void;
  onAction: (action: UserAction, row: UserRow) => void;
  toggleSwitch: ToggleSwitch;
  /** The text of a note that is not added yet. */
  draft: string;
  onDraft: (text: string) => void;
  /** Renders the adjustment buttons: for one asset, or without `asset` for the user. */
  renderAssetActions?: ((row: UserRow, asset?: AssetRow) => ReactNode) | undefined;
  onClose: () => void;
}

const STALE_TIME_MS = 5000;

/** Everything about one user, loaded with one call. The number keys select a tab. */
export function UserDrawer({ id, part, onPart, onAction, onClose, ...rest }: UserDrawerProps) {
  const hasAbility = useCan(ABILITY.users);
  const { data, error, refetch } = useRead(user.detail, id === undefined ? undefined : { id }, {
    staleTime: STALE_TIME_MS,
  });
  const detail = data?.row.id === id ? data : undefined;
  const disabledReason = hasAbility ? undefined : NO_ABILITY;

  return (
    <PartsDrawer
      open={id !== undefined}
      width="clamp(860px, 68vw, 1280px)"
      title={<AccountHead noun="用户" id={id} row={detail?.row} renderState={stateTag} />}
      footer={
        detail && <Actions row={detail.row} disabledReason={disabledReason} onAction={onAction} onClose={onClose} />
      }
      label="用户详情"
      names={partNames}
      part={part}
      onPart={onPart}
      error={detail ? undefined : error}
      onRetry={() => void refetch()}
      onClose={onClose}
    >
      {detail && <PartContent detail={detail} part={part} disabledReason={disabledReason} {...rest} />}
    </PartsDrawer>
  );
}

type PartContentProps = Pick<
  UserDrawerProps,
  'part' | 'at' | 'onAt' | 'toggleSwitch' | 'draft' | 'onDraft' | 'renderAssetActions'
> & {
  detail: UserDetail;
  disabledReason: string | undefined;
};

function PartContent({
  detail,
  part,
  at,
  onAt,
  toggleSwitch,
  disabledReason,
  draft,
  onDraft,
  renderAssetActions,
}: PartContentProps) {
  switch (part) {
    case 'profile':
      return <ProfilePart detail={detail} disabledReason={disabledReason} toggleSwitch={toggleSwitch} />;
    case 'assets':
      return (
        <AssetsPart key={detail.row.id} detail={detail} at={at} onAt={onAt} renderAssetActions={renderAssetActions} />
      );
    case 'records':
      return <RecordsPart detail={detail} />;
    case 'logins':
      return <LoginsPart detail={detail} />;
    case 'notes':
      return (
        <NotesPart
          key={detail.row.id}
          detail={detail}
          disabledReason={disabledReason}
          draft={draft}
          onDraft={onDraft}
        />
      );
    default:
      return <AuditPart detail={detail} />;
  }
}

interface ActionsProps {
  row: UserRow;
  disabledReason: string | undefined;
  onAction: UserDrawerProps['onAction'];
  onClose: () => void;
}

function Actions({ row, disabledReason, onAction, onClose }: ActionsProps) {
  return (
    <>
      {dialogActions.map((action) => (
        <GreyedAction
          key={action}
          look="button"
          danger={action === 'remove'}
          disabledReason={disabledReason}
          onClick={() => onAction(action, row)}
        >
          {actionNames[action]}
        </GreyedAction>
      ))}
      <span className="ht-lists-gap" />
      <Button onClick={() => openPath(`/service?userId=${row.id}`)}>客服会话</Button>
      <Button onClick={onClose}>关闭</Button>
    </>
  );
}
