import { ADDRESS_LIST, RECENT_DAYS, addressList } from '@hengtai/contract/risk/address-list/calls';
import { addressLists } from '@hengtai/contract/risk/address-list/facts';
import { entryMemoText } from '@hengtai/contract/risk/address-list/memo';
import type { AddressEntry } from '@hengtai/contract/risk/address-list/schema';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { AFTER_APPROVAL } from '../../../actions/approval-words.ts';
import { useFourEyesLocked } from '../../../api/me.ts';
import { useRead } from '../../../api/hooks.ts';
import { PageLink } from '../../../navigation/PageLink.tsx';

/** Removes an address from its list: level 3, with the withdrawals to it of late, if payments to it pass then. */
export function RemoveDialog({ row, onClose }: { row: AddressEntry; onClose: () => void }) {
  const isLoosening = row.list !== ADDRESS_LIST.allowed;
  const needsChecker = useFourEyesLocked() && isLoosening;
  const recent = useRead(addressList.recent, { id: row.id });
  const consequence = isLoosening ? '此后提现到该地址不再因名单被拦下。' : '此后提现到该地址按设置需要筛查。';
  return (
    <ActionDialog
      call={addressList.remove}
      input={{ id: row.id }}
      title={`移出${addressLists[row.list]}`}
      verb="移出名单"
      needsChecker={needsChecker}
      details={[
        { label: '网络', value: row.network || '全部' },
        { label: '备注', value: entryMemoText(row) || '--' },
        { label: '原因', value: row.reason || '--', wide: true },
        {
          label: `近 ${RECENT_DAYS} 天提现到该地址`,
          value: recent.data ? (
            <PageLink to={`/withdraw?${new URLSearchParams({ address: row.address }).toString()}`}>
              {recent.data.withdraws} 笔
            </PageLink>
          ) : (
            '--'
          ),
          wide: true,
        },
      ]}
      address={{ label: '地址', value: row.address }}
      {...(isLoosening && { challenge: { label: '请输入地址的末六位以确认', expect: row.address.slice(-6) } })}
      query={recent}
      consequence={needsChecker ? `${AFTER_APPROVAL}：${consequence}` : consequence}
      successText="已移出名单"
      onClose={onClose}
    />
  );
}
