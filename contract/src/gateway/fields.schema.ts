import { type TSchema, Type } from '@sinclair/typebox';
import { DECIMALS_MAX } from '../wire/input-values.ts';
import { KYC_IMAGE_BYTES_MAX } from '../risk/kyc/calls.ts';
import { Account, Amount, OpaqueText, PositiveAmount } from '../wire/schema.ts';

// Fields of events and commands. The descriptions are for the engineers of the platform: errors and the OpenAPI document quote
// them.

/** The schema with a description of its own, for example with a unit. */
export const described = <S extends TSchema>(schema: S, description: string): S => ({ ...schema, description });
/** An amount with its unit. */
export const inUnit = <S extends TSchema>(schema: S, unit: string): S =>
  described(schema, `${schema.description}, in ${unit}`);

/** A number of the wire that stands for a word. */
export const choice = (options: Readonly<Record<number, string>>) =>
  Type.Union(
    Object.keys(options).map((value) => Type.Literal(Number(value))),
    {
      description: Object.entries(options)
        .map(([value, word]) => `${value} ${word}`)
        .join(', '),
    },
  );

export const No = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[^\\u0000-\\u001f\\u007f]+$',
  description: 'number chosen by the platform, text of 1 to 64 characters',
});
export const Market = Type.String({ minLength: 1, maxLength: 32, description: 'marketName of a market' });
export const Network = Type.String({ minLength: 1, maxLength: 32, description: 'network of a coin, such as TRC20' });
export const AccountType = choice({ 1: 'funding', 2: 'spot', 3: 'futures', 4: 'second contracts' });
export const Confirmations = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  description: 'number of block confirmations',
});
export const User = described(Account, 'account of a user');
export const Operator = described(Account, 'account of an operator');
export const Address = described(OpaqueText, 'address on the network, text of 1 to 256 characters');
export const TxHash = described(OpaqueText, 'transaction hash, text of 1 to 256 characters');
export const TxIndex = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  description: 'number of the output or event in its transaction, from 0',
});
export const Attempt = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'attempt of the payout, as in withdraw.payout',
});
export const Memo = Type.String({ maxLength: 256, description: 'memo or tag of the address, at most 256 characters' });
export const OnOff = choice({ 1: 'on', 0: 'off' });
export const Decimals = Type.Integer({ minimum: 0, maximum: DECIMALS_MAX, description: 'number of decimals' });
export const CoinAmount = inUnit(PositiveAmount, 'the coin of the market');
export const CoinFee = inUnit(Amount, 'the coin of the market');
export const UsdtAmount = inUnit(PositiveAmount, 'USDT');
export const UsdtFee = inUnit(Amount, 'USDT');

/** Characters of a picture of up to 256 KiB in base64. */
const PICTURE_MAX = 360_000;
export const Voucher = Type.String({
  maxLength: PICTURE_MAX,
  pattern:
    '^(?![Dd][Aa][Tt][Aa]:)[^\\u0000-\\u001f]{0,2048}$|^data:image/(png|jpeg|webp|svg\\+xml);base64,[A-Za-z0-9+/]+={0,2}$',
  description: 'address of the picture of the voucher, or the picture as a data: URL',
});

/** Characters in base64 of at most `KYC_IMAGE_BYTES_MAX` bytes. */
const PHOTO_MAX = Math.ceil(KYC_IMAGE_BYTES_MAX / 3) * 4;
/** The server checks the bytes of a data: URL before it stores them, because the declared type proves nothing. */
export const Photo = Type.String({
  minLength: 1,
  maxLength: PHOTO_MAX + 32,
  pattern:
    '^(?:https?://|(?![A-Za-z][A-Za-z0-9+.-]*:))[^\\u0000-\\u001f\\u007f]{1,2040}$|^data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$',
  description: 'address of an image at the platform, or the image as a data: URL',
});
