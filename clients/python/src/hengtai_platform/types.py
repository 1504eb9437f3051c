"""Types of events and commands.

Generated from docs/openapi.json. `npx vitest run clients/generate -u` writes it again.
"""

from typing import List, Literal, Optional, TypedDict, Union


class _AgentRegisteredDataRequired(TypedDict):
    account: str  # account of the new agent


class AgentRegisteredData(_AgentRegisteredDataRequired, total=False):
    parent: str  # account of the agent above; the admin if absent
    remark: str


class AgentRegisteredEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["agent.registered"]
    data: AgentRegisteredData


class _UserRegisteredDataRequired(TypedDict):
    account: str  # account of the new user


class UserRegisteredData(_UserRegisteredDataRequired, total=False):
    agent: str  # account of the agent; the admin if absent
    remark: str


class UserRegisteredEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["user.registered"]
    data: UserRegisteredData


class _UserLoginDataRequired(TypedDict):
    account: str  # account of a user
    ip: str  # IPv4 or IPv6 address


class UserLoginData(_UserLoginDataRequired, total=False):
    device: str  # name of the device, text of 1 to 64 characters


class UserLoginEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["user.login"]
    data: UserLoginData


class UserCredentialData(TypedDict):
    account: str  # account of a user
    kind: Literal["password", "otp", "phone", "mail"]


class UserCredentialEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["user.credential"]
    data: UserCredentialData


class _RechargeDetectedDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    account: str  # account of a user
    market: str  # marketName of a market
    network: str  # network of a coin, such as TRC20
    address: str  # address on the network, text of 1 to 256 characters
    amount: str  # decimal string above zero, in the coin of the market
    confirmations: int  # number of block confirmations
    source: Literal[1, 2]  # 1 detected on chain, 2 a voucher uploaded by the user


class RechargeDetectedData(_RechargeDetectedDataRequired, total=False):
    txHash: str  # transaction hash, text of 1 to 256 characters
    voucher: str  # address of the picture of the voucher, or the picture as a data: URL
    memo: str  # memo or tag of the address, at most 256 characters
    index: int  # number of the output or event in its transaction, from 0


class RechargeDetectedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["recharge.detected"]
    data: RechargeDetectedData


class _RechargeCreditedDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters


class RechargeCreditedData(_RechargeCreditedDataRequired, total=False):
    account: str  # account of a user
    market: str  # marketName of a market
    network: str  # network of a coin, such as TRC20
    address: str  # address on the network, text of 1 to 256 characters
    txHash: str  # transaction hash, text of 1 to 256 characters
    amount: str  # decimal string above zero, in the coin of the market
    confirmations: int  # number of block confirmations
    source: Literal[1, 2]  # 1 detected on chain, 2 a voucher uploaded by the user
    voucher: str  # address of the picture of the voucher, or the picture as a data: URL
    memo: str  # memo or tag of the address, at most 256 characters
    index: int  # number of the output or event in its transaction, from 0


class RechargeCreditedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["recharge.credited"]
    data: RechargeCreditedData


class _RechargeFailedDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters


class RechargeFailedData(_RechargeFailedDataRequired, total=False):
    remark: str


class RechargeFailedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["recharge.failed"]
    data: RechargeFailedData


class _RechargeReversedDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters


class RechargeReversedData(_RechargeReversedDataRequired, total=False):
    remark: str


class RechargeReversedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["recharge.reversed"]
    data: RechargeReversedData


class _WithdrawImportedDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    account: str  # account of a user
    market: str  # marketName of a market
    network: str  # network of a coin, such as TRC20
    address: str  # address on the network, text of 1 to 256 characters
    amount: str  # decimal string above zero, in the coin of the market, fee included
    fee: str  # decimal string, in the coin of the market
    state: Literal[4, 5, 6, 9]  # 4 paid, 5 rejected, 6 cancelled, 9 refunded


class WithdrawImportedData(_WithdrawImportedDataRequired, total=False):
    memo: str  # memo or tag of the address, at most 256 characters
    txHash: str  # transaction hash, text of 1 to 256 characters
    reason: str
    by: str  # account of an operator
    reviewedAt: int  # unix milliseconds
    secondBy: str  # account of an operator
    booked: bool  # whether the record takes its cost from the balance


class WithdrawImportedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["withdraw.imported"]
    data: WithdrawImportedData


class _WithdrawRequestedDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    account: str  # account of a user
    market: str  # marketName of a market
    network: str  # network of a coin, such as TRC20
    address: str  # address on the network, text of 1 to 256 characters
    amount: str  # decimal string above zero, in the coin of the market, fee included
    fee: str  # decimal string, in the coin of the market


class WithdrawRequestedData(_WithdrawRequestedDataRequired, total=False):
    memo: str  # memo or tag of the address, at most 256 characters


class WithdrawRequestedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["withdraw.requested"]
    data: WithdrawRequestedData


