import { ABILITY } from '../../authority/ability.ts';
import { targetText } from '../../authority/target.ts';
import { entryLabels, systemAccountLabels } from '../../values/money.ts';
import { action, listCall, read } from '../../wire/endpoint.ts';
import { houseActions } from './facts.ts';
import type {
  HouseEntry,
  HouseEntrySum,
  HouseList,
  HouseListInput,
  HousePreview,
  HousePreviewInput,
  HouseTransfer,
  HouseTransferred,
} from './schema.ts';

/** The record that an entry of the house belongs to. */
export const houseEntryTarget = ({ refType, refId }: Pick<HouseEntry, 'refType' | 'refId'>) => ({
  targetType: refType,
  targetId: refId,
});

/** Whether a transfer is paid on a chain, and so needs the hash: what enters or leaves custody. */
export const isOnChain = ({ from, to }: Pick<HouseTransfer, 'from' | 'to'>): boolean =>
  from === 'custody' || to === 'custody';

const refText = (row: Pick<HouseEntry, 'refType' | 'refId'>): string => targetText(houseEntryTarget(row));

const entries = {
  filters: [
    { field: 'house', label: '平台账户', kind: 'eq', type: 'text', options: systemAccountLabels },
    { field: 'marketId', label: '币种', kind: 'eq', type: 'id' },
    { field: 'type', label: '类型', kind: 'eq', type: 'int', options: entryLabels, several: true },
    { field: 'id', label: '编号', kind: 'eq', type: 'id', more: true },
    { field: 'refId', label: '关联编号', kind: 'eq', type: 'id', more: true },
  ],
  columns: [
    { field: 'id', title: '编号', kind: 'id' },
    { field: 'house', title: '平台账户', kind: 'state', labels: systemAccountLabels },
    { field: 'type', title: '类型', kind: 'state', labels: entryLabels },
    { field: 'marketName', title: '币种', kind: 'text' },
    { field: 'amount', title: '变动', kind: 'amount', signed: true },
    { field: 'account', title: '用户账号', kind: 'user' },
    { field: 'createdAt', title: '记账时间', kind: 'time' },
    { field: 'refId', title: '关联', kind: 'text', text: refText },
    { field: 'operator', title: '操作员', kind: 'operator' },
    { field: 'remark', title: '备注', kind: 'text' },
    { field: 'txHash', title: '交易哈希', kind: 'hash' },
    { field: 'happenedAt', title: '业务时间', kind: 'time' },
    { field: 'userId', title: '用户编号', kind: 'id' },
  ],
  sums: ['amount'],
  views: [{ name: '平台划转', query: 'type=30' }],
} as const;

/** The accounts of the house. All calls require full scope; reading takes ability 2 or 12. */
export const house = {
  list: read<HouseListInput, HouseList>()('house/list', '平台账户'),
  entries: listCall<HouseEntry, HouseEntrySum>()('house/entries', '平台账户明细', entries),
  /** What a transfer would change. */
  preview: read<HousePreviewInput, HousePreview>()('house/preview', '平台账户划转预览', { ability: ABILITY.assets }),
  transfer: action<HouseTransfer, HouseTransferred>()(houseActions.transfer, 'house/transfer'),
};
