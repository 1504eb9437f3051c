import { type Roster, type RosterKey, groupDigest } from '@hengtai/contract/risk/signing/text';
import { fingerprintOf } from './digest.ts';
import type { Block, Row, View } from './view.ts';

/** The roster, and what it changes in the one before; undefined for the first. */
export async function rosterView(roster: Roster, digest: string, before: Roster | undefined): Promise<View> {
  const { version, previous } = roster;
  const isAdded = (key: RosterKey): boolean => !before || !includes(before.keys, key);
  const blocks: Block[] = [
    {
      title: '名册',
      rows: [
        { label: '名册指纹', value: groupDigest(digest), look: 'large' },
        { label: '版本', value: before ? `${before.version} → ${version}` : String(version) },
        previous === null
          ? { label: '上一版指纹', value: '无（首版）' }
          : { label: '上一版指纹', value: groupDigest(previous), look: 'code' },
        changedRow('签名人数', before?.threshold, roster.threshold, (count) => `${count} 人`),
        changedRow('签名页域名', before?.relyingParty, roster.relyingParty, (host) => host),
        ...originRows(roster.origins, before?.origins ?? roster.origins),
      ],
    },
    ...(await keyBlocks(roster.keys.filter(isAdded), 'added')),
    ...(await keyBlocks(before?.keys.filter((key) => !includes(roster.keys, key)) ?? [], 'removed')),
    ...(await keyBlocks(
      roster.keys.filter((key) => !isAdded(key)),
      'kept',
    )),
  ];
  return {
    title: before ? '签名名册变更' : '签名首版名册',
    lead: before
      ? '名册决定谁的签名能打款。请逐一核对新增的密钥指纹，与本人抄写的一致才签名。'
      : '首版名册须与每位签名人抄写的密钥指纹逐一核对，名册指纹抄写在纸上，由钱包管理员据此固定。',
    blocks,
  };
}

const isSame = (a: RosterKey, b: RosterKey): boolean =>
  a.id === b.id && a.person === b.person && a.publicKey === b.publicKey;

const includes = (keys: readonly RosterKey[], key: RosterKey): boolean => keys.some((one) => isSame(one, key));

const keyBlocks = (keys: readonly RosterKey[], tag: NonNullable<Block['tag']>): Promise<Block[]> =>
  Promise.all(keys.map((key) => keyBlock(key, tag)));

async function keyBlock({ id, person, publicKey }: RosterKey, tag: NonNullable<Block['tag']>): Promise<Block> {
  return {
    title: '签名人',
    subject: person,
    tag,
    rows: [
      { label: '密钥指纹', value: groupDigest(await fingerprintOf(publicKey)), look: 'code' },
      { label: '公钥', value: publicKey, look: 'code' },
      { label: '密钥编号', value: id, look: 'code' },
    ],
  };
}

function changedRow<T>(label: string, before: T | undefined, now: T, textOf: (value: T) => string): Row {
  return before === undefined || before === now
    ? { label, value: textOf(now) }
    : { label, value: `${textOf(before)} → ${textOf(now)}`, look: 'changed' };
}

function originRows(now: readonly string[], before: readonly string[]): Row[] {
  const gone = before.filter((origin) => !now.includes(origin));
  return [
    ...now.map((origin): Row => {
      const isNew = !before.includes(origin);
      return { label: isNew ? '新增签名页地址' : '签名页地址', value: origin, look: isNew ? 'changed' : 'code' };
    }),
    ...gone.map((origin): Row => ({ label: '移除签名页地址', value: origin, look: 'changed' })),
  ];
}
