import { describe, expect, test } from 'vitest';
import { countryOf } from './country-name.rules.ts';
import { readDocument } from './identity-document.rules.ts';
import { checkCharacter } from './identity-key.rules.ts';

const NOW = Date.parse('2026-03-01T12:00:00+08:00');
const valid = (body: string): string => body + checkCharacter(body);
const submitted = (fields: object) => ({ name: '欧阳晓明', country: '中国', idType: 1, idNumber: '', ...fields });
const read = (fields: object, now = NOW) => readDocument(submitted(fields), now);

describe('the kind of card', () => {
  test.each([
    ['resident', valid('11010519491231002'), '中国'],
    ['hongKong', valid('81000019900101003'), '香港'],
    ['hongKong', valid('81000019900101003'), '中国'],
    ['macau', valid('82000019900101003'), 'Macau'],
    ['taiwan', valid('83000019900101003'), '台湾'],
    ['permanent', valid('91115619900101003'), '巴基斯坦'],
  ])('%s: %s of %s', (kind, idNumber, country) =>
    expect(read({ idNumber, country })).toMatchObject({ kind, valid: true, marks: [] }),
  );

  test.each([
    ['a passport', { idType: 2, idNumber: 'E12345678' }],
    ['a passport with many digits', { idType: 2, idNumber: '110105194912310021' }],
    ['a foreign card with many digits', { country: 'Vietnam', idNumber: '110105194912310021' }],
    ['a licence', { idType: 3, idNumber: 'AB123' }],
    ['no number', { idType: 2, idNumber: '-' }],
  ])('other, without marks: %s', (_, fields) =>
    expect(read(fields)).toEqual({ kind: 'other', valid: null, birth: null, age: null, sex: null, marks: [] }),
  );

  test.each(['E12345678', '001105194912310021', '990105194912310021', '110105491331002', '98765432'])(
    'other, marked, for an identity card of China with the number %s',
    (idNumber) => expect(read({ idNumber })).toMatchObject({ kind: 'other', valid: null, marks: ['type'] }),
  );
});

describe('what a number says', () => {
  test('birth date, age and sex', () => {
    expect(read({ idNumber: valid('11010519900301001') })).toEqual({
      kind: 'resident',
      valid: true,
      birth: '1990-03-01',
      age: 36,
      sex: 1,
      marks: [],
    });
    expect(read({ idNumber: valid('11010519900302002') })).toMatchObject({ age: 35, sex: 2 });
  });

  test('15 digits have no check character', () =>
    expect(read({ idNumber: '110105491231002' })).toEqual({
      kind: 'resident',
      valid: null,
      birth: '1949-12-31',
      age: 76,
      sex: 2,
      marks: [],
    }));

  test('the day begins at midnight of China', () => {
    const idNumber = valid('11010520080301001');
    expect(read({ idNumber }, Date.parse('2026-02-28T15:59:59Z'))).toMatchObject({ age: 17, marks: ['minor'] });
    expect(read({ idNumber }, Date.parse('2026-02-28T16:00:00Z'))).toMatchObject({ age: 18, marks: [] });
  });

  test('a birthday on 29 February is on 1 March of other years', () => {
    const idNumber = valid('11010520080229001');
    expect(read({ idNumber }, Date.parse('2026-02-28T12:00:00+08:00'))).toMatchObject({ age: 17 });
    expect(read({ idNumber })).toMatchObject({ age: 18 });
  });

  test.each([
    ['check', { idNumber: '110105194912310021' }],
    ['birth', { idNumber: valid('11010519900231002') }],
    ['birth', { idNumber: valid('11010520260302002') }],
    ['birth', { idNumber: valid('11010518500302002') }],
    ['name', { idNumber: valid('11010519491231002'), name: 'Ouyang Xiaoming' }],
    ['country', { idNumber: valid('11010519491231002'), country: 'Vietnam' }],
    ['country', { idNumber: valid('11010519491231002'), country: 'HK' }],
    ['country', { idNumber: valid('83000019900101003'), country: '中国香港' }],
    ['country', { idNumber: valid('91115619900101003'), country: 'China' }],
    ['type', { idNumber: valid('11010519491231002'), idType: 2 }],
  ])('marks %s', (mark, fields) => expect(read(fields).marks).toEqual([mark]));

  test('knows no birth date that does not exist', () =>
    expect(read({ idNumber: valid('11010519900231002') })).toMatchObject({ birth: null, age: null, sex: 2 }));

  test('a country that it cannot read contradicts nothing', () =>
    expect(read({ idNumber: valid('11010519491231002'), country: '地球' }).marks).toEqual([]));
});

test.each([
  ['中国', 'CN'],
  [' CHINA ', 'CN'],
  ['cn', 'CN'],
  ['中国台湾', 'TW'],
  ['Hong Kong', 'HK'],
  ['Hong  Kong SAR China', 'HK'],
  ['俄罗斯', 'RU'],
  ['U', undefined],
  ['', undefined],
])('the country %j is %s', (name, code) => expect(countryOf(name)).toBe(code));
