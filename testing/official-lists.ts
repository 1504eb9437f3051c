/**
 * Makes files with the structure of official lists of sanctions, for tests and benchmarks. Names and numbers are invented. The
 * structures are those of autumn 2026.
 */

/** An address as a list mentions it, with the list's code of the coin. */
export interface Mention {
  coin: string;
  address: string;
}

export interface Entry {
  number: number;
  mentions: readonly Mention[];
  /** Text of the remarks before the addresses. */
  remarks?: string;
}

const KIND = 'Digital Currency Address';
/** Length of the field for remarks. */
const REMARKS_MAX = 1_000;
const NULL = '-0- ';

const nameOf = ({ number }: Entry): string => `PERSON ${number}, Sample`;

function remarksOf({ mentions, remarks = 'DOB 01 Jan 1980' }: Entry): string {
  const texts = mentions.map(({ coin, address }, index) => `${index > 0 ? 'alt. ' : ''}${KIND} - ${coin} ${address}`);
  return [remarks, ...texts, 'Secondary sanctions risk: See Section 1.'].join('; ');
}

/** Tables without a header, whose end is Ctrl-Z. What does not fit in the remarks goes on in `comments`. */
export function toSdnCsv(entries: readonly Entry[]): { sdn: string; comments: string } {
  const rows = entries.map((entry) => ({ entry, remarks: remarksOf(entry) }));
  const nulls = Array.from({ length: 7 }, () => NULL).join(',');
  const sdn = rows.map(
    ({ entry, remarks }) =>
      `${entry.number},"${nameOf(entry)}","individual","CYBER2",${nulls},"${remarks.slice(0, REMARKS_MAX)}"\r\n`,
  );
  const comments = rows
    .filter(({ remarks }) => remarks.length > REMARKS_MAX)
    .map(({ entry, remarks }) => `${entry.number},"${remarks.slice(REMARKS_MAX)}"\r\n`);
  return { sdn: `${sdn.join('')}\u001A\r\n`, comments: `${comments.join('')}\u001A\r\n` };
}

const HEAD = '<?xml version="1.0" encoding="utf-8"?>\n';

export function toSdnXml(entries: readonly Entry[]): string {
  const ids = ({ mentions }: Entry): string =>
    mentions
      .map(
        ({ coin, address }, index) =>
          `<id><uid>${index + 1}</uid><idType>${KIND} - ${coin}</idType>\n<idNumber>${address}</idNumber></id>`,
      )
      .join('\n');
  const texts = entries.map(
    (entry) => `<sdnEntry><uid>${entry.number}</uid><lastName>${nameOf(entry)}</lastName><sdnType>Individual</sdnType>
<idList>${ids(entry)}<id><uid>0</uid><idType>Gender</idType><idNumber>Male</idNumber></id></idList></sdnEntry>\n`,
  );
  return `${HEAD}<sdnList xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML">
<publshInformation><Record_Count>${entries.length}</Record_Count></publshInformation>\n${texts.join('')}</sdnList>\n`;
}

const coinsOf = (entries: readonly Entry[]): string[] => [
  ...new Set(entries.flatMap(({ mentions }) => mentions.map(({ coin }) => coin))),
];

/** Kinds are declared first; features refer to them by their ids. */
export function toSdnAdvancedXml(entries: readonly Entry[]): string {
  const coins = coinsOf(entries);
  const idOf = (coin: string): number => 344 + coins.indexOf(coin);
  const kinds = coins.map(
    (coin) => `<FeatureType ID="${idOf(coin)}" FeatureTypeGroupID="1">${KIND} - ${coin}</FeatureType>\n`,
  );
  const features = ({ mentions }: Entry): string =>
    mentions
      .map(
        ({ coin, address }, index) => `<Feature ID="${index + 1}" FeatureTypeID="${idOf(coin)}">
<FeatureVersion ID="${index + 1}" ReliabilityID="1560"><Comment />
<VersionDetail DetailTypeID="1432">${address}</VersionDetail></FeatureVersion>
<IdentityReference IdentityID="${index + 1}" IdentityFeatureLinkTypeID="1" /></Feature>\n`,
      )
      .join('');
  const parties = entries.map(
    (entry) => `<DistinctParty FixedRef="${entry.number}"><Profile ID="${entry.number}" PartySubTypeID="4">
<Feature ID="900" FeatureTypeID="8"><FeatureVersion ID="9" ReliabilityID="1"><Comment />
<DatePeriod CalendarTypeID="1"><Start Approximate="false"><From><Year>1980</Year></From></Start></DatePeriod>
</FeatureVersion></Feature>\n${features(entry)}</Profile></DistinctParty>\n`,
  );
  return `${HEAD}<Sanctions xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/ADVANCED_XML">
<ReferenceValueSets><FeatureTypeValues><FeatureType ID="8" FeatureTypeGroupID="1">Birthdate</FeatureType>
${kinds.join('')}</FeatureTypeValues></ReferenceValueSets>
<DistinctParties>\n${parties.join('')}</DistinctParties></Sanctions>\n`;
}

