import type { KycRow } from '@hengtai/contract/risk/kyc/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { type TestServer, apply, call } from './server.ts';

/** The smallest valid image of each accepted type. */
export const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const JPEG = `data:image/jpeg;base64,${Buffer.from('ffd8ffe000104a46494600', 'hex').toString('base64')}`;
export const WEBP = `data:image/webp;base64,${Buffer.from('RIFF\u0004\u0000\u0000\u0000WEBPVP8 ', 'latin1').toString('base64')}`;

export const bytesOf = (dataUrl: string): Buffer => Buffer.from(dataUrl.split(',')[1] ?? '', 'base64');

export interface Submission {
  name?: string;
  country?: string;
  idType?: number;
  idNumber?: string;
  level?: number;
  front?: string;
  back?: string;
  holding?: string;
}

export const kycSubmission = (account: string, overrides: Submission = {}) => ({
  account,
  name: '欧阳晓明',
  country: '中国',
  idType: 1,
  idNumber: '110105194912310021',
  level: 1,
  front: PNG,
  back: JPEG,
  ...overrides,
});

/** Submits a user's documents as the platform. Returns the row as the token's operator sees it. */
export async function submitKyc(
  server: TestServer,
  token: string,
  account: string,
  overrides: Submission = {},
): Promise<KycRow> {
  await apply(server, { type: 'auth.submitted', data: kycSubmission(account, overrides) });
  return fetchLastKyc(server, token, account);
}

export async function fetchLastKyc(server: TestServer, token: string, account: string): Promise<KycRow> {
  const { data } = await call<Page<KycRow>>(server, 'GET', 'auth/list', { account }, { token });
  const row = data.list[0];
  if (!row) throw new Error(`${account} has submitted nothing`);
  return row;
}
