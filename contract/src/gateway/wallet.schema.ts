import { Type } from '@sinclair/typebox';
import * as f from './fields.schema.ts';
import { Amount, Name, SignedAmount, Strict } from '../wire/schema.ts';

const Wallet = f.described(f.No, "the platform's own id of a wallet, text of 1 to 64 characters");
const Block = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'height of the block, integer from 0 to 2^53 - 1',
});

/** The data of events about wallets and what moved on chains. */
export const walletEvents = {
  /** One coin on one network. Only name and state change later. */
  'wallet.saved': Strict({
    wallet: Wallet,
    name: Type.Optional(f.described(Name(64), 'name of the wallet, text of 1 to 64 characters')),
    kind: Type.Union([
      Type.Literal('hot'),
      Type.Literal('warm'),
      Type.Literal('cold'),
      Type.Literal('deposit'),
      Type.Literal('gas'),
      Type.Literal('exchange'),
    ]),
    market: f.described(f.Market, 'marketName of a coin'),
    network: f.Network,
    address: Type.Optional(f.Address),
    memo: Type.Optional(f.Memo),
    state: f.choice({ 1: 'in use', 0: 'out of use' }),
  }),
  'wallet.balance': Strict({
    wallet: Wallet,
    amount: f.inUnit(Amount, 'the coin of the wallet'),
    block: Type.Optional(Block),
  }),
  'chain.moved': Strict({
    no: f.No,
    wallet: Wallet,
    amount: f.described(SignedAmount, 'decimal string in the coin of the wallet: positive came in, negative went out'),
    txHash: f.TxHash,
    index: Type.Optional(f.TxIndex),
    address: Type.Optional(f.described(f.Address, 'address of the other side, text of 1 to 256 characters')),
    memo: Type.Optional(f.Memo),
    kind: Type.Union([
      Type.Literal('deposit'),
      Type.Literal('payout'),
      Type.Literal('move'),
      Type.Literal('fee'),
      Type.Literal('other'),
    ]),
    fee: Type.Optional(f.described(Amount, `${Amount.description}, what the chain took, in feeMarket`)),
    feeMarket: Type.Optional(
      f.described(f.Market, 'coin of fee, text of 1 to 32 characters; the coin of the wallet if absent'),
    ),
    record: Type.Optional(
      f.described(f.No, 'no of the recharge, withdrawal or wallet transfer, text of 1 to 64 characters'),
    ),
    attempt: Type.Optional(f.Attempt),
    block: Type.Optional(Block),
  }),
  'chain.reverted': Strict({ no: f.described(f.No, 'no of the move, text of 1 to 64 characters') }),
};
