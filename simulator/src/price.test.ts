import { expect, test } from 'vitest';
import { PRICE_MODELS, sampleNextPrice } from './price.ts';
import { createRandom } from './random.ts';

test('a price of few decimals does not drift in small steps', () => {
  const model = PRICE_MODELS['HTT'];
  if (!model) throw new Error('no price model');
  const dice = createRandom('drift');
  let price = model.level;
  // Half a day of live ticks.
  for (let tick = 0; tick < 21_600; tick += 1)
    price = Number(sampleNextPrice(model, price, model.level, 2 / 3_600, dice.normal(), dice));
  expect(price).toBeGreaterThan(0.5 * model.level);
  expect(price).toBeLessThan(2 * model.level);
});