class WithdrawCancelledData(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters


class WithdrawCancelledEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["withdraw.cancelled"]
    data: WithdrawCancelledData


class _WithdrawPayingDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters


class WithdrawPayingData(_WithdrawPayingDataRequired, total=False):
    attempt: int  # attempt of the payout, as in withdraw.payout
    txHash: str  # transaction hash, text of 1 to 256 characters


class WithdrawPayingEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["withdraw.paying"]
    data: WithdrawPayingData


class _WithdrawPaidDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    txHash: str  # transaction hash, text of 1 to 256 characters


class WithdrawPaidData(_WithdrawPaidDataRequired, total=False):
    attempt: int  # attempt of the payout, as in withdraw.payout
    index: int  # number of the output or event in its transaction, from 0
    chainFee: str  # decimal string, what the chain took, in feeMarket
    feeMarket: str  # coin of chainFee, text of 1 to 32 characters; that of the withdrawal if absent


class WithdrawPaidEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["withdraw.paid"]
    data: WithdrawPaidData


class _WithdrawFailedDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters


class WithdrawFailedData(_WithdrawFailedDataRequired, total=False):
    attempt: int  # attempt of the payout, as in withdraw.payout
    reason: str


class WithdrawFailedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["withdraw.failed"]
    data: WithdrawFailedData


class _WithdrawUnknownDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters


class WithdrawUnknownData(_WithdrawUnknownDataRequired, total=False):
    attempt: int  # attempt of the payout, as in withdraw.payout
    reason: str


class WithdrawUnknownEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["withdraw.unknown"]
    data: WithdrawUnknownData


class _WalletSavedDataRequired(TypedDict):
    wallet: str  # the platform's own id of a wallet, text of 1 to 64 characters
    kind: Literal["hot", "warm", "cold", "deposit", "gas", "exchange"]
    market: str  # marketName of a coin
    network: str  # network of a coin, such as TRC20
    state: Literal[0, 1]  # 0 out of use, 1 in use


class WalletSavedData(_WalletSavedDataRequired, total=False):
    name: str  # name of the wallet, text of 1 to 64 characters
    address: str  # address on the network, text of 1 to 256 characters
    memo: str  # memo or tag of the address, at most 256 characters


class WalletSavedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["wallet.saved"]
    data: WalletSavedData


class _WalletBalanceDataRequired(TypedDict):
    wallet: str  # the platform's own id of a wallet, text of 1 to 64 characters
    amount: str  # decimal string, in the coin of the wallet


class WalletBalanceData(_WalletBalanceDataRequired, total=False):
    block: int  # height of the block, integer from 0 to 2^53 - 1


class WalletBalanceEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["wallet.balance"]
    data: WalletBalanceData


class _ChainMovedDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    wallet: str  # the platform's own id of a wallet, text of 1 to 64 characters
    amount: str  # decimal string in the coin of the wallet: positive came in, negative went out
    txHash: str  # transaction hash, text of 1 to 256 characters
    kind: Literal["deposit", "payout", "move", "fee", "other"]


class ChainMovedData(_ChainMovedDataRequired, total=False):
    index: int  # number of the output or event in its transaction, from 0
    address: str  # address of the other side, text of 1 to 256 characters
    memo: str  # memo or tag of the address, at most 256 characters
    fee: str  # decimal string, what the chain took, in feeMarket
    feeMarket: str  # coin of fee, text of 1 to 32 characters; the coin of the wallet if absent
    record: str  # no of the recharge, withdrawal or wallet transfer, text of 1 to 64 characters
    attempt: int  # attempt of the payout, as in withdraw.payout
    block: int  # height of the block, integer from 0 to 2^53 - 1


class ChainMovedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["chain.moved"]
    data: ChainMovedData


class ChainRevertedData(TypedDict):
    no: str  # no of the move, text of 1 to 64 characters


class ChainRevertedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["chain.reverted"]
    data: ChainRevertedData


class _ScreenAnsweredDataRequired(TypedDict):
    no: str  # number of the request, from the command screen.requested
    provider: str  # name of the provider, text of 1 to 64 characters
    result: Literal["clear", "hit", "unknown"]  # clear: nothing found; hit: must not pass; unknown: the provider cannot tell


class ScreenAnsweredData(_ScreenAnsweredDataRequired, total=False):
    score: int  # risk, 0 to 100
    categories: List[str]  # what was found, at most 20 texts of 1 to 64 characters
    reference: str  # the provider's number, text of 1 to 128 characters


class ScreenAnsweredEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["screen.answered"]
    data: ScreenAnsweredData


class _AuthSubmittedDataRequired(TypedDict):
    account: str  # account of a user
    name: str
    country: str
    idType: Literal[1, 2, 3]  # 1 identity card, 2 passport, 3 driving licence
    idNumber: str
    level: Literal[1, 2]  # 1 basic, 2 advanced
    front: str  # address of an image at the platform, or the image as a data: URL
    back: str  # address of an image at the platform, or the image as a data: URL


class AuthSubmittedData(_AuthSubmittedDataRequired, total=False):
    holding: str  # address of an image at the platform, or the image as a data: URL


class AuthSubmittedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["auth.submitted"]
    data: AuthSubmittedData


class _AuthImportedDataRequired(TypedDict):
    account: str  # account of a user
    name: str
    country: str
    idType: Literal[1, 2, 3]  # 1 identity card, 2 passport, 3 driving licence
    idNumber: str
    level: Literal[1, 2]  # 1 basic, 2 advanced
    state: Literal[1, 2]  # 1 passed, 2 rejected


class AuthImportedData(_AuthImportedDataRequired, total=False):
    front: str  # address of an image at the platform, or the image as a data: URL
    back: str  # address of an image at the platform, or the image as a data: URL
    holding: str  # address of an image at the platform, or the image as a data: URL
    reason: str
    by: str  # account of an operator
    reviewedAt: int  # unix milliseconds


class AuthImportedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["auth.imported"]
    data: AuthImportedData


class IeoOrderedData(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    account: str  # account of a user
    market: str  # marketName of a market
    price: str  # decimal string above zero, in USDT
    amount: str  # decimal string above zero, in the coin of the market


class IeoOrderedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["ieo.ordered"]
    data: IeoOrderedData


class IeoCancelledData(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters


class IeoCancelledEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["ieo.cancelled"]
    data: IeoCancelledData


class _IeoImportedDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    account: str  # account of a user
    market: str  # marketName of a market
    price: str  # decimal string above zero, in USDT
    amount: str  # decimal string above zero, in the coin of the market
    state: Literal[1, 2, 3]  # 1 passed, 2 rejected, 3 cancelled


class IeoImportedData(_IeoImportedDataRequired, total=False):
    reason: str
    by: str  # account of an operator
    reviewedAt: int  # unix milliseconds
    secondBy: str  # account of an operator
    booked: bool  # whether the record takes its cost from the balance


class IeoImportedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["ieo.imported"]
    data: IeoImportedData


class TransferMadeData(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    account: str  # account of a user
    toAccount: str  # account of a user
    market: str  # marketName of a market
    platform: Literal[1, 2, 3, 4]  # 1 funding, 2 spot, 3 futures, 4 second contracts
    toPlatform: Literal[1, 2, 3, 4]  # 1 funding, 2 spot, 3 futures, 4 second contracts
    amount: str  # decimal string above zero, in the coin of the market


class TransferMadeEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["transfer.made"]
    data: TransferMadeData


class BalanceImportedData(TypedDict):
    account: str  # account of a user
    market: str  # marketName of a market
    platform: Literal[1, 2, 3, 4]  # 1 funding, 2 spot, 3 futures, 4 second contracts
    active: str  # decimal string above zero, in the coin of the market


class BalanceImportedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["balance.imported"]
    data: BalanceImportedData


class _BalanceAdjustedDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    batch: str  # number of the whole action, text of 1 to 64 characters
    kind: Literal[1, 2, 3, 4]  # 1 split, 2 airdrop, 3 redenomination, 4 delisting
    account: str  # account of a user
    market: str  # marketName of a market
    platform: Literal[1, 2, 3, 4]  # 1 funding, 2 spot, 3 futures, 4 second contracts
    amount: str  # decimal string in the coin: positive is added, negative is taken
    reason: str  # text of 1 to 200 characters, shown to operators


class BalanceAdjustedData(_BalanceAdjustedDataRequired, total=False):
    balance: str  # decimal string, expected active balance afterwards


class BalanceAdjustedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["balance.adjusted"]
    data: BalanceAdjustedData


class _OrderPlacedDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    account: str  # account of a user
    market: str  # marketName of a market
    side: Literal[1, 2]  # 1 buy, 2 sell
    type: Literal[1, 2]  # 1 limit, 2 market


class OrderPlacedData(_OrderPlacedDataRequired, total=False):
    price: str  # decimal string above zero, in USDT
    amount: str  # decimal string above zero, in the coin of the market
    funds: str  # decimal string above zero, in USDT


class OrderPlacedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["order.placed"]
    data: OrderPlacedData


class _OrderFilledDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    tradeNo: str  # number chosen by the platform, text of 1 to 64 characters
    price: str  # decimal string above zero, in USDT
    amount: str  # decimal string above zero, in the coin of the market
    fee: str  # decimal string, in `feeCoin`; negative is paid to the user


class OrderFilledData(_OrderFilledDataRequired, total=False):
    feeCoin: str  # marketName of the coin of the fee; what the user receives if absent


class OrderFilledEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["order.filled"]
    data: OrderFilledData


class OrderCancelledData(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters


class OrderCancelledEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["order.cancelled"]
    data: OrderCancelledData


class SecondOpenedData(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    account: str  # account of a user
    market: str  # marketName of a market
    side: Literal[1, 2]  # 1 higher, 2 lower
    seconds: int  # length in seconds, one of those of GET seconds
    amount: str  # decimal string above zero, in USDT


class SecondOpenedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["second.opened"]
    data: SecondOpenedData


class _FollowOpenedDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    account: str  # account of a user
    signal: str  # number of a signal of the back office
    amount: str  # decimal string above zero, in USDT


class FollowOpenedData(_FollowOpenedDataRequired, total=False):
    auto: bool  # whether the platform followed on behalf of the user


class FollowOpenedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["follow.opened"]
    data: FollowOpenedData


class FollowClosedData(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    profit: str  # decimal string, may be negative, in USDT


class FollowClosedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["follow.closed"]
    data: FollowClosedData


class _PositionPlacedDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    account: str  # account of a user
    market: str  # marketName of a market
    demo: Literal[0, 1]  # 0 with money, 1 without money
    side: Literal[1, 2]  # 1 long, 2 short
    type: Literal[1, 2]  # 1 limit, 2 market
    leverage: int
    amount: str  # decimal string above zero, in the coin of the market
    margin: str  # decimal string above zero, in USDT


class PositionPlacedData(_PositionPlacedDataRequired, total=False):
    price: str  # decimal string above zero, in USDT


class PositionPlacedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["position.placed"]
    data: PositionPlacedData


class _PositionOpenedDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    price: str  # decimal string above zero, in USDT
    fee: str  # decimal string, in USDT


class PositionOpenedData(_PositionOpenedDataRequired, total=False):
    amount: str  # decimal string, part of the order; all that is not open if absent
    entryPrice: str  # decimal string in USDT, average price of the position afterwards


class PositionOpenedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["position.opened"]
    data: PositionOpenedData


class _PositionIncreasedDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    tradeNo: str  # number chosen by the platform, text of 1 to 64 characters
    amount: str  # decimal string above zero, in the coin of the market
    price: str  # decimal string above zero, in USDT
    fee: str  # decimal string, in USDT
    margin: str  # decimal string in USDT, added to the margin


class PositionIncreasedData(_PositionIncreasedDataRequired, total=False):
    entryPrice: str  # decimal string in USDT, average price of the position afterwards


class PositionIncreasedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["position.increased"]
    data: PositionIncreasedData


class _PositionFlippedDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    closeNo: str  # number chosen by the platform, text of 1 to 64 characters
    newNo: str  # number of the new position
    amount: str  # decimal string, amount of the new position
    price: str  # decimal string above zero, in USDT
    fee: str  # decimal string, in USDT
    margin: str  # decimal string in USDT, margin of the new position


class PositionFlippedData(_PositionFlippedDataRequired, total=False):
    realized: str  # decimal string in USDT, profit or loss of the close, before the fee


class PositionFlippedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["position.flipped"]
    data: PositionFlippedData


class _PositionChangedDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters


class PositionChangedData(_PositionChangedDataRequired, total=False):
    takeProfit: str  # decimal string, in USDT
    stopLoss: str  # decimal string, in USDT
    margin: str  # decimal string above zero, in USDT


class PositionChangedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["position.changed"]
    data: PositionChangedData


class _PositionClosedDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    closeNo: str  # number chosen by the platform, text of 1 to 64 characters
    amount: str  # decimal string above zero, in the coin of the market
    price: str  # decimal string above zero, in USDT
    fee: str  # decimal string, in USDT
    closeType: Literal[1, 2, 3, 5]  # 1 by the user, 2 take-profit, 3 stop-loss, 5 command of an operator


class PositionClosedData(_PositionClosedDataRequired, total=False):
    realized: str  # decimal string in USDT, profit or loss of the close, before the fee


class PositionClosedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["position.closed"]
    data: PositionClosedData


class _PositionLiquidatedDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    closeNo: str  # number chosen by the platform, text of 1 to 64 characters
    price: str  # decimal string above zero, in USDT
    fee: str  # decimal string, in USDT


class PositionLiquidatedData(_PositionLiquidatedDataRequired, total=False):
    realized: str  # decimal string in USDT, profit or loss of the close, before the fee


class PositionLiquidatedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["position.liquidated"]
    data: PositionLiquidatedData


class PositionCancelledData(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters


class PositionCancelledEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["position.cancelled"]
    data: PositionCancelledData


class FundingPaidData(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    position: str  # number of the position
    amount: str  # decimal string in USDT: positive is paid to the user, negative by the user


class FundingPaidEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["funding.paid"]
    data: FundingPaidData


class _MessageReceivedDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    account: str  # account of a user
    text: str


class MessageReceivedData(_MessageReceivedDataRequired, total=False):
    image: str  # address of an image at the platform, or the image as a data: URL


class MessageReceivedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["message.received"]
    data: MessageReceivedData


class _MarketSavedDataNetworksRequired(TypedDict):
    network: str  # network of a coin, such as TRC20


class MarketSavedDataNetworks(_MarketSavedDataNetworksRequired, total=False):
    recharge: Literal[0, 1]  # 0 deposits as they are; of a new network closed, 1 deposits open
    withdraw: Literal[0, 1]  # 0 without effect, 1 without effect
    fee: str  # decimal string, in the coin of the market
    explorer: str  # URL template with {tx} for the hash


class _MarketSavedDataRequired(TypedDict):
    market: str  # marketName of the market
    version: int  # integer from 1 to 2^53 - 1, higher than that of every earlier event


class MarketSavedData(_MarketSavedDataRequired, total=False):
    base: str  # coin that a new pair trades
    quote: str  # coin that a new pair is quoted in
    state: Literal[0, 1, 2]  # 0 unlisted, 1 listed, 2 suspended
    spot: Literal[0, 1]  # 0 off, 1 on
    future: Literal[0, 1]  # 0 off, 1 on
    second: Literal[0, 1]  # 0 off, 1 on
    ieo: Literal[0, 1]  # 0 off, 1 on
    pricePrecision: int  # number of decimals
    amountPrecision: int  # number of decimals
    minAmount: str  # decimal string, in the coin of the market
    maxAmount: str  # decimal string, in the coin of the market
    makerFee: str  # decimal string, ratio; negative is paid to the maker
    takerFee: str  # decimal string, ratio
    maxLeverage: int  # highest leverage
    maintenanceRate: str  # decimal string, ratio
    rechargeState: Literal[0, 1]  # 0 leaves them as they are, 1 opens deposits
    networks: List[MarketSavedDataNetworks]  # networks to be listed


class MarketSavedEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["market.saved"]
    data: MarketSavedData


class _TickDataRequired(TypedDict):
    market: str  # marketName of a market
    price: str  # decimal string above zero, in USDT
    at: int  # time of the price, in unix milliseconds


class TickData(_TickDataRequired, total=False):
    volume: str  # decimal string, traded amount of the coin


class TickEvent(TypedDict):
    eventId: str
    at: int
    type: Literal["tick"]
    data: TickData


class _EventAnswerRequired(TypedDict):
    eventId: str
    result: Literal["applied", "duplicate", "rejected"]


class EventAnswer(_EventAnswerRequired, total=False):
    reason: str
    detail: str  # place in the list of events and what is expected there


class WithdrawPayoutCommandDataSignatures(TypedDict):
    key: str  # id of the key in the roster
    consent: str  # canonical JSON whose SHA-256 is the challenge
    authenticatorData: str  # base64url
    clientDataJSON: str  # base64url
    signature: str  # base64url of an ES256 signature in DER


class WithdrawPayoutCommandDataMandateSignatures(TypedDict):
    key: str  # id of the key in the roster
    consent: str  # canonical JSON whose SHA-256 is the challenge
    authenticatorData: str  # base64url
    clientDataJSON: str  # base64url
    signature: str  # base64url of an ES256 signature in DER


class WithdrawPayoutCommandDataMandate(TypedDict):
    text: str  # canonical JSON of the mandate
    signatures: List[WithdrawPayoutCommandDataMandateSignatures]


class _WithdrawPayoutCommandDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    attempt: int  # with no, the key under which the wallet pays once
    account: str  # account of a user
    market: str  # marketName of a market
    network: str  # network of a coin, such as TRC20
    address: str  # address on the network, text of 1 to 256 characters
    memo: str  # memo or tag of the address, at most 256 characters
    amount: str  # canonical decimal string, in the coin of the market: what to pay


class WithdrawPayoutCommandData(_WithdrawPayoutCommandDataRequired, total=False):
    payout: str  # in signed mode: canonical JSON that people signed
    signatures: List[WithdrawPayoutCommandDataSignatures]  # with payout: the consents of those who signed it
    mandate: WithdrawPayoutCommandDataMandate  # instead of payout and signatures


class _WithdrawPayoutCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["withdraw.payout"]
    data: WithdrawPayoutCommandData


class WithdrawPayoutCommand(_WithdrawPayoutCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class _WithdrawReviewedCommandDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    state: int  # state of the record afterwards


class WithdrawReviewedCommandData(_WithdrawReviewedCommandDataRequired, total=False):
    reason: str  # in the language of the operators
    reasonCode: str  # with reason: risky_address, mismatched_data, insufficient_turnover, abnormal_account, quota_exhausted, not_eligible, blurred_photo, mismatched_document, expired_document, missing_holding_photo, document_in_use, abnormal_prices, platform_failure, appeal_accepted, duplicate_order, no_open_tick, no_close_tick, frozen, closed, repeated, other


class _WithdrawReviewedCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["withdraw.reviewed"]
    data: WithdrawReviewedCommandData


class WithdrawReviewedCommand(_WithdrawReviewedCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


WalletMoveRequestedCommandData = TypedDict(
    "WalletMoveRequestedCommandData",
    {
        "no": str,  # number of the transfer, for record of its two moves
        "from": str,  # the platform's own id of the wallet that pays
        "to": str,  # the platform's own id of the wallet that receives
        "amount": str,  # canonical decimal string, in the coin of both wallets
    },
)


class _WalletMoveRequestedCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["wallet.move.requested"]
    data: WalletMoveRequestedCommandData


class WalletMoveRequestedCommand(_WalletMoveRequestedCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class _ScreenRequestedCommandDataRequired(TypedDict):
    no: str  # number of the request, for the event screen.answered
    kind: Literal["address", "name"]  # what to screen
    account: str  # account of a user
    dueAt: int  # unix milliseconds until which an answer is expected


class ScreenRequestedCommandData(_ScreenRequestedCommandDataRequired, total=False):
    withdraw: str  # with address: number of the withdrawal
    market: str  # marketName of a market
    network: str  # network of a coin, such as TRC20
    address: str  # address on the network, text of 1 to 256 characters
    memo: str  # memo or tag of the address, at most 256 characters
    amount: str  # canonical decimal string, in the coin of the market: amount of the withdrawal
    level: Literal[1, 2]  # 1 basic, 2 advanced
    name: str  # with name: the name of the document
    country: str  # with name: the country of the document


class _ScreenRequestedCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["screen.requested"]
    data: ScreenRequestedCommandData


class ScreenRequestedCommand(_ScreenRequestedCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class _RechargeReviewedCommandDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    state: int  # state of the record afterwards


class RechargeReviewedCommandData(_RechargeReviewedCommandDataRequired, total=False):
    reason: str  # in the language of the operators
    reasonCode: str  # with reason: risky_address, mismatched_data, insufficient_turnover, abnormal_account, quota_exhausted, not_eligible, blurred_photo, mismatched_document, expired_document, missing_holding_photo, document_in_use, abnormal_prices, platform_failure, appeal_accepted, duplicate_order, no_open_tick, no_close_tick, frozen, closed, repeated, other


class _RechargeReviewedCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["recharge.reviewed"]
    data: RechargeReviewedCommandData


class RechargeReviewedCommand(_RechargeReviewedCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class _AuthReviewedCommandDataRequired(TypedDict):
    account: str  # account of a user
    level: Literal[1, 2]  # 1 basic, 2 advanced
    state: Literal[1, 2]  # 1 passed, 2 rejected


class AuthReviewedCommandData(_AuthReviewedCommandDataRequired, total=False):
    reason: str  # in the language of the operators
    reasonCode: str  # with reason: risky_address, mismatched_data, insufficient_turnover, abnormal_account, quota_exhausted, not_eligible, blurred_photo, mismatched_document, expired_document, missing_holding_photo, document_in_use, abnormal_prices, platform_failure, appeal_accepted, duplicate_order, no_open_tick, no_close_tick, frozen, closed, repeated, other


class _AuthReviewedCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["auth.reviewed"]
    data: AuthReviewedCommandData


class AuthReviewedCommand(_AuthReviewedCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class _IeoReviewedCommandDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    state: int  # state of the record afterwards


class IeoReviewedCommandData(_IeoReviewedCommandDataRequired, total=False):
    reason: str  # in the language of the operators
    reasonCode: str  # with reason: risky_address, mismatched_data, insufficient_turnover, abnormal_account, quota_exhausted, not_eligible, blurred_photo, mismatched_document, expired_document, missing_holding_photo, document_in_use, abnormal_prices, platform_failure, appeal_accepted, duplicate_order, no_open_tick, no_close_tick, frozen, closed, repeated, other


class _IeoReviewedCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["ieo.reviewed"]
    data: IeoReviewedCommandData


class IeoReviewedCommand(_IeoReviewedCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class BalanceChangedCommandData(TypedDict):
    account: str  # account of a user
    market: str  # marketName of a market
    platform: Literal[1, 2, 3, 4]  # 1 funding, 2 spot, 3 futures, 4 second contracts
    active: str  # canonical decimal string, in the coin of the market: balance afterwards
    frozen: str  # canonical decimal string, in the coin of the market: balance afterwards
    entry: int  # number of the ledger entry


class _BalanceChangedCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["balance.changed"]
    data: BalanceChangedCommandData


class BalanceChangedCommand(_BalanceChangedCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class UserCreatedCommandData(TypedDict):
    account: str  # account of a user
    agent: str  # account of the agent
    password: str  # argon2id hash


class _UserCreatedCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["user.created"]
    data: UserCreatedCommandData


class UserCreatedCommand(_UserCreatedCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class UserUpdatedCommandData(TypedDict):
    account: str  # account of a user
    state: Literal[0, 1]  # 0 frozen, 1 normal
    trade: Literal[0, 1]  # 0 may not place orders, 1 may place orders
    ieoBuy: Literal[0, 1]  # 0 off, 1 on
    ieoSell: Literal[0, 1]  # 0 off, 1 on
    ai: Literal[0, 1]  # 0 signals are not followed automatically, 1 signals may be followed automatically
    winType: Literal[0, 1]  # 0 payout of the configuration, 1 payout of winRate
    winRate: Optional[str]


class _UserUpdatedCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["user.updated"]
    data: UserUpdatedCommandData


class UserUpdatedCommand(_UserUpdatedCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class ConfigUpdatedCommandData(TypedDict):
    key: str
    kind: str
    str: str
    num: str  # canonical decimal string
    state: int


class _ConfigUpdatedCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["config.updated"]
    data: ConfigUpdatedCommandData


class ConfigUpdatedCommand(_ConfigUpdatedCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class AnnouncePublishedCommandData(TypedDict):
    no: str  # number of the announcement
    lang: str
    title: str
    content: str  # sanitised HTML
    platform: Literal[0, 1, 2]  # 0 everywhere, 1 web, 2 app
    state: Literal[0, 1]  # 0 hidden, 1 shown
    deleted: Literal[0, 1]  # 0 exists, 1 deleted
    at: int  # unix milliseconds
    pinned: Literal[0, 1]  # 0 in order, 1 before the others
    publishAt: Optional[int]
    group: str  # the same for all languages of one announcement


class _AnnouncePublishedCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["announce.published"]
    data: AnnouncePublishedCommandData


class AnnouncePublishedCommand(_AnnouncePublishedCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class UserDeletedCommandData(TypedDict):
    account: str  # account of a user
    state: Literal[0, 1]  # 0 frozen, 1 normal
    trade: Literal[0, 1]  # 0 may not place orders, 1 may place orders
    ieoBuy: Literal[0, 1]  # 0 off, 1 on
    ieoSell: Literal[0, 1]  # 0 off, 1 on
    ai: Literal[0, 1]  # 0 signals are not followed automatically, 1 signals may be followed automatically
    winType: Literal[0, 1]  # 0 payout of the configuration, 1 payout of winRate
    winRate: Optional[str]


class _UserDeletedCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["user.deleted"]
    data: UserDeletedCommandData


class UserDeletedCommand(_UserDeletedCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class UserPasswordCommandData(TypedDict):
    account: str  # account of a user
    password: str  # argon2id hash


class _UserPasswordCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["user.password"]
    data: UserPasswordCommandData


class UserPasswordCommand(_UserPasswordCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class _MarketUpdatedCommandDataNetworksRequired(TypedDict):
    network: str
    recharge: Literal[0, 1]
    withdraw: Literal[0, 1]
    fee: str  # canonical decimal string
    explorer: str  # URL template of the block explorer with {tx} for the hash


class MarketUpdatedCommandDataNetworks(_MarketUpdatedCommandDataNetworksRequired, total=False):
    family: Literal["evm", "bitcoin", "bitcoincash", "litecoin", "dogecoin", "tron", "ton", "xrp", "stellar", "solana", "substrate", "aptos", "sui", "near", "cosmos", "cardano", "filecoin", "hedera", "monero", "eos", "opaque"]  # how accounts of the network are written; absent: as the name says
    payingMinutes: int  # minutes after which the outcome of a payout that is under way becomes unknown; 0 never; absent: as the setting says
    matchMinutes: int  # minutes that a move on the chain and its record may wait for each other; absent: as the setting says


class _MarketUpdatedCommandDataRequired(TypedDict):
    marketName: str
    spot: Literal[0, 1]
    future: Literal[0, 1]
    second: Literal[0, 1]
    ieo: Literal[0, 1]
    pricePrecision: int
    amountPrecision: int
    minAmount: str  # canonical decimal string
    maxAmount: str  # canonical decimal string
    makerFee: str  # as a ratio: 0.001 is 0.1 %; negative is paid to the maker
    takerFee: str  # as a ratio
    maxLeverage: int
    maintenanceRate: str  # as a ratio
    withdrawFee: str  # canonical decimal string
    withdrawMin: str  # canonical decimal string
    withdrawMax: str  # canonical decimal string
    rechargeState: Literal[0, 1]
    withdrawState: Literal[0, 1]
    networks: List[MarketUpdatedCommandDataNetworks]
    sort: int
    state: int


class MarketUpdatedCommandData(_MarketUpdatedCommandDataRequired, total=False):
    base: Optional[str]
    quote: Optional[str]


class _MarketUpdatedCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["market.updated"]
    data: MarketUpdatedCommandData


class MarketUpdatedCommand(_MarketUpdatedCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class MarketHaltedCommandData(TypedDict):
    marketName: str  # marketName of a market
    marketType: Literal[1, 2, 3]  # 1 spot, 2 futures, 3 second contracts
    haltedAt: int  # unix milliseconds
    resumeAt: int  # unix milliseconds
    price: Optional[str]


class _MarketHaltedCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["market.halted"]
    data: MarketHaltedCommandData


class MarketHaltedCommand(_MarketHaltedCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class MarketResumedCommandData(TypedDict):
    marketName: str  # marketName of a market
    marketType: Literal[1, 2, 3]  # 1 spot, 2 futures, 3 second contracts


class _MarketResumedCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["market.resumed"]
    data: MarketResumedCommandData


class MarketResumedCommand(_MarketResumedCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class PlanUpdatedCommandData(TypedDict):
    marketName: str  # marketName of a market
    marketType: Literal[1, 2, 3]  # 1 spot, 2 futures, 3 second contracts
    minPrice: str  # canonical decimal string, in USDT
    maxPrice: str  # canonical decimal string, in USDT
    planPrice: str  # shown to operators only
    planMinute: int  # minutes of a halt
    planState: Literal[0, 1]  # 0 off, 1 on


class _PlanUpdatedCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["plan.updated"]
    data: PlanUpdatedCommandData


class PlanUpdatedCommand(_PlanUpdatedCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class OrderCancelCommandData(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters


class _OrderCancelCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["order.cancel"]
    data: OrderCancelCommandData


class OrderCancelCommand(_OrderCancelCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class SecondSettledCommandDataOpenTick(TypedDict):
    price: str  # canonical decimal string, in USDT
    at: int  # unix milliseconds


class SecondSettledCommandDataCloseTick(TypedDict):
    price: str  # canonical decimal string, in USDT
    at: int  # unix milliseconds


class SecondSettledCommandData(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    result: Literal[1, 2, 3]  # 1 won, 2 lost, 3 equal
    profit: str  # signed decimal string, in USDT
    openTick: SecondSettledCommandDataOpenTick
    closeTick: SecondSettledCommandDataCloseTick


class _SecondSettledCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["second.settled"]
    data: SecondSettledCommandData


class SecondSettledCommand(_SecondSettledCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class _SecondVoidedCommandDataRequired(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    reason: str


class SecondVoidedCommandData(_SecondVoidedCommandDataRequired, total=False):
    reasonCode: str  # with reason: risky_address, mismatched_data, insufficient_turnover, abnormal_account, quota_exhausted, not_eligible, blurred_photo, mismatched_document, expired_document, missing_holding_photo, document_in_use, abnormal_prices, platform_failure, appeal_accepted, duplicate_order, no_open_tick, no_close_tick, frozen, closed, repeated, other


class _SecondVoidedCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["second.voided"]
    data: SecondVoidedCommandData


class SecondVoidedCommand(_SecondVoidedCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class SignalPublishedCommandData(TypedDict):
    no: str  # number of the signal
    title: str
    market: str  # marketName of a market
    side: Literal[1, 2]  # 1 long, 2 short
    leverage: int
    price: str  # canonical decimal string, in USDT: entry price
    takeProfit: Optional[str]
    stopLoss: Optional[str]
    ratio: str  # percent of the futures account that an automatic following uses
    minAmount: str  # canonical decimal string, in USDT: minimum stake
    maxAmount: str  # canonical decimal string, in USDT: maximum stake
    startAt: int  # unix milliseconds; follows may be opened from here on
    endAt: int  # unix milliseconds; follows may be opened before
    state: Literal[1, 2]  # 1 can be followed, 2 ended


class _SignalPublishedCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["signal.published"]
    data: SignalPublishedCommandData


class SignalPublishedCommand(_SignalPublishedCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class FollowCloseCommandData(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters


class _FollowCloseCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["follow.close"]
    data: FollowCloseCommandData


class FollowCloseCommand(_FollowCloseCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class PositionCancelCommandData(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters


class _PositionCancelCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["position.cancel"]
    data: PositionCancelCommandData


class PositionCancelCommand(_PositionCancelCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class PositionCloseCommandData(TypedDict):
    no: str  # number chosen by the platform, text of 1 to 64 characters
    amount: str  # canonical decimal string, in the coin of the market


class _PositionCloseCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["position.close"]
    data: PositionCloseCommandData


class PositionCloseCommand(_PositionCloseCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class _MessageSentCommandDataRequired(TypedDict):
    no: str  # number of the message
    account: str  # account of a user
    text: str
    at: int  # unix milliseconds


class MessageSentCommandData(_MessageSentCommandDataRequired, total=False):
    image: str  # data: URL


class _MessageSentCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["message.sent"]
    data: MessageSentCommandData


class MessageSentCommand(_MessageSentCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class AuditHeadCommandData(TypedDict):
    number: int
    previous: str
    rows: int
    hash: str
    at: int  # unix milliseconds
    key: str
    signature: str


class _AuditHeadCommandRequired(TypedDict):
    seq: int
    id: int
    at: int  # unix milliseconds
    attempt: int
    type: Literal["audit.head"]
    data: AuditHeadCommandData


class AuditHeadCommand(_AuditHeadCommandRequired, total=False):
    lease: str  # the lease that came with the command
    leaseUntil: int  # unix milliseconds


class _AckRequired(TypedDict):
    id: int
    state: Literal["done", "failed", "unknown"]


class Ack(_AckRequired, total=False):
    reason: str
    lease: str  # the lease that came with the command


class AckAnswer(TypedDict):
    id: int
    result: Literal["applied", "duplicate", "lost", "unknown"]

PlatformEvent = Union[
    AgentRegisteredEvent,
    UserRegisteredEvent,
    UserLoginEvent,
    UserCredentialEvent,
    RechargeDetectedEvent,
    RechargeCreditedEvent,
    RechargeFailedEvent,
    RechargeReversedEvent,
    WithdrawImportedEvent,
    WithdrawRequestedEvent,
    WithdrawCancelledEvent,
    WithdrawPayingEvent,
    WithdrawPaidEvent,
    WithdrawFailedEvent,
    WithdrawUnknownEvent,
    WalletSavedEvent,
    WalletBalanceEvent,
    ChainMovedEvent,
    ChainRevertedEvent,
    ScreenAnsweredEvent,
    AuthSubmittedEvent,
    AuthImportedEvent,
    IeoOrderedEvent,
    IeoCancelledEvent,
    IeoImportedEvent,
    TransferMadeEvent,
    BalanceImportedEvent,
    BalanceAdjustedEvent,
    OrderPlacedEvent,
    OrderFilledEvent,
    OrderCancelledEvent,
    SecondOpenedEvent,
    FollowOpenedEvent,
    FollowClosedEvent,
    PositionPlacedEvent,
    PositionOpenedEvent,
    PositionIncreasedEvent,
    PositionFlippedEvent,
    PositionChangedEvent,
    PositionClosedEvent,
    PositionLiquidatedEvent,
    PositionCancelledEvent,
    FundingPaidEvent,
    MessageReceivedEvent,
    MarketSavedEvent,
    TickEvent,
]

Command = Union[
    WithdrawPayoutCommand,
    WithdrawReviewedCommand,
    WalletMoveRequestedCommand,
    ScreenRequestedCommand,
    RechargeReviewedCommand,
    AuthReviewedCommand,
    IeoReviewedCommand,
    BalanceChangedCommand,
    UserCreatedCommand,
    UserUpdatedCommand,
    ConfigUpdatedCommand,
    AnnouncePublishedCommand,
    UserDeletedCommand,
    UserPasswordCommand,
    MarketUpdatedCommand,
    MarketHaltedCommand,
    MarketResumedCommand,
    PlanUpdatedCommand,
    OrderCancelCommand,
    SecondSettledCommand,
    SecondVoidedCommand,
    SignalPublishedCommand,
    FollowCloseCommand,
    PositionCancelCommand,
    PositionCloseCommand,
    MessageSentCommand,
    AuditHeadCommand,
]

GatewayError = Literal["unknown_key", "invalid_time", "clock_skew", "bad_signature", "key_expired", "nonce_required", "nonce_reused", "address_not_allowed", "not_permitted", "forbidden", "not_found", "too_large", "invalid_utf8", "invalid_json", "too_many_events", "too_many_acks", "invalid", "internal_error", "unavailable"]
