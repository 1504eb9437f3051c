/**
 * Limits and options of inputs: schemas check them, screens offer them. They are apart from the nouns, because a noun
 * imports the types of its schema.
 */

export const announceLangs = {
  'zh-CN': '简体中文',
  'zh-TW': '繁體中文',
  en: 'English',
  ja: '日本語',
  ko: '한국어',
  vi: 'Tiếng Việt',
  th: 'ไทย',
} as const;
export type AnnounceLang = keyof typeof announceLangs;
export const announcePlatforms = { 0: '全部端', 1: '网页', 2: 'APP' } as const;
export const ANNOUNCE_TITLE_MAX = 200;
/** Characters of a content as it is sent. The sanitized content is never longer. */
export const ANNOUNCE_CONTENT_MAX = 50_000;
export const ANNOUNCE_ITEMS_MAX = 20;
/** Bytes of an uploaded image. The stored one is encoded again and smaller. */
export const ANNOUNCE_IMAGE_MAX = 4 * 1024 * 1024;
/** Images in one announcement. */
export const ANNOUNCE_IMAGES_MAX = 20;
/** Maximum time until a scheduled publication. */
export const ANNOUNCE_AHEAD_MS = 366 * 86_400_000;

export const BINARY_CONTRACT_LENGTH_MAX = 86_400;
/** `type` of `second/contract/change`: the only change possible. */
export const BINARY_CONTRACT_VOID = 1;

export const SETTING_TEXT_MAX = 1_000;

/** Maximum users per call of `future/expect_info`. */
export const EXPECT_USERS_MAX = 200;
/** Range of the liquidation heat map around the mark price, in percent. */
export const heatRanges = { 5: '±5%', 10: '±10%', 20: '±20%', 50: '±50%' } as const;
export type HeatRange = keyof typeof heatRanges;

/** Days shown in the charts, including today. */
export const HOME_DAYS = 30;
/** Days in the trends of the cards of the home page, today included. */
export const TREND_DAYS = 14;

/** The pictures of a submission. `holding` shows the customer holding the document. */
export const kycSides = { front: '证件正面', back: '证件反面', holding: '手持证件' } as const;
export type KycSide = keyof typeof kycSides;

/** Lengths of candles in milliseconds. Candles of four hours and of a day are aligned to midnight UTC. */
export const CANDLE_MS = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '30m': 1_800_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
} as const;
export type CandleLength = keyof typeof CANDLE_MS;
export const CANDLES_MAX = 1_000;
export const NETWORKS_MAX = 20;
/** The address of a block explorer with {tx} for the hash, or nothing. */
export const EXPLORER_PATTERN = '^(https?://[^\\s<>"]+)?$';
/** A week. */
export const PAYING_MINUTES_MAX = 10_080;
/** A week. */
export const MATCH_MINUTES_MAX = 10_080;
export const DECIMALS_MAX = 18;
export const LEVERAGE_MAX = 1_000;
/** Maximum characters of a market's icon as a data: URL. Icons on other sites are not allowed: they could track operators. */
export const ICON_MAX = 24_576;

export const NOTIFICATIONS_SIZE_MAX = 200;

/** Keys of preferences. The list of first words keeps callers from storing arbitrary data. */
export const PREFERENCE_KEY =
  '^(?=.{1,100}$)(theme|prices|density|zone|refresh|menu|list|view|notify|home|page)(\\.[A-Za-z0-9_/-]+){0,3}$';
/** Maximum changes per call. */
export const PREFERENCE_CHANGES_MAX = 50;

export const PRICE_PROTECTION_MINUTES_MAX = 1_440;

/** Files of ownership signatures with one proof. */
export const PROOF_FILES_MAX = 100;
export const PROOF_FILE_NAME_MAX = 200;

export const SEARCH_TEXT_MAX = 256;

export const SIGNAL_TITLE_MAX = 100;

export const SUPPORT_SENT_MAX = 2_000;
/** Maximum bytes of an operator's picture. The platform's pictures have the limit of identity photos. */
export const SUPPORT_IMAGE_BYTES_MAX = 524_288;
export const SUPPORT_MESSAGES_MAX = 200;
export const REPLY_TITLE_MAX = 20;

export const VIEW_NAME_MAX = 20;
export const VIEW_QUERY_MAX = 2000;

/** How a notification is sent outside the console. */
export const channelKinds = { webhook: 'Webhook', mail: '邮件', telegram: 'Telegram', feishu: '飞书' } as const;
export type ChannelKind = keyof typeof channelKinds;
export const CHANNEL_NAME_MAX = 20;
export const CHANNEL_ADDRESS_MAX = 500;
export const CHANNEL_KEY_MAX = 128;

export const SCHEDULE_NAME_MAX = 20;

export const GATEWAY_KEY_NAME_MAX = 30;
/** Networks in the address list of a key. */
export const GATEWAY_ADDRESSES_MAX = 50;
/** Markets in the list of a platform. */
export const GATEWAY_MARKETS_MAX = 500;

/** Names of markets are unique without regard to case. */
export const MARKET_NAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$';

/** Records that a tab has set aside; more are forgotten. */
export const QUEUE_SKIP_MAX = 200;
export const QUEUE_COMMENT_MAX = 1_000;
export const QUEUE_MENTIONS_MAX = 10;
/** Characters of a file with addresses in a JSON body. */
export const ADDRESS_FILE_BYTES_MAX = 1_000_000;
/** Bytes of a file with addresses that is the body. */
export const ADDRESS_UPLOAD_MAX = 200 * 1024 * 1024;
