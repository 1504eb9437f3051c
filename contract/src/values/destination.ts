/** How accounts of a network are written. The keys are stored. */
export const families = {
  evm: 'EVM',
  bitcoin: '比特币',
  bitcoincash: '比特币现金',
  litecoin: '莱特币',
  dogecoin: '狗狗币',
  tron: '波场',
  ton: 'TON',
  xrp: 'XRP',
  stellar: '恒星',
  solana: 'Solana',
  substrate: 'Substrate',
  aptos: 'Aptos',
  sui: 'Sui',
  near: 'NEAR',
  cosmos: 'Cosmos',
  cardano: '卡尔达诺',
  filecoin: 'Filecoin',
  hedera: 'Hedera',
  monero: '门罗币',
  eos: 'EOS',
  opaque: '按原文比较',
} as const;
export type Family = keyof typeof families;
export const familyKeys = Object.keys(families) as Family[];

const MEMO_FAMILIES: readonly Family[] = ['xrp', 'stellar', 'monero', 'ton', 'cosmos', 'hedera', 'eos'];

/** Whether a memo is part of the destination. In other families a memo is kept and shown, and means nothing. */
export const hasMemo = (family: Family): boolean => MEMO_FAMILIES.includes(family);

/** Why a destination is not written as its network demands. Each is the risk 地址格式不符. */
const destinationFaults = {
  unreadable: '地址无法识别',
  checksum: '地址校验和不符',
  test_network: '测试网络的地址',
  prefix: '地址前缀缺失或不符',
  memo_contradicts: '地址自带的备注与填写的备注不一致',
  memo_format: '备注格式不符',
} as const;
export type DestinationFault = keyof typeof destinationFaults;

/** What a reviewer should know of the text of a destination. */
const destinationMarks = { other_network: '其他网络的写法' } as const;
export type DestinationMark = keyof typeof destinationMarks;
