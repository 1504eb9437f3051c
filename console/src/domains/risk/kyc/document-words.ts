import type { KycDocument, KycDocumentKind, KycDocumentMark } from '@hengtai/contract/risk/kyc/schema';

export const documentKinds: Readonly<Record<KycDocumentKind, string>> = {
  resident: '居民身份证',
  hongKong: '港澳台居民居住证（香港）',
  macau: '港澳台居民居住证（澳门）',
  taiwan: '港澳台居民居住证（台湾）',
  permanent: '外国人永久居留身份证',
  other: '其他证件',
};

export const documentMarks: Readonly<Record<KycDocumentMark, string>> = {
  check: '校验码不符',
  birth: '出生日期不存在',
  minor: '未满 18 岁',
  name: '姓名不含汉字',
  country: '与填写的国家/地区不符',
  type: '与填写的证件类型不符',
};

export const sexes: Readonly<Record<NonNullable<KycDocument['sex']>, string>> = { 1: '男', 2: '女' };
