import { action, read } from '../../wire/endpoint.ts';
import { gatewayKeyActions } from './facts.ts';
import type {
  GatewayKeyIssued,
  GatewayKeyList,
  GatewayKeyRow,
  GatewayKeySave,
  GatewayPlatform,
  GatewayPlatformSave,
} from './schema.ts';
import type { IdInput } from '../../wire/schema.ts';
import type { EmptyInput } from '../session/schema.ts';

/** Keys of the gateway that are not revoked. */
export const GATEWAY_KEYS_MAX = 50;
export const GATEWAY_PLATFORMS_MAX = 20;

/** The keys of the gateway that operators manage. Those of the environment are valid besides. */
export const gatewayKey = {
  list: read<EmptyInput, GatewayKeyList>()('gateway_key/list', '网关密钥（仅限顶级管理员）'),
  save: action<GatewayKeySave, GatewayKeyRow>()(gatewayKeyActions.save, 'gateway_key/save', { record: 'list.keys' }),
  issue: action<IdInput, GatewayKeyIssued>()(gatewayKeyActions.issue, 'gateway_key/issue', { secretField: 'secret' }),
  platformSave: action<GatewayPlatformSave, GatewayPlatform>()(
    gatewayKeyActions.platformSave,
    'gateway_key/platform_save',
    { record: 'list.platforms' },
  ),
  revoke: action<IdInput, GatewayKeyRow>()(gatewayKeyActions.revoke, 'gateway_key/revoke'),
};
