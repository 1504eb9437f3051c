import type { SigningKey } from '@hengtai/contract/risk/signing/schema';
import { operatorCell } from '../../../navigation/account-cells.tsx';
import { PageTable } from '../../../ui/table/PageTable.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { KeyFingerprint } from './Fingerprint.tsx';

/** Signing keys with the fingerprints that people compare with paper. */
export const KeyTable = ({ label, keys }: { label: string; keys: readonly SigningKey[] }) => (
  <PageTable label={label} titles={['签名人', '密钥指纹', '登记时间', '名册']}>
    {keys.map(({ key, person, publicKey, createdAt, inRoster }) => (
      <tr key={key}>
        <th scope="row">{operatorCell(person)}</th>
        <td>
          <KeyFingerprint publicKey={publicKey} />
        </td>
        <td>
          <Time value={createdAt} />
        </td>
        <td>{inRoster ? '在名册中' : <span className="ht-value-faint">未列入</span>}</td>
      </tr>
    ))}
  </PageTable>
);
