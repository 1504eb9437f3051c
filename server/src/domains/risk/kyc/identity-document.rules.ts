import { KYC_ID_TYPE } from '@hengtai/contract/risk/kyc/calls';
import type { KycDocument, KycDocumentKind, KycDocumentMark, KycRow } from '@hengtai/contract/risk/kyc/schema';
import { isRealDate } from '@hengtai/contract/values/real-date';
import { checkCharacter, foldNumber, identityKey } from './identity-key.rules.ts';
import { countryOf } from './country-name.rules.ts';

type Submitted = Pick<KycRow, 'name' | 'country' | 'idType' | 'idNumber'>;
type Card = Exclude<KycDocumentKind, 'other'>;

/** Region codes of the provinces. */
const PROVINCE = '(?:1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71)';
const RESIDENT = new RegExp(`^${PROVINCE}`);
/** 9, the province that accepted the application, and the nationality by its ISO 3166-1 number. */
const PERMANENT = new RegExp(`^9${PROVINCE}\\d{3}`);
const GREATER_CHINA = ['CN', 'HK', 'MO', 'TW'];
/** Countries that go with a card. The permanent resident card goes with all that are not in `GREATER_CHINA`. */
const COUNTRIES: Readonly<Record<Exclude<Card, 'permanent'>, readonly string[]>> = {
  resident: ['CN'],
  hongKong: ['CN', 'HK'],
  macau: ['CN', 'MO'],
  taiwan: ['CN', 'TW'],
};
const ADULT_AGE = 18;
const AGE_MAX = 130;
/** China has one time zone, UTC+8. */
const CHINA_OFFSET_MS = 8 * 3_600_000;

/** What a document number says about its holder, and what contradicts the submission. Marks refuse nothing. */
export function readDocument(submitted: Submitted, now: number): KycDocument {
  const country = countryOf(submitted.country);
  const card = findCard(submitted, country);
  if (!card) {
    const isExpected = submitted.idType === KYC_ID_TYPE.identityCard && country === 'CN';
    return { kind: 'other', valid: null, birth: null, age: null, sex: null, marks: isExpected ? ['type'] : [] };
  }
  const { kind, number, valid } = card;
  const born = findBirth(number.slice(6, 14), now);
  const marks: Readonly<Record<KycDocumentMark, boolean>> = {
    check: valid === false,
    birth: !born,
    minor: born !== undefined && born.age < ADULT_AGE,
    name: kind !== 'permanent' && !/\p{Script=Han}/u.test(submitted.name),
    country: country !== undefined && !canHold(kind, country),
    type: submitted.idType === KYC_ID_TYPE.passport,
  };
  return {
    kind,
    valid,
    birth: born?.birth ?? null,
    age: born?.age ?? null,
    sex: Number(number[16]) % 2 === 1 ? 1 : 2,
    marks: (Object.keys(marks) as KycDocumentMark[]).filter((mark) => marks[mark]),
  };
}

/** The card whose number it is, as its 18 characters; `valid` is null for 15 digits, which have no check character. */
function findCard(
  { idType, idNumber }: Submitted,
  country: string | undefined,
): { kind: Card; number: string; valid: boolean | null } | undefined {
  const number = identityKey(idNumber);
  const kind = /^\d{17}[\dX]$/.test(number) ? kindOf(number) : undefined;
  if (!kind) return undefined;
  const isShort = foldNumber(idNumber).length === 15;
  const valid = isShort ? null : checkCharacter(number.slice(0, 17)) === number[17];
  // Documents of other kinds and countries may have as many digits by chance.
  const canBeOtherDocument = idType === KYC_ID_TYPE.passport || (country !== undefined && !canHold(kind, country));
  return valid !== true && canBeOtherDocument ? undefined : { kind, number, valid };
}

function kindOf(number: string): Card | undefined {
  if (number.startsWith('81')) return 'hongKong';
  if (number.startsWith('82')) return 'macau';
  if (number.startsWith('83')) return 'taiwan';
  if (PERMANENT.test(number)) return 'permanent';
  return RESIDENT.test(number) ? 'resident' : undefined;
}

const canHold = (kind: Card, country: string): boolean =>
  kind === 'permanent' ? !GREATER_CHINA.includes(country) : COUNTRIES[kind].includes(country);

/** Birth date and age in years of YYYYMMDD; undefined for a date that does not exist, is to come or is too long ago. */
function findBirth(date: string, now: number): { birth: string; age: number } | undefined {
  const birth = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  const today = new Date(now + CHINA_OFFSET_MS).toISOString().slice(0, 10);
  if (!isRealDate(birth) || birth > today) return undefined;
  const isBeforeBirthday = today.slice(5) < birth.slice(5);
  const age = Number(today.slice(0, 4)) - Number(birth.slice(0, 4)) - (isBeforeBirthday ? 1 : 0);
  return age > AGE_MAX ? undefined : { birth, age };
}