/** Kinds are declared as reference values and repeated in each feature. */
export function toSdnEnhancedXml(entries: readonly Entry[]): string {
  const kinds = coinsOf(entries).map(
    (coin, index) =>
      `<referenceValue refId="${index}"><type>FeatureType</type><value>${KIND} - ${coin}</value></referenceValue>\n`,
  );
  const features = ({ mentions }: Entry): string =>
    mentions
      .map(
        ({ coin, address }, index) => `<feature id="${index + 1}"><type featureTypeId="344">${KIND} - ${coin}</type>
<versionId>${index + 1}</versionId><value>${address}</value><isPrimary>true</isPrimary></feature>\n`,
      )
      .join('');
  const texts = entries.map(
    (
      entry,
    ) => `<entity id="${entry.number}"><generalInfo><identityId>1</identityId><entityType refId="600">Individual</entityType>
</generalInfo><features><feature id="0"><type featureTypeId="8">Birthdate</type><value>1980</value></feature>
${features(entry)}</features></entity>\n`,
  );
  return `${HEAD}<sanctionsData xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/ENHANCED_XML">
<publicationInfo><dataAsOf>2026-11-20T00:00:00</dataAsOf></publicationInfo>
<referenceValues>\n${kinds.join('')}</referenceValues><entities>\n${texts.join('')}</entities></sanctionsData>\n`;
}

/** The lists of 0xB10C: one coin each, with the code in the name of the file. */
export const toCoinList = (addresses: readonly string[]): string => addresses.map((address) => `${address}\n`).join('');

const UK_COLUMNS = [
  'Last Updated',
  'Unique ID',
  'OFSI Group ID',
  'UN Reference Number',
  'Name 6',
  'Name type',
  'Regime Name',
  'Individual, Entity, Ship',
  'Sanctions Imposed',
  'Other Information',
  'UK Statement of Reasons',
];

const ukSentence = ({ mentions }: Entry): string =>
  `Uses the exchange example.org/wallets and the digital wallet addresses ${mentions
    .map(({ coin, address }) => `(${coin}) ${address}`)
    .join(', ')}. IBAN GB33BUKB20201555555555.`;

/** A date, a header, and one row for each name. The list has no column for addresses. */
export function toUkCsv(entries: readonly Entry[]): string {
  const rows = entries.flatMap((entry) =>
    ['Primary Name', 'Alias'].map((kind) =>
      [
        '21/11/2026',
        `CYB${entry.number}`,
        '1',
        '',
        nameOf(entry),
        kind,
        'Cyber',
        'Individual',
        'Asset freeze',
        ukSentence(entry),
        '',
      ]
        .map((cell) => `"${cell}"`)
        .join(','),
    ),
  );
  return [`Report Date: 21-Nov-2026`, UK_COLUMNS.map((column) => `"${column}"`).join(','), ...rows, ''].join('\r\n');
}

export function toUkXml(entries: readonly Entry[]): string {
  const texts = entries.map(
    (entry) => `<Designation><LastUpdated>21/11/2026</LastUpdated><UniqueID>CYB${entry.number}</UniqueID>
<Names><Name><Name6>${nameOf(entry)}</Name6><NameType>Primary Name</NameType></Name></Names>
<OtherInformation>${ukSentence(entry)}</OtherInformation></Designation>\n`,
  );
  return `${HEAD}<Designations><DateGenerated>21/11/2026</DateGenerated>\n${texts.join('')}</Designations>\n`;
}

const walletsOf = ({ number, mentions }: Entry) =>
  mentions.map(({ coin, address }, index) => ({
    id: `sample-wallet-${number}-${index}`,
    caption: address,
    schema: 'CryptoWallet',
    properties: { publicKey: [address], currency: [coin], topics: ['sanction'] },
    datasets: ['us_ofac_sdn'],
    target: true,
  }));

/** entities.ftm.json of OpenSanctions: one entity a line. */
export const toFtmJson = (entries: readonly Entry[]): string =>
  entries
    .flatMap((entry) => [
      { id: `sample-${entry.number}`, schema: 'Person', properties: { name: [nameOf(entry)] }, datasets: [] },
      ...walletsOf(entry),
    ])
    .map((entity) => `${JSON.stringify(entity)}\n`)
    .join('');

/** targets.nested.json of OpenSanctions: accounts inside their holders. */
export const toNestedJson = (entries: readonly Entry[]): string =>
  entries
    .map((entry) => ({
      id: `sample-${entry.number}`,
      schema: 'Person',
      properties: { name: [nameOf(entry)], cryptoWallets: walletsOf(entry) },
    }))
    .map((entity) => `${JSON.stringify(entity)}\n`)
    .join('');

/** targets.simple.csv of OpenSanctions. */
export const toSimpleCsv = (entries: readonly Entry[]): string =>
  [
    'id,schema,name,aliases,birth_date,countries,addresses,identifiers,sanctions,phones,emails,dataset',
    ...entries.map(
      (entry) => `"sample-${entry.number}","Person","${nameOf(entry)}","","1980","","","","","","","OFAC"`,
    ),
    ...entries.flatMap((entry) =>
      walletsOf(entry).map(
        ({ id, caption }) => `"${id}","CryptoWallet","${caption}","","","","","${caption}","","","","OFAC"`,
      ),
    ),
    '',
  ].join('\n');
