import { gatewayKey } from '@hengtai/contract/house/gateway-key/calls';
import type { GatewayKeyIssued, GatewayKeyRow } from '@hengtai/contract/house/gateway-key/schema';
import { useState } from 'react';
import { newKey, useAction } from '../../../api/hooks.ts';
import { runWithErrorToast } from '../../../api/run-with-toast.ts';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { RevokeKey } from './exported/RevokeKey.tsx';
import { rightsText, stateOf } from './words.ts';

interface Props {
  row: GatewayKeyRow;
  /** Name of its platform, if there are several. */
  platform: string | undefined;
  onEdit: () => void;
  onIssued: (issued: GatewayKeyIssued) => void;
}

/** One key, with its actions. */
export function GatewayKeyLine({ row, platform, onEdit, onIssued }: Props) {
  const { id, key, name, rights, addresses, expiresAt, nonce, lastUsedAt } = row;
  const issue = useAction(gatewayKey.issue, {
    onDone: (outcome) => outcome.kind === 'done' && onIssued(outcome.data),
  });
  const [now] = useState(Date.now);
  const state = stateOf(row, now);
  const isRevoked = row.revokedAt !== null;
  return (
    <tr>
      <th scope="row">
        {name}
        <span className="ht-table-page-note">
          <code>{key}</code>
        </span>
        {platform !== undefined && <span className="ht-table-page-note">{platform}</span>}
      </th>
      <td>{rightsText(rights)}</td>
      <td>
        {addresses.length === 0 ? '不限' : <Addresses all={addresses} />}
        {nonce === 1 && <span className="ht-table-page-note">要求一次性随机数</span>}
      </td>
      <td>{expiresAt === null ? '长期有效' : <Time value={expiresAt} near />}</td>
      <td>
        <span className="ht-gateway-key-state" data-tone={state.tone}>
          {state.text}
        </span>
        {lastUsedAt !== null && (
          <span className="ht-table-page-note">
            最近使用 <Time value={lastUsedAt} short />
          </span>
        )}
      </td>
      <td>
        {!isRevoked && (
          <>
            {row.issuedAt === null && (
              <GreyedAction
                disabledReason={issue.pending ? '正在签发' : undefined}
                onClick={() => void runWithErrorToast(() => issue.submit({ id }, newKey()))}
              >
                签发
              </GreyedAction>
            )}
            <GreyedAction onClick={onEdit}>编辑</GreyedAction>
            <RevokeKey id={id} name={name} verb="吊销" />
          </>
        )}
      </td>
    </tr>
  );
}

const ADDRESSES_SHOWN = 3;

/** The first addresses; hover gives all of them. */
function Addresses({ all }: { all: readonly string[] }) {
  const shown = all.slice(0, ADDRESSES_SHOWN).join('、');
  return <span title={all.join('、')}>{all.length > ADDRESSES_SHOWN ? `${shown} 等 ${all.length} 个` : shown}</span>;
}
